/* SPDX-License-Identifier: ISC */
/* traces_priv.h - shared by the files of traces.h: steps, their accesses, schedules. */
#ifndef TRACES_TRACES_PRIV_H
#define TRACES_TRACES_PRIV_H

#include "trust/trust_priv.h"
#include "traces/traces.h"

#define TRACES_STEPS	2048	/* of a schedule */
#define TRACES_EVENTS	8192	/* of a schedule */
#define TRACES_ACCESSES (1 << 20) /* of the footprints that are kept */

/* How a step accesses a location: two commute if they do the same, other than to write it. */
enum access_mode {
	ACCESS_READ,
	ACCESS_SECTION, /* a section of this mutex */
	ACCESS_ADD,	/* an addition whose result is not used */
	ACCESS_POST,	/* of a semaphore */
	ACCESS_JOIN,	/* the threads that wait for a condition */
	ACCESS_WRITE,
};

struct traces_access {
	u16 loc; /* or ACCESS_THREAD + t: the beginning and the end of thread t */
	u16 mode;
};

#define ACCESS_THREAD 0xff00u

/* The locations that a step accesses: n of traces_priv.access, from first on. */
struct footprint {
	u32 first, n;
	u64 mask; /* of location % 64 */
};

/* A thread's next step. */
struct next {
	enum { NEXT_NOTHING, NEXT_READY, NEXT_WAITS } kind;
	u32 choices; /* LABEL_CHOOSE: numbers; else 1 */
	struct footprint foot;
};

/* A state of the schedule, and the step that leaves it. */
struct traces_frame {
	u64 ready;     /* threads */
	u64 backtrack; /* threads to explore here */
	u64 done;      /* those explored */
	u64 asleep;    /* asleep: fully explored before, until a dependent step */
	u32 events, accesses; /* numbers before the step */
	u32 choice;
	u16 thread, index; /* of the step; its number in its thread, 1 first */
	u16 clock[GRAPH_THREADS]; /* of the step: steps of each thread up to it */
	struct next next[GRAPH_THREADS];
};

struct traces_priv {
	u32 depth; /* number of frames before the current state */
	u32 naccesses;
	struct traces_frame frame[TRACES_STEPS + 1];
	struct traces_access access[TRACES_ACCESSES];
	/* of each event: */
	u16 hb[TRACES_EVENTS + 4][GRAPH_THREADS]; /* its causes: traces_order.c */
	u16 message[TRACES_EVENTS + 4][GRAPH_THREADS]; /* and before an acquiring read of it */
	u16 section[TRACES_EVENTS + 4];	/* the LOCK of its section, if that is one step; or 0 */
	u16 unlock[TRACES_EVENTS + 4];	/* LOCK: the end of its section, in the same step, or 0 */
	bool split[TRACES_EVENTS + 4];	/* an UNLOCK, of a section of several steps */
};

/* --- traces_step.c ---------------------------------------------------------------------------- */

/* Thread t performs a step, and its footprint is collected. False: refused, or see
 * trust->answer. */
bool step_perform(struct traces *x, u32 t, u32 choice, struct footprint *foot);

/* Thread t's next step in the current state. False: likewise. */
bool step_look(struct traces *x, u32 t, struct next *next);

/* The events above n are removed. */
void step_undo(struct traces *x, u32 n);

bool step_dependent(const struct traces *x, const struct footprint *a, const struct footprint *b);

/* Are they dependent not only by the beginning or end of a thread, so that their order could be
 * reversed? */
bool step_reversible(const struct traces *x, const struct footprint *a, const struct footprint *b);

extern const char traces_may_race[];

/* How does an operation access its location? e: its first event. */
enum access_mode step_mode(const struct traces *x, u32 e);

/* Is it an operation on an object with any of these traits? */
static inline bool label_has(const struct label *l, u32 traits)
{
	return l->type == LABEL_SYNC && object_op_has(l->op, traits);
}

/* Is it the lock of a mutex? */
static inline bool label_locks(const struct label *l)
{
	return l->type == LABEL_SYNC && object_op_locks(l->op);
}

static inline bool traces_refuse(struct traces *x, const char *why)
{
	x->refusal = why;
	return false;
}

/* --- traces_order.c --------------------------------------------------------------------------- */

/* The events from `first' on are a new step: compute their happens-before, and check for races.
 * False: refused. */
bool order_step(struct traces *x, u32 first);

#endif
