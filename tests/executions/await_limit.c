/* SPDX-License-Identifier: ISC */
/* A thread waits for a flag, and counts its iterations up to a limit. How many there are below the
 * limit does not matter: they count as one, and the limit is reached by a load repeated.
 *
 * As in await_count.c there is 1 execution without a limit. -DRESULT: its result is whether there
 * were more iterations: 1, and 1 behind the limit. -DTRY: at the limit it raises a flag of its own:
 * 1, and 2 in which it has not seen the flag before: at the limit it does or not. -DGIVE_UP: at the
 * limit it leaves the loop: likewise. -DDOWN: likewise, the counter falls. Both have five looks an
 * iteration at -O2: any of the first five, or of the last five, or none sees the flag.
 * -DTWICE: two limits: 1, and 2 for each. -DTRYLOCK: it tries to take a lock that the other thread
 * takes and releases: before it, after it, or it fails each time.
 *
 * counts -O0 -DTRY -DLIMIT=1000 sc,tso,pso,ra,rc11 3
 * counts -O2 -DTRY -DLIMIT=1000000000 sc,tso,pso,ra,rc11 3
 * counts -O0 -DGIVE_UP -DLIMIT=1000 sc,tso,pso,ra,rc11 3
 * counts -O2 -DGIVE_UP -DLIMIT=1000 sc,tso,pso,ra,rc11 11
 * counts -O0 -DRESULT -DLIMIT=5 sc,tso,pso,ra,rc11 2
 * counts -O2 -DRESULT -DLIMIT=5 sc,tso,pso,ra,rc11 2
 * counts -O0 -DDOWN -DLIMIT=1000 sc,tso,pso,ra,rc11 3
 * counts -O2 -DDOWN -DLIMIT=1000 sc,tso,pso,ra,rc11 11
 * counts -O0 -DTWICE -DLIMIT=1000 sc,tso,pso,ra,rc11 5
 * counts -O2 -DTWICE -DLIMIT=1000 sc,tso,pso,ra,rc11 5
 * counts -O0 -DTRYLOCK -DLIMIT=1000 sc,tso,pso,ra,rc11 3
 * counts --gcc -O0 -DTRY -DLIMIT=1000 sc,tso,pso,ra,rc11 3
 * counts --gcc -O2 -DTRY -DLIMIT=1000000000 rc11 3
 * counts --gcc -O0 -DGIVE_UP -DLIMIT=1000 rc11 3
 * counts --gcc -O2 -DGIVE_UP -DLIMIT=1000 rc11 3
 * counts --gcc -O0 -DRESULT -DLIMIT=5 rc11 2
 * counts --gcc -O2 -DRESULT -DLIMIT=5 rc11 2
 * counts --gcc -O0 -DDOWN -DLIMIT=1000 rc11 3
 * counts --gcc -O2 -DDOWN -DLIMIT=1000 sc,rc11 3
 * counts --gcc -O0 -DTWICE -DLIMIT=1000 rc11 5
 * counts --gcc -O2 -DTWICE -DLIMIT=1000 rc11 5
 * counts --gcc -O0 -DTRYLOCK -DLIMIT=1000 rc11 3
 */
#include "counts.h"
#include <pthread.h>

#if defined(GIVE_UP) || defined(DOWN) /* as clang does for some processors */
#define UNROLLED _Pragma("clang loop unroll_count(5)")
#else
#define UNROLLED
#endif

atomic_int flag, raised;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

THREAD(wait)
{
#ifdef TRYLOCK
	for (int i = 0; i < LIMIT; i++)
		if (!pthread_mutex_trylock(&mutex)) {
			pthread_mutex_unlock(&mutex);
			break;
		}
#elif defined(DOWN)
	int n = LIMIT;

	UNROLLED while (!load(&flag, ACQ))
		if (--n == 0)
			return arg;
#else
	unsigned n = 0;

	UNROLLED while (!load(&flag, ACQ)) {
		n++;
#ifdef TRY
		if (n == LIMIT)
			store(&raised, 1, RLX);
#endif
#ifdef GIVE_UP
		if (n == LIMIT)
			return arg;
#endif
#ifdef TWICE
		if (n == LIMIT || n == 2 * LIMIT)
			store(&raised, 1, RLX);
#endif
	}
#endif
#ifdef RESULT
	return n > LIMIT ? (void *)&flag : NULL;
#endif
	return NULL;
}

THREAD(raise)
{
#ifdef TRYLOCK
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#endif
	store(&flag, 1, REL);
	return NULL;
}

int main(void)
{
	start(wait, 0);
	start(raise, 1);
	join_all(NULL);
	return 0;
}
