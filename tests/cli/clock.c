/* SPDX-License-Identifier: ISC */
/*
 * clock.c - programs that take long, each in its own way: -DLONG=...
 *
 * MANY executions; ONE execution, that computes for seconds; KERNEL: one that waits for ever in a
 * system call that is not intercepted; OUTSIDE: one that computes for ever in code of another compiler;
 * POLL: a loop that locks and reads; FAILS, after a computation, so that to minimise it takes long;
 * EARLY: before main(); CHECK: in heddle_check(); AGAIN fails, and where CLOCK_AGAIN is set, when
 * that is replayed, it first computes for ever; SUITE: a test of CUnit; DEAF: one that computes for
 * ever, and blocks all signals; STEPS: one of many steps, which fails; JUDGED: many
 * executions, with an outcome that sc forbids.
 */
#include <heddle/heddle.h>

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define MANY	1
#define ONE	2
#define KERNEL	3
#define OUTSIDE 4
#define POLL	5
#define FAILS	6
#define EARLY	7
#define CHECK	8
#define AGAIN	9
#define SUITE	10
#define DEAF	11
#define STEPS	12
#define JUDGED	13

void clock_wait(void);
void clock_compute(unsigned long turns);
void clock_deaf(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y, z;
static int done, a, b;

static void compute(unsigned long turns)
{
	for (volatile unsigned long i = 0; i < turns; i++)
		;
}

static void *first(void *arg)
{
	switch (LONG) {
	case ONE: compute(2000000000); break;
	case KERNEL: clock_wait(); break;
	case OUTSIDE: clock_compute(~0ul); break;
	case DEAF: clock_deaf(); break;
	case STEPS:
		for (int i = 0; i < 40000; i++)
			atomic_fetch_add(&x, 1);
		break;
	case POLL:
		pthread_mutex_lock(&lock);
		done = 1;
		pthread_mutex_unlock(&lock);
		break;
	case FAILS: compute(3000000); break;
	case AGAIN:
		if (getenv("CLOCK_AGAIN"))
			clock_compute(~0ul);
		break;
	default: break;
	}
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *second(void *arg)
{
	bool seen = LONG != POLL;

	while (!seen) {
		pthread_mutex_lock(&lock);
		seen = done;
		pthread_mutex_unlock(&lock);
		usleep(10);
	}
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

static void *count(void *arg)
{
	for (int i = 0; i < 3; i++) {
		atomic_fetch_add(LONG == JUDGED ? &z : &x, 1);
		atomic_store_explicit(LONG == JUDGED ? &z : &y, i, memory_order_relaxed);
	}
	return arg;
}

static void test(void *arg)
{
	pthread_t t[5];
	bool many = LONG == MANY || LONG == CHECK || LONG == SUITE;
	int n = many || LONG == JUDGED ? 5 : 2;

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, many || i > 1 ? count : i ? second : first, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	if (LONG == JUDGED)
		heddle_observe("seen", a + b);
	assert((LONG != FAILS && LONG != AGAIN) || a || b);
	assert(LONG != STEPS);
}

__attribute__((constructor)) static void early(void)
{
	while (LONG == EARLY)
		pause();
}

#if LONG == SUITE
#include <CUnit/Basic.h>

static void suite_test(void)
{
	test(NULL);
}

int main(void)
{
	CU_initialize_registry();
	CU_add_test(CU_add_suite("clock", NULL, NULL), "many", suite_test);
	CU_basic_run_tests();
	CU_cleanup_registry();
	return 0;
}
#else
int main(void)
{
	if (LONG == CHECK)
		return heddle_check(test, NULL,
			&(struct heddle_options){.strategy = "random", .time = 20}, NULL);
	test(NULL);
	return 0;
}
#endif
