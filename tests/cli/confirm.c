/* SPDX-License-Identifier: ISC */
/*
 * confirm.c - a program whose threads share state unknown to an execution graph: that of differs(), compiled by plain
 * cc (-DTICKET), which the C library calls. T1's path if it sees f, and T2's path if it comes first, never occur
 * together.
 */
#ifdef TICKET
int differs(const void *a, const void *b)
{
	static int n;

	return n++;
}

#ifdef __x86_64__
long long clock_of_its_own(void)
{
	return (long long)__builtin_ia32_rdtsc();
}
#endif
#else
#include <assert.h>
#include <heddle/check.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <string.h>
int differs(const void *a, const void *b);
long long clock_of_its_own(void);

atomic_int f, order[4];
atomic_llong now;
int data[4];
static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER; /* by the thread that locks it */

/* 0 for the first call, 1 for the second one. */
static int ticket(void)
{
	size_t one = 1;
	int key = 0;

	return !lfind(&key, &key, &one, sizeof key, differs);
}

static void *t1(void *what)
{
	int seen = f;

	switch (*(char *)what) {
	case 'r':
		if (seen)
			data[ticket()] = 1;
		break;
	case 'd':
		if (seen && !ticket())
			pthread_mutex_lock(&kept);
		break;
	case 'o': order[ticket()] = 1; break;
	}
	return NULL;
}

static void *t2(void *what)
{
	switch (*(char *)what) {
	case 'r':
		f = 1;
		data[ticket()] = 2;
		break;
	case 'd':
		f = 1;
		if (!ticket())
			pthread_mutex_lock(&kept);
		break;
	case 'o':
		order[ticket()] = 2;
		f = 1;
		break;
#ifdef CLOCK
	case 'c':
		now = clock_of_its_own();
		f = 1;
		break;
#endif
	}
	return NULL;
}

static int test(void *what)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, t1, what);
	pthread_create(&t[1], NULL, t2, what);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(!strchr(what, 'x') || !f);
	return 0;
}

#ifdef SUITE
#include <CUnit/Basic.h>

static void race(void)
{
	test("r");
}

static void clean(void)
{
	test("-");
}

int main(void)
{
	CU_pSuite s;

	CU_initialize_registry();
	s = CU_add_suite("confirm", NULL, NULL);
	CU_add_test(s, "race", race);
	CU_add_test(s, "clean", clean);
	CU_basic_run_tests();
	CU_cleanup_registry();
	return 0;
}
#else
static void checked(void *what)
{
	test(what);
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return heddle_check(checked, argv[1], NULL, NULL);
	return test(argv[1]);
}
#endif
#endif
