/* SPDX-License-Identifier: ISC */
/*
 * ticket.c - a ticket lock. Known to be sufficient: acquire where it waits, release at the end.
 *
 * Its functions are in the code twice: a line's result is that of both.
 */
#include "relax.h"

static atomic_uint next, owner;
static int counter;

static inline __attribute__((always_inline)) void lock(void)
{
	unsigned mine = atomic_fetch_add_explicit(&next, 1, O(relaxed));

	while (atomic_load_explicit(&owner, O(acquire)) != mine)
		;
}

static inline __attribute__((always_inline)) void unlock(void)
{
	unsigned mine = atomic_load_explicit(&owner, O(relaxed));

	atomic_store_explicit(&owner, mine + 1, O(release));
}

static void *worker(void *arg)
{
	lock();
	counter++;
	unlock();
	return arg;
}

static void *other(void *arg)
{
	lock();
	counter += 2;
	unlock();
	return arg;
}

int main(void)
{
	RUN(worker, other, worker);
	assert(counter == 4);
}
