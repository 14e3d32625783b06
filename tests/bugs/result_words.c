/* SPDX-License-Identifier: ISC */
/* A report says the results of once, barrier and semaphore in words.
 * report sc "once once: runs the function" "once once: the function has returned" "once once: already done"
 * report sc "barrier  (1 of 2)" "barrier  (2 of 2: the last)" "leave barrier barrier"
 * report sc "post semaphore sem: now 1" "wait for semaphore sem: 0 left" "wait for semaphore sem: 0, takes none"
 * report sc "wait for semaphore sem: 0, timed out"
 * verdict sc assertion noreorder
 * verdict rc11 assertion noreorder
 * options --strategy graph
 */
#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t sem;
static int calls;

static void called(void)
{
	calls++;
}

static void *thread(void *arg)
{
	pthread_once(&once, called);
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	struct timespec past = {0, 0};
	pthread_t t;

	sem_init(&sem, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t, NULL, thread, NULL);
	pthread_once(&once, called);
	pthread_barrier_wait(&barrier);
	pthread_join(t, NULL);
	sem_post(&sem);
	sem_wait(&sem);
	sem_trywait(&sem);
	sem_timedwait(&sem, &past);
	assert(calls == 2);
}
