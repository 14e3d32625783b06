/* SPDX-License-Identifier: ISC */
/*
 * trust_await.h - `lock; while (!p) cond_wait; ...; unlock' as an operation that waits for p.
 *
 * Idea.   A thread that takes the mutex, finds its predicate false, and waits for a condition
 *         changes nothing: without these steps the execution is still an execution. So its lock is
 *         not *ready* where the reads that follow, with the values there, lead to such a wait. The
 *         thread stays there until another section has made the predicate true.
 * When    between the lock and the wait there are only plain reads, and the wait leads back to
 *         where they began, in the same state (LABEL_WAITED, loop_state_has_waited()). This is
 *         tried in a graph of its own, once for each history of a thread.
 * Not     for a condition with waits of another kind: after a store, without a loop, with a time
 *         limit, with two mutexes; nor if a thread calls trylock on the mutex, which may fail
 *         because of a thread that found its predicate false. Then the search begins again, without
 *         the reduction for this condition (struct awaits).
 * Lost    wake-ups, and races of reads that find the predicate false, are left out by this:
 *         trust_wakeup.c looks for them at each leaf.
 * Leaves. Where no thread is enabled, those that are at such a lock take it, read, and wait, before
 *         the execution is reported.
 * After   Kokologiannakis, Marmanis, Vafeiadis: Unblocking dynamic partial order reduction, CAV
 *         2023, which does this for loops that await a value.
 */
#ifndef TRUST_TRUST_AWAIT_H
#define TRUST_TRUST_AWAIT_H

#include "trust/trust.h"
#include "object/object.h"

/* A lock: thread t at this node, where its predicate is read. */
struct await {
	u32 thread, node, lock; /* lock: the location */
	u32 before;		/* the thread's event before it that is no mark */
	/* of the last try: */
	u32 condition; /* the location that would be waited for; 0: none, it is ready */
	u32 nreads;
	u32 read[AWAIT_READS]; /* locations */
};

/* Thread t at the label of `node`, after event `last` or after marks that follow it. */
struct await await_of(const struct trust *x, u32 t, u32 node, u32 last);

/* Would it wait for a condition if it took the mutex after w, where the mutex is free? Also true
 * when unknown (x->answer). */
bool await_is_fruitless(struct trust *x, struct await *a, u32 w);

/* No reduction for waits on this condition (0: any): the search begins again. */
void await_leave_out(struct trust *x, u32 condition);

/* Is there none for waits on this condition, or with this mutex? */
bool await_is_left_out(const struct trust *x, u32 loc);

/* Thread t is about to perform l, an operation on an object. */
void await_notice(struct trust *x, const struct label *l);

/* Is the lock by thread t after `last`, of a mutex that is free after w, futile? */
static inline bool await_blocks(
	struct trust *x, const struct label *l, u32 t, u32 node, u32 last, u32 w)
{
	struct await a;

	if (likely(!x->awaiting) || !object_op_locks(l->op))
		return false;
	a = await_of(x, t, node, last);
	return await_is_fruitless(x, &a, w);
}

/* trust_wakeup.c: can this execution, with futile waits added, end with a thread asleep although
 * its predicate is true? Is one of its predicates written without its mutex? Then the condition is
 * excluded from the reduction, and the answer is false. */
bool await_leaf(struct trust *x);

#endif
