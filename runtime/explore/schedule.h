/* SPDX-License-Identifier: ISC */
/*
 * schedule.h - a schedule by the names of its steps: it can be changed, and still be followed.
 *
 * A list of choices says "the second of three", which means something else as soon as an earlier
 * one is changed. A script says which thread is to get how far, and which stores stay in their
 * buffers until when; all others reach memory at once. What is not possible (the thread waits for a
 * lock) is put off until it is. So leaving out a part of a script gives an execution nearby:
 * minimise.h lives on that.
 *
 * How far a thread has come is the number of its events. A spin loop's turns would make that depend
 * on everybody else, so reads that repeat what the thread has just read are not counted.
 */
#ifndef EXPLORE_SCHEDULE_H
#define EXPLORE_SCHEDULE_H

#include "event/event.h"
#include "explore/explore.h"

#define SCRIPT_THREADS 512
#define SCRIPT_ITEMS   16384 /* longer schedules have no script */
#define SCRIPT_STEPS   0x7fffu /* of a thread: a commit's agent has 15 bits for it */

/* Thread `slot` gets on until it has made `upto` events, and repeated `again` reads since; or its
 * store that is event `upto` reaches memory. */
struct schedule_item {
	u16 slot;
	bool commits;
	u32 upto, again;
};

enum answer_kind {
	ANSWER_NUMBER, /* heddle_choose(): part of what the program is tested with */
	ANSWER_RARE,   /* something happens for no reason */
	ANSWER_STALE,  /* in a graph: a read, or write, that is not of the newest */
};

/* A choice that is not who comes next. On store buffers each thread takes its answers in order, in
 * a graph an answer is for one step. */
struct schedule_answer {
	u16 slot;
	u16 from_slot; /* STALE: the write that is read, or comes before; from_step 0: the initial
			  one */
	u32 step, from_step;
	u32 taken;
	u8 kind; /* enum answer_kind */
};

struct schedule {
	u32 n, nanswers;
	u16 last; /* slot: who goes on when all has been followed */
	struct schedule_item *item;	/* [SCRIPT_ITEMS] */
	struct schedule_answer *answer;	/* [SCRIPT_ITEMS] */
};

void schedule_copy(struct schedule *to, const struct schedule *from);

/* What an execution costs its reader, the dearest first. */
struct schedule_cost {
	u32 rare;     /* things that happened for no reason */
	u32 relaxed;  /* loads that overtook a store, stores that overtook one; stale reads and
			 writes */
	u32 delayed;  /* stores that did not reach memory at once */
	u32 switches; /* from one thread to another */
	u32 steps;
};

bool schedule_cheaper(const struct schedule_cost *a, const struct schedule_cost *b);

/* --- following ------------------------------------------------------------------------------- */

#define SCRIPT_READS 8 /* so many reads are remembered to see that one is repeated */

struct schedule_thread {
	u32 steps, again;
	u32 answer; /* where to look for its next answer */
	u32 nreads;
	bool drains; /* it waits for its own buffer */
	struct {
		u64 addr, value;
	} read[SCRIPT_READS];
};

struct schedule_run {
	const struct schedule *script;
	u32 first;   /* items before it are done */
	u32 current; /* the one that is being done */
	u16 asking;  /* slot: who wants data */
	u32 *delayed; /* [SCRIPT_DELAYED]: hash of stores that have a commit in the script */
	u32 *used;    /* [SCRIPT_ITEMS]: where it is not empty */
	u32 nused, nthreads;
	struct schedule_thread thread[SCRIPT_THREADS];
};

#define SCRIPT_DELAYED (4 * SCRIPT_ITEMS)

/* Before an execution; r->delayed and r->used are there, zeroed at first. s: NULL for
 * script_extract(). */
void schedule_begin(struct schedule_run *r, const struct schedule *s);

/* An event that is no commit was made by the thread in this slot. Returns its number, 0: it does
 * not count. */
u32 schedule_event(struct schedule_run *r, u32 slot, const struct event *e);

/* Does the thread wait for its own buffer? */
void schedule_drains(struct schedule_run *r, u32 slot, bool drains);

/* Has the thread come as far? */
static inline bool script_reached(const struct schedule_run *r, const struct schedule_item *i)
{
	const struct schedule_thread *t = &r->thread[i->slot];

	return t->steps > i->upto || (t->steps == i->upto && t->again >= i->again);
}

/* Follows x->script. Its agents are those of plan_strategy.h, the event of a commit is the number
 * of its store. */
extern const struct strategy_ops strategy_schedule;

/* Append to s; what the same thread does next is one item. False: there is no more room. */
bool schedule_put(struct schedule *s, struct schedule_item item);

/* --- from an execution ----------------------------------------------------------------------- */

/*
 * The script of a recorded execution without its answers, and its cost (rare is left alone);
 * slot_of[] by thread, number[] has room for 2n + 2. False: it is too long for a script.
 */
bool script_extract(struct schedule *s, struct schedule_run *scratch, struct schedule_cost *cost,
	const struct event *e, u32 n, const u16 *slot_of, bool pso, u32 *number);

#endif
