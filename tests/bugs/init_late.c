/* SPDX-License-Identifier: ISC */
/* A mutex that is initialised while another thread may use it already. -DTWICE: again; -DCOND: a condition.
 *
 * verdict rc11 misuse -- --strategy graph
 * verdict sc misuse -- --strategy graph
 * report rc11 "use of an object before its initialisation"
 * report sc "initialisation of a mutex that T1 has locked"
 * verdict -DTWICE rc11 misuse -- --strategy graph
 * verdict -DTWICE ra misuse -- --strategy random
 * report -DTWICE rc11 "initialisation of a mutex that T1 has locked"
 * report -DTWICE ra "initialisation of a mutex that T1 has locked"
 * verdict -DTWICE -DDESTROY rc11 misuse -- --strategy graph
 * report -DTWICE -DDESTROY rc11 "lock of a mutex that has been destroyed"
 * verdict -DTWICE -DCOND rc11 misuse -- --strategy graph
 * verdict -DTWICE -DCOND sc misuse -- --strategy graph
 * report -DTWICE -DCOND rc11 "initialisation of a condition that a thread waits on"
 * report -DTWICE -DCOND sc "initialisation of a condition that a thread waits on"
 * verdict -DCOND rc11 misuse -- --strategy graph
 * report -DCOND rc11 "use of an object before its initialisation"
 */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static bool go;

static void init(void)
{
#ifdef COND
	pthread_cond_init(&c, NULL);
#else
	pthread_mutex_init(&m, NULL);
#endif
}

static void *use(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
#ifdef COND
	pthread_mutex_lock(&lock);
	while (!go)
		pthread_cond_wait(&c, &lock);
	pthread_mutex_unlock(&lock);
#endif
	return arg;
}

int main(void)
{
	pthread_t t;

#ifdef TWICE
	init();
#endif
#ifdef DESTROY
	pthread_mutex_destroy(&m);
#endif
	pthread_create(&t, NULL, use, NULL);
	init();
	pthread_mutex_lock(&lock);
	go = true;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
