/* SPDX-License-Identifier: ISC */
/* A thread takes a lock and releases it, with no other access, until stopped by another thread. A
 * third one sees the lock taken after it has seen the end of the loop, as relaxed accesses and
 * delayed stores allow: an iteration is observed by a thread that waits for the end of the loop.
 *
 * Under rc11 the relaxed lock orders nothing: a holder after an iteration may know less than one
 * after none, so an iteration matters to all threads that read the lock.
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
