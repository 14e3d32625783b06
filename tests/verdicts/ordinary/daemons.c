/* SPDX-License-Identifier: ISC */
/* daemons.c - threads that are not joined and that wait, spin or work when the program ends. */
#include "ordinary.h"

#include <linux/futex.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
	pthread_mutex_t mutex, kept;
	pthread_rwlock_t rwlock;
	pthread_cond_t cond;
	pthread_barrier_t barrier;
	sem_t sem;
	atomic_int never, ticks;
	unsigned long turns[DAEMONS];
} d;

static void *waits(void *arg)
{
	pthread_mutex_lock(&d.mutex);
	while (!look(&d.never, memory_order_relaxed))
		pthread_cond_wait(&d.cond, &d.mutex);
	return arg;
}

static void *spins(void *arg)
{
	while (!look(&d.never, memory_order_acquire)) {
	}
	return arg;
}

static void *yields(void *arg)
{
	while (!look(&d.never, memory_order_acquire))
		sched_yield();
	return arg;
}

static void *sleeps(void *arg)
{
	while (!look(&d.never, memory_order_acquire))
		usleep(100);
	return arg;
}

static void *has_no_semaphore(void *arg)
{
	sem_wait(&d.sem);
	return arg;
}

static void *has_no_lock(void *arg)
{
	pthread_mutex_lock(&d.kept);
	return arg;
}

static void *has_no_rwlock(void *arg)
{
	pthread_rwlock_rdlock(&d.rwlock);
	return arg;
}

static void *meets_no_one(void *arg)
{
	pthread_barrier_wait(&d.barrier);
	return arg;
}

static void *works(void *arg)
{
	for (int i = 0; i < 2; i++)
		add(&d.ticks, 1, memory_order_relaxed);
	return arg;
}

static void *joins(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, has_no_semaphore, NULL);
	pthread_join(t, NULL);
	return arg;
}

static void *ends_first(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, waits, NULL);
	pthread_detach(t);
	return arg;
}

static void *pauses(void *arg)
{
	pause();
	return arg;
}

static void *waits_long(void *arg)
{
	struct timespec t = in(CLOCK_REALTIME, 1000000);

	pthread_mutex_lock(&d.mutex);
	pthread_cond_timedwait(&d.cond, &d.mutex, &t);
	pthread_mutex_unlock(&d.mutex);
	return arg;
}

static void *has_own_data(void *arg)
{
	_Thread_local static int mine;

	mine = 1 + add(&d.ticks, 1, memory_order_relaxed);
	check(mine > 0);
	sem_wait(&d.sem);
	return arg;
}

static void *counts(void *arg)
{
	while (!look(&d.never, memory_order_acquire))
		(*(unsigned long *)arg)++;
	return arg;
}

static void *waits_for_a_wake_up(void *arg)
{
	while (!look(&d.never, memory_order_acquire))
		syscall(SYS_futex, &d.never, FUTEX_WAIT, 0, NULL, NULL, 0);
	return arg;
}

static void *(*const kinds[])(void *) = {waits, spins, yields, sleeps, has_no_semaphore,
	has_no_lock, has_no_rwlock, meets_no_one, works, joins, ends_first, pauses, waits_long,
	has_own_data, counts, waits_for_a_wake_up};
const char *const daemon_name[] = {"waits", "spins", "yields", "sleeps", "has-no-semaphore",
	"has-no-lock", "has-no-rwlock", "meets-no-one", "works", "joins", "ends-first", "pauses",
	"waits-long", "has-own-data", "counts", "waits-for-a-wake-up"};
const unsigned daemon_kinds = sizeof kinds / sizeof *kinds;

void daemons_begin(const struct plan *p)
{
	pthread_mutex_init(&d.mutex, NULL);
	pthread_mutex_init(&d.kept, NULL);
	pthread_rwlock_init(&d.rwlock, NULL);
	pthread_cond_init(&d.cond, NULL);
	pthread_barrier_init(&d.barrier, NULL, 2 * DAEMONS);
	sem_init(&d.sem, 0, 0);
	pthread_mutex_lock(&d.kept);
	pthread_rwlock_wrlock(&d.rwlock);
	for (int i = 0; i < p->daemons; i++) {
		pthread_attr_t a;
		pthread_t t;

		pthread_attr_init(&a);
		pthread_attr_setdetachstate(&a,
			p->pick[4] >> i & 1 ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
		check(!pthread_create(&t, &a, kinds[p->daemon[i]], &d.turns[i]));
		pthread_attr_destroy(&a);
	}
}
