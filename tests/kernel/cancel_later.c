/* SPDX-License-Identifier: ISC */
/* Threads that are cancelled while they wait: the main thread sleeps before each request. WRONG: one of them counts
 * what it has finished only after its wait.
 *
 * verdict rc11 ok complete -- --strategy graph --sleepers last
 * verdict tso ok -- --strategy random --executions 200 --sleepers last
 * verdict -DWRONG rc11 assertion -- --strategy graph --sleepers last
 * verdict -DWRONG sc assertion -- --strategy random --executions 200 --sleepers last
 */
#include "kernel.h"

#define CALLS 7

static int ends[2], ended;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void count(void *unused)
{
	ended++;
}

static void unlock(void *unused)
{
	pthread_mutex_unlock(&mutex);
}

static void wait_in(long call)
{
	struct pollfd p[2] = {{ends[0], POLLIN}, {ends[1], 0}};
	struct timespec late;
	char c;

	assert(!clock_gettime(CLOCK_REALTIME, &late));
	late.tv_sec += 60;
	switch (call) {
	case 0: read(ends[0], &c, 1); break;
	case 1: sem_wait(&semaphore); break;
	case 2: sem_timedwait(&semaphore, &late); break;
	case 3: poll(p, 2, -1); break;
	case 4: sleep(60); break;
	case 5: pause(); break;
	default:
		pthread_mutex_lock(&mutex);
		pthread_cleanup_push(unlock, NULL);
		while (!pthread_cond_timedwait(&condition, &mutex, &late))
			;
		pthread_cleanup_pop(1);
	}
}

static void *work(void *call)
{
#ifdef WRONG
	if (call == (void *)2) {
		wait_in(2);
		count(NULL);
		return call;
	}
#endif
	pthread_cleanup_push(count, NULL);
	wait_in((long)call);
	pthread_cleanup_pop(1);
	return call;
}

int main(void)
{
	void *result;
	pthread_t t;

	assert(!pipe(ends) && !sem_init(&semaphore, 0, 0));
	for (long call = 0; call < CALLS; call++) {
		t = start(work, (void *)call);
		usleep(1000);
		assert(!pthread_cancel(t) && !pthread_join(t, &result) && result == PTHREAD_CANCELED);
	}
	assert(ended == CALLS);
	return 0;
}
