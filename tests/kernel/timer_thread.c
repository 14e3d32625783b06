/* SPDX-License-Identifier: ISC */
/* A timer that calls a function in a thread of its own. WRONG: what that counts is read without the lock.
 *
 * verdict rc11 ok -- --strategy graph --sleepers last
 * verdict tso ok -- --strategy graph --sleepers last
 * verdict -DWRONG rc11 race -- --strategy graph --sleepers last
 * verdict -DWRONG tso race -- --strategy graph --sleepers last
 */
#include "kernel.h"

#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t expired;
static int ticks;

static void on_tick(union sigval value)
{
	pthread_mutex_lock(&lock);
	ticks += value.sival_int;
	pthread_mutex_unlock(&lock);
	sem_post(&expired);
}

int main(void)
{
	struct sigevent notify = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_tick};
	struct itimerspec second = {.it_value.tv_sec = 1, .it_interval.tv_sec = 1};
	timer_t timer;

	notify.sigev_value.sival_int = 1;
	sem_init(&expired, 0, 0);
	assert(!timer_create(CLOCK_MONOTONIC, &notify, &timer));
	assert(!timer_settime(timer, 0, &second, NULL));
	sem_wait(&expired);
#ifdef WRONG
	sleep(2);
	assert(ticks > 0);
#else
	sem_wait(&expired);
	pthread_mutex_lock(&lock);
	assert(ticks >= 2);
	pthread_mutex_unlock(&lock);
#endif
	assert(!timer_delete(timer));
	return 0;
}
