/* SPDX-License-Identifier: ISC */
/*
 * suite.c - an existing test suite: CUnit, 20 tests, written without Heddle. All pass when they
 * run. Two depend on the schedule: "counter: statistics" loses an update if the threads interleave,
 * "flag: handshake" needs store buffers that are empty in time.
 */
#include <CUnit/Basic.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void run_two(void *(*f)(void *), void *(*g)(void *), void *arg)
{
	pthread_t a, b;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&a, NULL, f, arg), 0);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&b, NULL, g, arg), 0);
	CU_ASSERT_EQUAL(pthread_join(a, NULL), 0);
	CU_ASSERT_EQUAL(pthread_join(b, NULL), 0);
}

/* --- counter --------------------------------------------------------------------------------- */

static atomic_int count;
static int guarded;
static pthread_mutex_t mutex;

static int counter_begins(void)
{
	return pthread_mutex_init(&mutex, NULL);
}

static int counter_ends(void)
{
	return pthread_mutex_destroy(&mutex);
}

static void *add(void *arg)
{
	atomic_fetch_add(&count, 1);
	return NULL;
}

static void counter_adds(void)
{
	run_two(add, add, NULL);
	CU_ASSERT_EQUAL(atomic_load(&count), 2);
}

static void *add_to_statistics(void *arg)
{
	atomic_store(&count, atomic_load(&count) + 1);
	return NULL;
}

static void counter_statistics(void)
{
	run_two(add_to_statistics, add_to_statistics, NULL);
	CU_ASSERT_EQUAL(atomic_load(&count), 2); /* @statistics */
}

static void *add_guarded(void *arg)
{
	pthread_mutex_lock(&mutex);
	guarded++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void counter_guarded(void)
{
	run_two(add_guarded, add_guarded, NULL);
	CU_ASSERT_EQUAL(guarded, 2);
}

static void *add_if_even(void *arg)
{
	int old = atomic_load(&count);

	while (old % 2 == 0 && !atomic_compare_exchange_weak(&count, &old, old + 1))
		;
	return NULL;
}

static void counter_conditional(void)
{
	run_two(add_if_even, add_if_even, NULL);
	CU_ASSERT_EQUAL(atomic_load(&count), 1);
}

static void counter_starts_at_zero(void)
{
	CU_ASSERT_EQUAL(atomic_load(&count), 0);
	CU_ASSERT_EQUAL(guarded, 0);
}

static void counter_reset(void)
{
	atomic_store(&count, 0);
	guarded = 0;
}

/* --- flag ------------------------------------------------------------------------------------ */

static atomic_int flags[2], seen[2], ready;
static int payload;

static int flag_begins(void)
{
	payload = 1;
	return 0;
}

static void *raise_first(void *arg)
{
	atomic_store_explicit(&flags[0], 1, memory_order_release);
	atomic_store(&seen[0], atomic_load_explicit(&flags[1], memory_order_acquire));
	return NULL;
}

static void *raise_second(void *arg)
{
	atomic_store_explicit(&flags[1], 1, memory_order_release);
	atomic_store(&seen[1], atomic_load_explicit(&flags[0], memory_order_acquire));
	return NULL;
}

static void flag_handshake(void)
{
	run_two(raise_first, raise_second, NULL);
	CU_ASSERT(atomic_load(&seen[0]) || atomic_load(&seen[1])); /* @handshake */
}

static void *raise_first_fenced(void *arg)
{
	atomic_store(&flags[0], 1);
	atomic_store(&seen[0], atomic_load(&flags[1]));
	return NULL;
}

static void *raise_second_fenced(void *arg)
{
	atomic_store(&flags[1], 1);
	atomic_store(&seen[1], atomic_load(&flags[0]));
	return NULL;
}

static void flag_handshake_fenced(void)
{
	run_two(raise_first_fenced, raise_second_fenced, NULL);
	CU_ASSERT(atomic_load(&seen[0]) || atomic_load(&seen[1]));
}

static void *publish(void *arg)
{
	payload = 42;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return NULL;
}

static void *receive(void *arg)
{
	if (atomic_load_explicit(&ready, memory_order_acquire))
		CU_ASSERT_EQUAL(payload, 42);
	return NULL;
}

static void flag_publish(void)
{
	CU_ASSERT_EQUAL(payload, 1);
	run_two(publish, receive, NULL);
	CU_ASSERT_EQUAL(payload, 42);
}

static void *wait_for_flag(void *arg)
{
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	CU_ASSERT_EQUAL(payload, 42);
	return NULL;
}

static void flag_wait(void)
{
	run_two(publish, wait_for_flag, NULL);
}

static void flag_reset(void)
{
	memset(flags, 0, sizeof flags);
	memset(seen, 0, sizeof seen);
	atomic_store(&ready, 0);
	payload = 1;
}

/* --- ring ------------------------------------------------------------------------------------ */

static struct ring {
	atomic_uint head, tail;
	int slot[4];
} *ring;

static int ring_begins(void)
{
	ring = calloc(1, sizeof *ring);
	return !ring;
}

static int ring_ends(void)
{
	free(ring);
	return 0;
}

static void ring_reset(void)
{
	memset(ring, 0, sizeof *ring);
}

static bool put(struct ring *r, int v)
{
	unsigned t = atomic_load_explicit(&r->tail, memory_order_relaxed);

	if (t - atomic_load_explicit(&r->head, memory_order_acquire) == 4)
		return false;
	r->slot[t % 4] = v;
	atomic_store_explicit(&r->tail, t + 1, memory_order_release);
	return true;
}

static bool get(struct ring *r, int *v)
{
	unsigned h = atomic_load_explicit(&r->head, memory_order_relaxed);

	if (h == atomic_load_explicit(&r->tail, memory_order_acquire))
		return false;
	*v = r->slot[h % 4];
	atomic_store_explicit(&r->head, h + 1, memory_order_release);
	return true;
}

static void ring_empty(void)
{
	int v;

	CU_ASSERT_FALSE(get(ring, &v));
}

static void ring_full(void)
{
	for (int i = 0; i < 4; i++)
		CU_ASSERT_TRUE(put(ring, i));
	CU_ASSERT_FALSE(put(ring, 4));
}

static void ring_in_order(void)
{
	int v = 0;

	put(ring, 7);
	put(ring, 8);
	CU_ASSERT(get(ring, &v) && v == 7);
	CU_ASSERT(get(ring, &v) && v == 8);
}

static void *produce(void *arg)
{
	CU_ASSERT_TRUE(put(arg, 1));
	CU_ASSERT_TRUE(put(arg, 2));
	return NULL;
}

static void *consume(void *arg)
{
	int v, last = 0;

	for (int i = 0; i < 3; i++)
		if (get(arg, &v)) {
			CU_ASSERT_EQUAL(v, last + 1);
			last = v;
		}
	return NULL;
}

static void ring_two_threads(void)
{
	run_two(produce, consume, ring);
	CU_ASSERT_EQUAL(atomic_load(&ring->tail), 2);
}

/* --- locks ----------------------------------------------------------------------------------- */

static atomic_uint next_ticket, serving;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t permits;
static int inside, made, shared;

static void *with_ticket(void *arg)
{
	unsigned mine = atomic_fetch_add(&next_ticket, 1);

	while (atomic_load(&serving) != mine)
		;
	CU_ASSERT_EQUAL(inside++, 0);
	inside--;
	atomic_store(&serving, mine + 1);
	return NULL;
}

static void lock_ticket(void)
{
	run_two(with_ticket, with_ticket, NULL);
}

static void *with_flag(void *arg)
{
	while (atomic_flag_test_and_set(&busy))
		;
	CU_ASSERT_EQUAL(inside++, 0);
	inside--;
	atomic_flag_clear(&busy);
	return NULL;
}

static void lock_flag(void)
{
	run_two(with_flag, with_flag, NULL);
}

static void *read_shared(void *arg)
{
	pthread_rwlock_rdlock(&rwlock);
	CU_ASSERT(shared == 0 || shared == 2);
	pthread_rwlock_unlock(&rwlock);
	return NULL;
}

static void *write_shared(void *arg)
{
	pthread_rwlock_wrlock(&rwlock);
	shared++;
	shared++;
	pthread_rwlock_unlock(&rwlock);
	return NULL;
}

static void lock_rwlock(void)
{
	run_two(read_shared, write_shared, NULL);
}

static void *wait_for_change(void *arg)
{
	pthread_mutex_lock(&monitor);
	while (!made)
		pthread_cond_wait(&changed, &monitor);
	pthread_mutex_unlock(&monitor);
	return NULL;
}

static void *change(void *arg)
{
	pthread_mutex_lock(&monitor);
	made = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&monitor);
	return NULL;
}

static void lock_condition(void)
{
	run_two(wait_for_change, change, NULL);
	CU_ASSERT_EQUAL(made, 1);
}

static void make(void)
{
	made++;
}

static void *make_once(void *arg)
{
	pthread_once(&once, make);
	CU_ASSERT_EQUAL(made, 1);
	return NULL;
}

static void lock_once(void)
{
	made = 0;
	run_two(make_once, make_once, NULL);
}

static void *meet(void *arg)
{
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		atomic_fetch_add(&count, 10);
	return NULL;
}

static void lock_barrier(void)
{
	atomic_store(&count, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	run_two(meet, meet, NULL);
	pthread_barrier_destroy(&barrier);
	CU_ASSERT_EQUAL(atomic_load(&count), 10);
}

static void *with_permit(void *arg)
{
	sem_wait(&permits);
	CU_ASSERT_EQUAL(inside++, 0);
	inside--;
	sem_post(&permits);
	return NULL;
}

static void lock_semaphore(void)
{
	CU_ASSERT_EQUAL_FATAL(sem_init(&permits, 0, 1), 0);
	run_two(with_permit, with_permit, NULL);
	sem_destroy(&permits);
}

/* --- all ------------------------------------------------------------------------------------- */

static CU_TestInfo counter_tests[] = {
	{"adds", counter_adds},
	{"statistics", counter_statistics},
	{"guarded", counter_guarded},
	{"conditional", counter_conditional},
	{"starts at zero", counter_starts_at_zero},
	CU_TEST_INFO_NULL,
};

static CU_TestInfo flag_tests[] = {
	{"handshake", flag_handshake},
	{"handshake, fenced", flag_handshake_fenced},
	{"publish", flag_publish},
	{"wait", flag_wait},
	CU_TEST_INFO_NULL,
};

static CU_TestInfo ring_tests[] = {
	{"empty", ring_empty},
	{"full", ring_full},
	{"in order", ring_in_order},
	{"two threads", ring_two_threads},
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{"counter", counter_begins, counter_ends, counter_reset, counter_reset, counter_tests},
	{"flag", flag_begins, NULL, flag_reset, NULL, flag_tests},
	{"ring", ring_begins, ring_ends, ring_reset, NULL, ring_tests},
	CU_SUITE_INFO_NULL,
};

int main(void)
{
	CU_pSuite lock;
	unsigned failures;

	if (CU_initialize_registry() || CU_register_suites(suites))
		return CU_get_error();
	lock = CU_add_suite("lock", NULL, NULL);
	CU_add_test(lock, "ticket", lock_ticket);
	CU_add_test(lock, "flag", lock_flag);
	CU_add_test(lock, "rwlock", lock_rwlock);
	CU_add_test(lock, "condition", lock_condition);
	CU_add_test(lock, "once", lock_once);
	CU_add_test(lock, "barrier", lock_barrier);
	CU_add_test(lock, "semaphore", lock_semaphore);
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	failures = CU_get_number_of_failures();
	CU_cleanup_registry();
	return failures != 0;
}
