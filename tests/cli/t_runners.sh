# SPDX-License-Identifier: ISC
# t_runners.sh - heddle run --suite on programs of frameworks other than CUnit, unchanged.
. "$(dirname "$0")/lib.sh"

# both_tests TITLE PROGRAM FIRST SECOND: of two tests the second fails, and its file replays that.
both_tests() {
	t "$1" 1 "$heddle" run --suite "./$2"
	has "$1: passes" out "^ok      $3  .* complete$"
	has "$1: fails" out "^FAILED  $4  .*\($2\.[a-z_0-9.]*\.heddle\)$"
	has "$1: the last line" out '^heddle: 2 tests, 1 ok, 1 failed'
	t "$1: replay" 1 "$heddle" replay "$(sed -n 's/^FAILED.*(\(.*\))$/\1/p' out)"
}

# Frameworks that run one test when they are asked: every row of runner.def. Arguments of runner(): the framework, its
# symbol, a prefix of names, the arguments for the list, a line of the list, the arguments before a name, a suite.
runner() {
	build -w "-DSYMBOL=$2" "-DPREFIX=\"$3\"" "-DLIST=\"$4\"" "-DLINE=\"$5\"" "-DBEFORE=\"$6\"" -o runner "$here/runner.c"
	both_tests "$1" runner "$7stores" "$7sees_one"
	t "$1: --list" 0 "$heddle" run --suite --list ./runner
	printf '%s\n' "$3stores" "$3sees_one" >want
	same "$1: --list" want out
	t "$1: --test" 0 "$heddle" run --suite --test 'st*' ./runner
	has "$1: --test" out '^heddle: 1 test, 1 ok, 0 failed'
}
runner GLib g_test_run /q/ -l %s "-p " "q: "
runner acutest acutest_check_ "" --list "  %s" "--no-exec --no-summary " ""
runner "acutest before 1.2" test_check_ "" --list "  %s" "--no-exec --no-summary " ""
runner tinytest tinytest_main q/ --list-tests "    %s" "--no-fork " "q: "
runner munit munit_suite_main /q/ --list %s "--no-fork --show-stderr " "q: "
runner greatest greatest_set_test_filter "" -l "  %s" "-e -t " ""
runner libuv run_test_part "" --list %s "%s " ""
runner ABTS abts_run_test "" -l %s "" ""
# The ninth is heddle generate: t_generate.sh.
[ "$(grep -c '^RUNNER(' "$here/../../tools/suite/runner.def")" = 9 ] && pass "every framework" || fail "every framework" ""

# A process for each test.
build -o forks "$here/forks.c"
t "forks" 1 "$heddle" run --suite ./forks
has "forks: passes" out '^ok      process 1  .* complete$'
has "forks: fails" out "^FAILED  process 2  .*assertion .count == 2' failed, .*forks.c:$(grep -n '@loses' "$here/forks.c" | cut -d: -f1) "
has "forks: the runner's variables" out '^ok      process 3  .* complete$'
t "forks: replay" 1 "$heddle" replay forks.process_2.heddle
for options in "--model tso --strategy dfs" "--model sc --strategy random --executions 200"; do
	# shellcheck disable=SC2086
	t "forks, $options" 1 "$heddle" run --suite $options --test 'process 2' ./forks
done
t "forks: --list" 0 "$heddle" run --suite --list ./forks
printf 'process %d\n' 1 2 3 >want
same "forks: --list" want out
t "forks in a child" 1 "$heddle" run --suite ./forks again
has "forks in a child" out '^ok      process 4  .* complete$'
t "without --suite" 0 "$heddle" run ./forks
has "without --suite" out '^note: forked processes are not explored: .heddle run --suite. explores those of a test runner'

if [ -e /usr/include/check.h ]; then
	cat >unchanged.c <<'EOT'
#include <check.h>
#include <pthread.h>
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *locked)
{
	int seen;

	pthread_mutex_lock(&lock);
	seen = count;
	if (!locked) {
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
	}
	count = seen + 1;
	pthread_mutex_unlock(&lock);
	return locked;
}
static void twice(void *locked)
{
	pthread_t t;

	pthread_create(&t, NULL, add, locked);
	add(locked);
	pthread_join(t, NULL);
}
START_TEST(adds)
{
	twice("");
	ck_assert_int_eq(count, 2);
}
END_TEST
START_TEST(loses)
{
	twice(NULL);
	ck_assert_msg(count == 2, "the sum is %d", count);
}
END_TEST
int main(void)
{
	Suite *s = suite_create("suite");
	TCase *tc = tcase_create("case");
	SRunner *r = srunner_create(s);

	tcase_add_test(tc, adds);
	tcase_add_test(tc, loses);
	suite_add_tcase(s, tc);
	srunner_run_all(r, CK_NORMAL);
	srunner_free(r);
	return 0;
}
EOT
	build -w -o unchanged unchanged.c -lcheck -lsubunit -lrt -lm
	both_tests "Check" unchanged "process 1" "process 2"
	t "Check: the assertion" 1 "$heddle" run --suite ./unchanged
	has "Check: the assertion" out "^FAILED  process 2 .*'count == 2' failed: the sum is 1, unchanged.c:36 "
	cat >ends.c <<'EOT'
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;
static void *set(void *arg)
{
	x = 1;
	return arg;
}
static void begin(void)
{
	pthread_t t;

	pthread_create(&t, NULL, set, NULL);
	pthread_detach(t);
}
START_TEST(exits) { begin(); exit(3); } END_TEST
START_TEST(exits_sometimes) { begin(); if (x) exit(3); } END_TEST
START_TEST(exits_otherwise) { begin(); exit(3 + x); } END_TEST
START_TEST(aborts) { begin(); abort(); } END_TEST
START_TEST(crashes) { begin(); *(volatile int *)NULL = x; } END_TEST
START_TEST(crashes_sometimes) { begin(); if (!x) *(volatile int *)NULL = 1; } END_TEST
START_TEST(aborts_instead) { begin(); abort(); } END_TEST
START_TEST(asserts) { begin(); ck_assert(x == 2); abort(); } END_TEST
START_TEST(returns) { begin(); } END_TEST
int main(void)
{
	Suite *s = suite_create("suite");
	TCase *tc = tcase_create("case");
	SRunner *r = srunner_create(s);

	tcase_add_exit_test(tc, exits, 3);
	tcase_add_exit_test(tc, exits_sometimes, 3);
	tcase_add_exit_test(tc, exits_otherwise, 3);
	tcase_add_test_raise_signal(tc, aborts, SIGABRT);
	tcase_add_test_raise_signal(tc, crashes, SIGSEGV);
	tcase_add_test_raise_signal(tc, crashes_sometimes, SIGSEGV);
	tcase_add_test_raise_signal(tc, aborts_instead, SIGSEGV);
	tcase_add_test_raise_signal(tc, asserts, SIGABRT);
	tcase_add_test(tc, returns);
	suite_add_tcase(s, tc);
	srunner_run_all(r, CK_NORMAL);
	srunner_free(r);
	return 0;
}
EOT
	build -w -o ends ends.c -lcheck -lsubunit -lrt -lm
	# libcheck, which is not instrumented, goes on after a test that returns: dfs is bounded there.
	for options in "" "--model tso --strategy dfs"; do
		returns="ok 9 complete"
		[ -z "$options" ] || returns="cut 9 not complete: calls of code that is not instrumented empty the store buffer"
		# shellcheck disable=SC2086
		t "Check: ends $options" 1 "$heddle" run --suite $options ./ends
		sed -nE 's/^(ok|FAILED|cut) +process ([0-9]) +/\1 \2 /p' out | sed -E 's/ [0-9]+ executions?, / /; s/(, ends.c.*)? \(.*//' >got
		cat >want <<-EOT
			ok 1 complete
			FAILED 2 exit status 0, not 3
			FAILED 3 exit status 4, not 3
			ok 4 complete
			ok 5 complete
			FAILED 6 exit status 0, not signal 11
			FAILED 7 abort() was called
			FAILED 8 Assertion 'x == 2' failed
			$returns
		EOT
		same "Check: ends $options" want got
	done
else
	echo "ok - Check # SKIP no check"
fi

if [ -e /usr/include/cmocka.h ]; then
	cat >group.c <<'EOT'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static int one = 1;
static int begin(void **state)
{
	*state = &one;
	return 0;
}
static int end(void **state)
{
	puts("ends");
	return 0;
}
static int cannot_begin(void **state)
{
	return -1;
}
static void *add(void *by)
{
	count += *(int *)by;
	return by;
}
static void adds(void **state)
{
	pthread_t t;

	pthread_create(&t, NULL, add, *state);
	add(*state);
	pthread_join(t, NULL);
	assert_int_equal(count, 2);
}
static void *lose(void *arg)
{
	count = count + 1;
	return arg;
}
static void loses(void **state)
{
	pthread_t t;

	pthread_create(&t, NULL, lose, NULL);
	lose(NULL);
	pthread_join(t, NULL);
	assert_int_equal(count, 2); /* @here */
}
static void skips(void **state)
{
	skip();
	count = count / 0;
}
static void *keep(void *arg)
{
	if (atomic_fetch_add(&count, 1) == 1)
		*(void **)arg = test_malloc(8); /* @kept */
	return arg;
}
static void keeps(void **state)
{
	void *block = NULL, *freed = test_calloc(1, 8);
	pthread_t t;

	pthread_create(&t, NULL, keep, &block);
	keep(&(void *){NULL});
	pthread_join(t, NULL);
	test_free(test_realloc(freed, 16));
}
static void frees(void **state)
{
	void *block = NULL;

	count = 1;
	keep(&block);
	test_free(block);
}
int main(void)
{
	const struct CMUnitTest first[] = {cmocka_unit_test_setup_teardown(adds, begin, end), cmocka_unit_test(loses),
	                                    cmocka_unit_test(keeps), cmocka_unit_test(frees)};
	const struct CMUnitTest second[] = {cmocka_unit_test(skips), cmocka_unit_test_setup(adds, cannot_begin)};

	return cmocka_run_group_tests_name("first", first, NULL, NULL) +
	       cmocka_run_group_tests_name("second", second, begin, end);
}
EOT
	build -w -o group group.c -lcmocka
	t "cmocka" 1 "$heddle" run --suite ./group
	has "cmocka: passes, with a fixture" out '^ok      first: adds  .* complete$'
	has "cmocka: fails" out "^FAILED  first: loses  .*an assertion of cmocka failed .*, group.c:$(grep -n @here group.c | cut -d: -f1) "
	has "cmocka: keeps a block" out "^FAILED  first: keeps  .*test_malloc\(\) is not freed .*, group.c:$(grep -n @kept group.c | cut -d: -f1) "
	has "cmocka: frees it" out '^ok      first: frees  .* complete$'
	has "cmocka: skips" out '^-       second: skips  .* skipped$'
	has "cmocka: the last line" out '^heddle: 5 tests, 2 ok, 3 failed, 1 skipped'
	has "cmocka: cannot begin" out '^FAILED  second: adds  .*initialisation of its suite failed'
	t "cmocka: replay" 1 "$heddle" replay group.first.loses.heddle
	t "cmocka: --list" 0 "$heddle" run --suite --list ./group
	printf '%s\n' 'first: adds' 'first: loses' 'first: keeps' 'first: frees' 'second: skips' 'second: adds' >want
	same "cmocka: --list" want out
else
	echo "ok - cmocka # SKIP no libcmocka-dev"
fi

# Unity, as its macros call it: it counts the failures, and its end returns their number.
cat >unity.c <<'EOT'
int failures;
void UnityDefaultTestRun(void (*test)(void), const char *name, int line)
{
	test();
}
int UnityEnd(void)
{
	return failures;
}
EOT
cat >tests.c <<'EOT'
#include <pthread.h>
#include <stdatomic.h>
extern int failures;
void UnityDefaultTestRun(void (*test)(void), const char *name, int line);
int UnityEnd(void);
static atomic_int count;
static void *add(void *arg)
{
	count++;
	return arg;
}
static void *lose(void *arg)
{
	count = count + 1;
	return arg;
}
static void twice(void *thread(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	thread(NULL);
	pthread_join(t, NULL);
	failures += count != 2;
}
static void adds(void)
{
	twice(add);
}
static void loses(void)
{
	twice(lose);
}
int main(void)
{
	UnityDefaultTestRun(adds, "adds", __LINE__);
	UnityDefaultTestRun(loses, "loses", __LINE__);
	return UnityEnd();
}
EOT
build -w -o both tests.c unity.c
both_tests "Unity" both adds loses

refused "--list alone" "--list needs --suite" "$heddle" run --list ./forks
printf 'int main(void) { return 0; }\n' >none.c
build -o none none.c
refused "no framework" "no test found: .*heddle help suites.*forks no process" "$heddle" run --suite ./none
build -w -DSYMBOL=abts_run_test '-DPREFIX=""' '-DLIST="x"' '-DLINE="%s"' '-DBEFORE=""' -o runner "$here/runner.c"
refused "no list" "lists no test with -l, as programs with ABTS do" "$heddle" run --suite ./runner
finish
