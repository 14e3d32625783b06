/* SPDX-License-Identifier: ISC */
/* A thread takes a lock and releases it, with nothing else, until another one says so. Its turns
 * matter to who sees the lock taken, or stores over it, and only to these.
 *
 * By default the other one stores over it: before, after or in between, where the release makes the
 * store vanish. -DLATE: a third thread sees the lock taken after it has seen that the loop is over,
 * as relaxed accesses and delayed stores allow.
 *
 * Under rc11 the relaxed lock orders nothing: who has it after a turn may know less than who has it
 * after none, so that a turn matters to all who look at the lock.
 *
 * counts sc,tso,pso,ra 1 assertion
 * counts -O0 sc,tso,pso,ra 1 assertion
 * counts -O2 sc 1 assertion
 * counts rc11 3 assertion
 * counts -DLATE sc,tso,ra 3
 * counts -DLATE pso 3 assertion
 * counts -DLATE rc11 5 assertion
 */
#include "counts.h"

atomic_int lock, stop, over;

THREAD(poll)
{
	(void)arg;
	while (!load(&stop, RLX))
		if (cas(&lock, 0, 1, RLX))
			store(&lock, 0, RLX);
	store(&over, 1, RLX);
	return NULL;
}

THREAD(look)
{
	int ended = load(&over, RLX), taken = load(&lock, RLX);

	(void)arg;
	assert(!ended || !taken);
	return NULL;
}

int main(void)
{
	start(poll, 0);
#ifdef LATE
	start(look, 0);
#else
	store(&lock, 5, RLX);
#endif
	store(&stop, 1, RLX);
	join_all(NULL);
#ifndef LATE
	assert(load(&lock, RLX) == 5);
#endif
	return 0;
}
