/* SPDX-License-Identifier: ISC */
/* A pool of WORKERS threads that wait for JOBS jobs or the end, and count what they have done. The
 * numbers are those of a model of the program: with the tests of a predicate that fail, and without
 * them, also up to the names of the threads; and with these, but sections ordered only if
 * their data conflict, and neither additions nor threads that begin to wait. (At -O1, clang makes two
 * branches of the test, and of its copy before the loop.)
 *
 * counts -O2 -DWORKERS=1 -DJOBS=1 sc,tso,pso,ra,rc11 2
 * counts -O0 -DWORKERS=2 -DJOBS=1 sc,rc11 8
 * counts -O2 -DWORKERS=2 -DJOBS=1 sc,rc11 8
 * counts -O1 -DWORKERS=2 -DJOBS=1 sc,rc11 8
 * counts -O1 -DWORKERS=2 -DJOBS=2 sc,rc11 60
 * counts -O2 -DWORKERS=2 -DJOBS=2 sc,tso,pso,ra,rc11 60
 * counts -O2 -DWORKERS=3 -DJOBS=1 sc,rc11 36
 * counts -O2 -DWORKERS=3 -DJOBS=2 sc,rc11 450
 * counts -O2 -DWORKERS=4 -DJOBS=1 sc,tso,pso,ra,rc11 192
 * counts -O2 -DWORKERS=4 -DJOBS=2 rc11 3360
 * counts-long -O2 -DWORKERS=4 -DJOBS=3 rc11 81984
 * counts-bench -O2 -DWORKERS=4 -DJOBS=4 rc11 2302272
 * counts-unreduced -O2 -DWORKERS=1 -DJOBS=1 sc,tso,pso,ra,rc11 6
 * counts-unreduced -O2 -DWORKERS=1 -DJOBS=2 sc,rc11 20
 * counts-unreduced -O2 -DWORKERS=2 -DJOBS=1 sc,tso,pso,ra,rc11 124
 * counts-unreduced -O2 -DWORKERS=2 -DJOBS=2 sc,rc11 2136
 * counts-unreduced -O2 -DWORKERS=3 -DJOBS=1 sc,rc11 3780
 * counts-symmetric -O2 -DALIKE -DWORKERS=2 -DJOBS=1 sc,rc11 4
 * counts-symmetric -O2 -DALIKE -DWORKERS=2 -DJOBS=2 sc,rc11 30
 * counts-symmetric -O2 -DALIKE -DWORKERS=3 -DJOBS=2 sc,tso,pso,ra,rc11 75
 * counts-symmetric -O2 -DALIKE -DWORKERS=4 -DJOBS=1 sc,rc11 8
 * counts-symmetric -O2 -DALIKE -DWORKERS=4 -DJOBS=2 rc11 140
 * counts-traces -O2 -DWORKERS=1 -DJOBS=1 sc,tso,pso,rc11 4
 * counts-traces -O2 -DWORKERS=2 -DJOBS=1 sc,rc11 38
 * counts-traces -O2 -DWORKERS=2 -DJOBS=2 sc,rc11 452
 * counts-traces -O2 -DWORKERS=3 -DJOBS=1 sc,rc11 267
 * counts-traces -O2 -DWORKERS=4 -DJOBS=1 rc11 1648
 */
#include "counts.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int jobs, stop;
atomic_int done;

static bool take(void)
{
	bool taken;

	pthread_mutex_lock(&mutex);
	while (!jobs && !stop)
		pthread_cond_wait(&changed, &mutex);
	taken = jobs;
	if (taken)
		jobs--;
	pthread_mutex_unlock(&mutex);
	return taken;
}

THREAD(worker)
{
	while (take())
		add(&done, 1, SC);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < WORKERS; i++)
		start(worker, i);
	for (int i = 0; i < JOBS; i++) {
		pthread_mutex_lock(&mutex);
		jobs++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	stop = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	join_all(NULL);
	assert(done == JOBS);
	return 0;
}
