/* SPDX-License-Identifier: ISC */
/* trust_again.h - iterations of loops that restore the state: trust_again.c, trust_late.c. */
#ifndef TRUST_TRUST_AGAIN_H
#define TRUST_TRUST_AGAIN_H

#include "trust/trust.h"

/* --- trust_again.c ---------------------------------------------------------------------------- */

/* An iteration: the events of a thread from number `first` to `last`. */
struct trust_iteration {
	u32 thread, first, last;
};

static inline bool iteration_has(const struct trust_iteration *a, const struct gevent *e)
{
	return e->thread == a->thread && e->index >= a->first && e->index <= a->last;
}

/* The steps of the iteration that has brought thread t back to an earlier state; 0: none has. */
static inline u32 trust_again_of(const struct trust *x, u32 t)
{
	return graph_is_alive(&x->graph, t) ? x->cache.node[x->graph.thread[t].node].label.again
					    : 0;
}

/* The iteration of so many steps that ends with e. / Thread t's last one. */
struct trust_iteration trust_iteration_until(const struct graph *g, u32 e, u32 steps);
struct trust_iteration trust_last_iteration(const struct graph *g, u32 t, u32 steps);

/* The writes of an iteration to a location: the first and the last in co; all are halves of
 * RMWs. */
struct trust_written {
	u32 first, last;
	bool excl;
};

/* Those to the location of e, the iteration's last write there. */
struct trust_written trust_written_at(
	const struct graph *g, const struct trust_iteration *a, u32 e);
/* Do events before the first happen before readers of the last? */
bool trust_is_ordered(const struct graph *g, const struct trust_written *w);

/* trust_sum.c: are all writes to that location, from the first to the last of the iteration's,
 * additions, and is the sum of the iteration's 0? / Could the thread of the read r do otherwise if
 * iterations were left out whose sums it has read? */
bool trust_adds_up(
	const struct trust *x, const struct trust_iteration *a, const struct trust_written *w);
bool trust_minds(const struct trust *x, u32 r);

/* The events of other threads to which an iteration can matter. */
struct trust_seen {
	u32 before, without; /* not those that this event causes; 0: any */
	const u16 *clock; /* only events before number `from`, and of this clock; NULL: any */
	u32 from;
};

/* The first one to which the iteration matters; 0: none. */
u32 trust_observer(
	const struct trust *x, const struct trust_iteration *a, const struct trust_seen *seen);
/* Is e the first step after an iteration that restored the state? */
bool trust_is_again(const struct trust *x, u32 e);
/* trust_waits_again(): will it wait for ever, having read the newest writes? */
bool trust_polls_for_ever(struct trust *x, u32 t);
/* Events before `from` and those of the clock stay: join the clocks of the events for which their
 * threads have continued. False: without `from`, there are none. */
bool trust_close(const struct trust *x, u16 *clock, u32 from);

/* --- trust_late.c ----------------------------------------------------------------------------- */

#define TRUST_DEBTS 2 /* an execution */

/* Thread t is after an iteration that restores the state: note its writes. */
void trust_learn_polls(struct trust *x, u32 t);
/* May t begin its next iteration although the last one does not matter yet? */
bool trust_may_borrow(struct trust *x, u32 t);
/* A leaf: sets *how, its kind. False: begin again, x->answer. */
bool trust_late_leaf(struct trust *x, enum leaf *how);

/* --- trust_time.c ----------------------------------------------------------------------------- */

/* Has a signal arrived since t looked for them, at the beginning of the call in which it waits? In
 * another execution it has seen it: this one does not end so. */
bool trust_signal_came(const struct trust *x, u32 t);

#endif
