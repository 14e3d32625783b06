/* SPDX-License-Identifier: ISC */
/* N threads take a recursive mutex DEPTH times each: other threads can observe only the outermost
 * lock and unlock, N!. A thread that only tries (-DTRY) gets it before or after the other one, or
 * finds it taken: 3, at any depth. -DCHECK: an error-checking mutex; to lock it again is refused.
 *
 * counts -DN=2 -DDEPTH=1 sc,tso,pso,ra,rc11 2
 * counts -DN=2 -DDEPTH=3 sc,tso,pso,ra,rc11 2
 * counts -DN=3 -DDEPTH=2 sc,tso,pso,ra,rc11 6
 * counts -DN=1 -DDEPTH=1 -DTRY sc,tso,pso,ra,rc11 3
 * counts -DN=1 -DDEPTH=3 -DTRY sc,tso,pso,ra,rc11 3
 * counts -DN=3 -DDEPTH=1 -DCHECK sc,tso,pso,ra,rc11 6
 */
#include "counts.h"

#include <errno.h>

pthread_mutex_t mutex;
int counter;

THREAD(thread)
{
	for (int i = 0; i < DEPTH; i++)
		pthread_mutex_lock(&mutex);
#ifdef CHECK
	assert(pthread_mutex_lock(&mutex) == EDEADLK);
	assert(pthread_mutex_trylock(&mutex) == EBUSY);
#endif
	counter++;
	for (int i = 0; i < DEPTH; i++)
		pthread_mutex_unlock(&mutex);
#ifdef CHECK
	assert(pthread_mutex_unlock(&mutex) == EPERM);
#endif
	return NULL;
}

THREAD(attempt)
{
	if (!pthread_mutex_trylock(&mutex))
		pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
#ifdef CHECK
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
#else
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
#endif
	pthread_mutex_init(&mutex, &attr);
	start_many(thread, N);
#ifdef TRY
	start(attempt, 0);
#else
	(void)attempt;
#endif
	join_all(NULL);
	assert(counter == N);
	return 0;
}
