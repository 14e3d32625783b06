/* SPDX-License-Identifier: ISC */
/*
 * mcs.c - the queue lock of Mellor-Crummey and Scott (1991).
 *
 * Oberhauser, Chehab et al. (VSync, ASPLOS 2021) weaken it to: acq_rel where a thread enqueues,
 * release where it links itself and where it passes the lock on, acquire where it waits.
 */
#include "relax.h"

struct node {
	_Atomic(struct node *) next;
	atomic_int locked;
};

static _Atomic(struct node *) tail;
static struct node node[3];
static int counter;

static void lock(struct node *me)
{
	struct node *before;

	atomic_store_explicit(&me->next, NULL, O(relaxed));
	atomic_store_explicit(&me->locked, 1, O(relaxed));
	before = atomic_exchange_explicit(&tail, me, O(acq_rel));
	if (!before)
		return;
	atomic_store_explicit(&before->next, me, O(release));
	while (atomic_load_explicit(&me->locked, O(acquire)))
		;
}

static void unlock(struct node *me)
{
	struct node *next = atomic_load_explicit(&me->next, O(acquire)), *expected = me;

	if (!next) {
		if (atomic_compare_exchange_strong_explicit(
			    &tail, &expected, NULL, O(release), O(relaxed)))
			return;
		while (!(next = atomic_load_explicit(&me->next, O(acquire))))
			;
	}
	atomic_store_explicit(&next->locked, 0, O(release));
}

static void *worker(void *arg)
{
	struct node *me = &node[(size_t)arg];

	lock(me);
	counter++;
	unlock(me);
	return arg;
}

int main(void)
{
	RUN(worker, worker, worker);
	assert(counter == 3);
}
