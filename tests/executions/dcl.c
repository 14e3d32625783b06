/* SPDX-License-Identifier: ISC */
/* Double-checked locking: read, lock, read again, create. N threads: k of them read before the
 * creation, and take the mutex in some order; the first of them creates. The sum over k >= 1 of
 * C(N,k) * k!.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 1
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=3 sc,tso,pso,ra,rc11 15
 * counts -DN=4 rc11 64
 */
#include "counts.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int made;
int thing;

THREAD(thread)
{
	if (!load(&made, ACQ)) {
		pthread_mutex_lock(&mutex);
		if (!load(&made, RLX)) {
			thing++;
			store(&made, 1, REL);
		}
		pthread_mutex_unlock(&mutex);
	}
	assert(thing == 1);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
