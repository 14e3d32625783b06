/* SPDX-License-Identifier: ISC */
/* A thread waits for a flag, a second at most by the clock. Iterations that repeat themselves take
 * twice as long each as the one before (machine/wait/clock_wait.h): 23 until time is out, instead of a
 * million. The flag is seen in one of them, or by the last look, or never: 24. -DNEVER: it is never
 * set.
 *
 * -DTIME: by time(), -DDAY: by gettimeofday(). -DMUTEX: it looks under a lock. -DYIELD: it yields in
 * between.
 *
 * counts sc,tso,pso,ra,rc11 24
 * counts -O0 sc,rc11 24
 * counts -O2 sc,rc11 24
 * counts -DTIME sc,rc11 24
 * counts -DDAY -O0 sc,rc11 24
 * counts -DDAY -O2 sc,rc11 24
 * counts -DMUTEX sc,rc11 24
 * counts -DYIELD sc,rc11 24
 * counts -DNEVER sc,rc11 1
 */
#include "counts.h"

#include <sched.h>
#include <sys/time.h>
#include <time.h>

#ifdef MUTEX
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int flag;
#else
atomic_int flag;
#endif

static long long now(void)
{
#if defined(TIME)
	return 1000000ll * time(NULL);
#elif defined(DAY)
	struct timeval t;

	gettimeofday(&t, NULL);
	return 1000000ll * t.tv_sec + t.tv_usec;
#else
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1000000ll * t.tv_sec + t.tv_nsec / 1000;
#endif
}

static int is_set(void)
{
	int set;

#ifdef MUTEX
	pthread_mutex_lock(&lock);
	set = flag;
	pthread_mutex_unlock(&lock);
#else
	set = load(&flag, ACQ);
#endif
	return set;
}

THREAD(wait)
{
	long long begin = now();

	while (!is_set() && now() - begin < 1000000) {
#ifdef YIELD
		sched_yield();
#endif
	}
	RETURN(is_set(), 0, 0, 0);
}

THREAD(set)
{
#if defined(MUTEX)
	pthread_mutex_lock(&lock);
	flag = 1;
	pthread_mutex_unlock(&lock);
#elif !defined(NEVER)
	store(&flag, 1, REL);
#endif
	return NULL;
}

int main(void)
{
	void *result[2];

	start(wait, 0);
	start(set, 1);
	join_all(result);
#ifdef NEVER
	assert(!GET(result[0], 0));
#endif
	return 0;
}
