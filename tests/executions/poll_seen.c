/* SPDX-License-Identifier: ISC */
/* A thread takes a lock and releases it, with nothing else, until another one says so. A third one
 * sees the lock taken after it has seen that the loop is over, as relaxed accesses and delayed
 * stores allow: an iteration is seen by a thread that waits for the end of the loop.
 *
 * Under rc11 the relaxed lock orders nothing: who has it after an iteration may know less than who
 * has it after none, so that an iteration matters to all who look at the lock.
 *
 * counts sc,tso,ra 3
 * counts pso 3 assertion
 * counts rc11 5 assertion
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
	start(look, 0);
	store(&stop, 1, RLX);
	join_all(NULL);
	return 0;
}
