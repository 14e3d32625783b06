/* SPDX-License-Identifier: ISC */
/* ticket.c - a ticket lock. Known to be enough: acquire where it waits, release where it hands on. */
#include "relax.h"

static atomic_uint next, owner;
static int counter;

static void lock(void)
{
	unsigned mine = atomic_fetch_add_explicit(&next, 1, O(relaxed));

	while (atomic_load_explicit(&owner, O(acquire)) != mine)
		;
}

static void unlock(void)
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

int main(void)
{
	RUN(worker, worker, worker);
	assert(counter == 3);
}
