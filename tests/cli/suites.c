/* SPDX-License-Identifier: ISC */
/* suites.c - irregular suites, one given on the command line. */
#include <CUnit/Automated.h>
#include <CUnit/Basic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int state, x;
static pthread_t background;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void mark(const char *name)
{
	FILE *f = fopen("marks", "a");

	if (f) {
		fprintf(f, "%s\n", name);
		fclose(f);
	}
}

static int begin(void)
{
	mark("begin");
	state = 1;
	return 0;
}

static int end(void)
{
	mark("end");
	return 0;
}

static int cannot_begin(void)
{
	return 1;
}

static void fine(void)
{
	CU_PASS("");
}

/* --- tests that need others ------------------------------------------------------------------ */

static void open_it(void)
{
	CU_ASSERT_EQUAL(state, 1);
	state = 2;
}

static void use_it(void)
{
	CU_ASSERT_EQUAL(state, 2);
	CU_ASSERT_STRING_EQUAL(CU_get_current_test()->pName, "use");
	CU_ASSERT_STRING_EQUAL(CU_get_current_suite()->pName, "file");
	CU_ASSERT_TRUE(CU_is_test_running());
}

static void fails_fatally(void)
{
	CU_ASSERT_FATAL(state == 77);
	state = 2;
}

static void never(void)
{
	CU_ASSERT_EQUAL(state, 3);
}

/* --- what goes wrong ------------------------------------------------------------------------- */

static void crash(void)
{
	*(volatile int *)0 = 1;
}

static void leave(void)
{
	exit(0);
}

static void killed(void)
{
	syscall(231, 7); /* exit_group, not intercepted */
}

static void forks(void)
{
	if (!fork())
		_exit(0);
	wait(NULL);
}

static void *lock_ab(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

static void *lock_ba(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}

static void deadlock(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, lock_ab, NULL);
	pthread_create(&u, NULL, lock_ba, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

static void *add_many(void *arg)
{
	for (int i = 0; i < 20; i++)
		__atomic_fetch_add(&x, i, __ATOMIC_RELAXED);
	return NULL;
}

static void endless(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, add_many, NULL);
	pthread_create(&u, NULL, add_many, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
}

static void *idle(void *arg)
{
	pause();
	return NULL;
}

static int with_background(void)
{
	return pthread_create(&background, NULL, idle, NULL);
}

/* --- suites ---------------------------------------------------------------------------------- */

static void add(CU_pSuite s, const char *name, CU_TestFunc fn)
{
	if (!CU_add_test(s, name, fn))
		exit(99);
}

static void depending(void)
{
	CU_pSuite s = CU_add_suite("file", begin, end);

	add(s, "open", open_it);
	add(s, "use", use_it);
	add(s, "never", never);
	s = CU_add_suite("fatal", begin, NULL);
	add(s, "fails", fails_fatally);
	add(s, "after", open_it);
}

static void wrong(void)
{
	CU_pSuite s = CU_add_suite("wrong", NULL, NULL);

	add(s, "crash", crash);
	add(s, "exit", leave);
	add(s, "killed", killed);
	add(s, "deadlock", deadlock);
	add(s, "fine", fine);
}

static void refused(void)
{
	CU_pSuite s = CU_add_suite("refused", NULL, NULL);

	add(s, "forks", forks);
	add(s, "fine", fine);
	add(CU_add_suite("threads", with_background, NULL), "alone", fine);
}

static void endless_only(void)
{
	add(CU_add_suite("long", NULL, NULL), "endless", endless);
}

static void endless_four(void)
{
	CU_pSuite s = CU_add_suite("long", NULL, NULL);

	for (int i = 0; i < 4; i++)
		add(s, (const char *[]){"a", "b", "c", "d"}[i], endless);
}

static void inactive(void)
{
	CU_pSuite s = CU_add_suite("some", NULL, NULL), off = CU_add_suite("off", begin, NULL);

	add(s, "on", fine);
	add(s, "off", crash);
	add(off, "all", crash);
	CU_set_test_active(CU_get_test(s, "off"), CU_FALSE);
	CU_set_suite_active(off, CU_FALSE);
}

static void uninitialised(void)
{
	add(CU_add_suite("broken", cannot_begin, NULL), "never", fine);
	add(CU_add_suite("whole", NULL, NULL), "fine", fine);
}

static void one_by_one(void)
{
	CU_pSuite s = CU_add_suite("s", NULL, NULL), t = CU_add_suite("t", NULL, NULL);

	add(s, "one", fine);
	add(s, "two", fine);
	add(t, "three", fine);
	CU_basic_run_test(s, CU_get_test(s, "two"));
	CU_basic_run_suite(t);
	CU_run_suite(s);
	CU_run_test(t, CU_get_test(t, "three"));
	CU_run_all_tests();
	CU_automated_run_tests();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*fn)(void);
	} all[] = {
		{"depending", depending}, {"wrong", wrong}, {"refused", refused}, {"endless", endless_only},
		{"four", endless_four},
		{"inactive", inactive}, {"uninitialised", uninitialised}, {"one-by-one", one_by_one},
		{"empty", NULL},
	};

	if (argc < 2)
		return 3;
	CU_initialize_registry();
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strcmp(all[i].name, argv[1])) {
			if (all[i].fn)
				all[i].fn();
			if (all[i].fn != one_by_one && all[i].fn)
				CU_basic_run_tests();
		}
	CU_cleanup_registry();
	return 0;
}
