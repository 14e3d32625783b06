/* SPDX-License-Identifier: ISC */
/* waits.c - synchronisation by conditions, semaphores and barriers (races.h). */
#include "races.h"

static int data, other;
static bool ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;

/* --- conditions ------------------------------------------------------------------------------- */

static void wait_for_ready(void)
{
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	USE(data); /* @wait_for_ready */
}

static void make_ready(void)
{
	data = 1; /* @make_ready */
	pthread_mutex_lock(&lock);
	ready = true;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
}

static void make_ready_too_early(void)
{
	pthread_mutex_lock(&lock);
	ready = true;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&lock);
	data = 1; /* @make_ready_too_early */
}

static void make_ready_unlocked(void)
{
	data = 1;
	ready = true; /* @make_ready_unlocked */
	pthread_cond_signal(&cond);
}

static void wait_timed(void)
{
	struct timespec t = {0, 1000};
	int error = 0;

	pthread_mutex_lock(&lock);
	while (!ready && !error)
		error = pthread_cond_timedwait(&cond, &lock, &t);
	if (ready)
		USE(data);
	pthread_mutex_unlock(&lock);
}

static void wait_timed_unchecked(void)
{
	struct timespec t = {0, 1000};

	pthread_mutex_lock(&lock);
	if (!ready)
		pthread_cond_timedwait(&cond, &lock, &t);
	pthread_mutex_unlock(&lock);
	USE(data); /* @wait_timed_unchecked */
}

static void look_ready(void)
{
	pthread_mutex_lock(&lock);
	while (!ready) /* @look_ready */
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
}

/* clean */
CASE(condition) { together(make_ready, wait_for_ready); }

/* race data @make_ready_too_early @wait_for_ready */
CASE(condition_too_early) { together(make_ready_too_early, wait_for_ready); }

/* race ready @make_ready_unlocked @look_ready */
CASE(condition_made_unlocked) { together(make_ready_unlocked, look_ready); }

/* clean */
CASE(condition_timed) { together(make_ready, wait_timed); }

/* race data @make_ready @wait_timed_unchecked */
CASE(condition_timed_unchecked) { together(make_ready, wait_timed_unchecked); }

/* --- semaphores ------------------------------------------------------------------------------- */

static void post_after(void)
{
	data = 1; /* @post_after */
	sem_post(&sem);
}

static void post_before(void)
{
	sem_post(&sem);
	data = 1; /* @post_before */
}

static void wait_post(void)
{
	sem_wait(&sem);
	USE(data); /* @wait_post */
}

static void try_post(void)
{
	if (!sem_trywait(&sem))
		USE(data); /* @try_post */
}

static void try_post_unchecked(void)
{
	sem_trywait(&sem);
	USE(data); /* @try_post_unchecked */
}

static void inside_semaphore(void)
{
	sem_wait(&sem);
	data++; /* @inside_semaphore */
	sem_post(&sem);
}

static void post_other(void)
{
	other = 1; /* @post_other */
	sem_post(&sem);
}

static void wait_one_of_two(void)
{
	sem_wait(&sem);
	USE(data); /* @wait_one_of_two */
}

/* clean */
CASE(semaphore)
{
	sem_init(&sem, 0, 0);
	together(post_after, wait_post);
}

/* race data @post_before @wait_post */
CASE(semaphore_too_early)
{
	sem_init(&sem, 0, 0);
	together(post_before, wait_post);
}

/* clean */
CASE(semaphore_tried)
{
	sem_init(&sem, 0, 0);
	together(post_after, try_post);
}

/* race data @post_after @try_post_unchecked */
CASE(semaphore_tried_unchecked)
{
	sem_init(&sem, 0, 0);
	together(post_after, try_post_unchecked);
}

/* clean */
CASE(semaphore_of_one)
{
	sem_init(&sem, 0, 1);
	together(inside_semaphore, inside_semaphore);
}

/* race data @inside_semaphore @inside_semaphore */
CASE(semaphore_of_two)
{
	sem_init(&sem, 0, 2);
	together(inside_semaphore, inside_semaphore);
}

/* race data @post_after @wait_one_of_two */
CASE(semaphore_posted_by_another)
{
	sem_init(&sem, 0, 0);
	three(post_after, post_other, wait_one_of_two);
}

/* --- barriers --------------------------------------------------------------------------------- */

static void barrier_write(void)
{
	data = 1; /* @barrier_write */
	pthread_barrier_wait(&barrier);
}

static void barrier_read(void)
{
	pthread_barrier_wait(&barrier);
	USE(data); /* @barrier_read */
}

static void barrier_read_before(void)
{
	USE(data); /* @barrier_read_before */
	pthread_barrier_wait(&barrier);
}

static void barrier_write_after(void)
{
	pthread_barrier_wait(&barrier);
	data = 1; /* @barrier_write_after */
}

static void barrier_one_writes(void)
{
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		data++;
}

/* clean */
CASE(barrier_between)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(barrier_write, barrier_read);
}

/* race data @barrier_write @barrier_read_before */
CASE(barrier_before)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(barrier_write, barrier_read_before);
}

/* race data @barrier_write_after @barrier_read */
CASE(barrier_after)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(barrier_write_after, barrier_read);
}

/* clean */
CASE(barrier_from_read_to_write)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(barrier_write_after, barrier_read_before);
}

/* clean: one of them is the serial thread */
CASE(barrier_serial_thread)
{
	pthread_barrier_init(&barrier, NULL, 2);
	together(barrier_one_writes, barrier_one_writes);
}
