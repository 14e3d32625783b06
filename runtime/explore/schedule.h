/* SPDX-License-Identifier: ISC */
/*
 * schedule.h - a schedule whose steps have names, so that it can be modified and still be followed.
 *
 * A choice "the second of three" changes its meaning with any earlier choice. This schedule is a
 * list of threads, each with the event up to which it runs, and of stores delayed in their buffers
 * until then; all others reach memory at once. An impossible item (the thread waits for a lock) is
 * postponed. So a schedule without one of its items leads to a similar execution: minimise.h relies
 * on that.
 *
 * The progress of a thread is the number of its events. Iterations of a spin loop would make that
 * depend on other threads, so repeated reads of the same value are not counted.
 */
#ifndef EXPLORE_SCHEDULE_H
#define EXPLORE_SCHEDULE_H

#include "event/event.h"
#include "explore/explore.h"

#define SCHEDULE_THREADS 512
#define SCHEDULE_ITEMS   16384 /* of longer executions there is no schedule */
#define SCHEDULE_STEPS   0x7fffu /* of a thread: the agent of a commit has 15 bits */

/* Thread `slot` runs until it has made `upto` events, and repeated `again` reads since; or its
 * store, event `upto`, reaches memory. */
struct schedule_item {
	u16 slot;
	bool commits;
	u32 upto, again;
};

enum answer_kind {
	ANSWER_NUMBER, /* heddle_choose(): part of the test's input */
	ANSWER_RARE,   /* a spurious event */
	ANSWER_STALE,  /* in a graph: a read of, or write before, not the newest write */
};

/* A data choice. On store buffers each thread takes its answers in order, in a graph an answer is
 * for one step. */
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
	u16 last; /* slot: the thread that continues after the last item */
	struct schedule_item *item;	/* [SCHEDULE_ITEMS] */
	struct schedule_answer *answer;	/* [SCHEDULE_ITEMS] */
};

/* Copy items and answers into the memory of *to. */
void schedule_copy(struct schedule *to, const struct schedule *from);

/* The cost of an execution to its reader: lexicographic, most significant first. */
struct schedule_cost {
	u32 rare;     /* spurious events */
	u32 relaxed;  /* loads that overtook a store, stores that overtook one; stale reads and
			 writes */
	u32 delayed;  /* stores that did not reach memory at once */
	u32 switches; /* from one thread to another */
	u32 steps;
};

/* Does a cost less than b? */
bool schedule_cheaper(const struct schedule_cost *a, const struct schedule_cost *b);

/* --- following ------------------------------------------------------------------------------- */

#define SCHEDULE_READS 8 /* reads remembered to recognise repeated ones */

struct schedule_thread {
	u32 steps, again;
	u32 answer; /* index of its next answer */
	u32 nreads;
	bool drains; /* waits for its own buffer */
	struct {
		u64 addr, value;
	} read[SCHEDULE_READS];
};

struct schedule_run {
	const struct schedule *schedule;
	u32 first;   /* earlier items are done */
	u32 current; /* the current item */
	u16 asking;  /* slot: the thread with a data choice */
	u32 *delayed; /* [SCHEDULE_DELAYED]: hash of stores that have a commit in the schedule */
	u32 *used;    /* [SCHEDULE_ITEMS]: its nonempty slots */
	u32 nused, nthreads;
	struct schedule_thread thread[SCHEDULE_THREADS];
};

#define SCHEDULE_DELAYED (4 * SCHEDULE_ITEMS)

/* Before an execution; r->delayed and r->used exist, initially zeroed. s: NULL for
 * schedule_extract(). */
void schedule_begin(struct schedule_run *r, const struct schedule *s);

/* The thread in this slot made an event, not a commit. Returns its number, 0: not counted. */
u32 schedule_event(struct schedule_run *r, u32 slot, const struct event *e);

/* Does the thread wait for its own buffer? */
void schedule_drains(struct schedule_run *r, u32 slot, bool drains);

/* Has the thread reached this event? */
static inline bool schedule_reached(const struct schedule_run *r, const struct schedule_item *i)
{
	const struct schedule_thread *t = &r->thread[i->slot];

	return t->steps > i->upto || (t->steps == i->upto && t->again >= i->again);
}

/* Follows x->schedule. Its agents are those of plan_strategy.h, the event of a commit is the number
 * of its store. */
extern const struct strategy_ops strategy_schedule;

/* Append to s; consecutive steps of a thread are one item. False: no more room. */
bool schedule_put(struct schedule *s, struct schedule_item item);

/* --- from an execution ----------------------------------------------------------------------- */

/*
 * The schedule of a recorded execution without its answers, and its cost (rare is left alone);
 * slot_of[] by thread, number[] has room for 2n + 2. False: it has more than SCHEDULE_ITEMS.
 */
bool schedule_extract(struct schedule *s, struct schedule_run *scratch, struct schedule_cost *cost,
	const struct event *e, u32 n, const u16 *slot_of, bool pso, u32 *number);

#endif
