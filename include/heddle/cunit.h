/* SPDX-License-Identifier: ISC */
/*
 * cunit.h - CUnit tests that are explored when CUnit runs them.
 *
 *     #include <heddle/cunit.h>
 *
 *     HEDDLE_CU_ADD_TEST(suite, test_queue);	 instead of  CU_ADD_TEST(suite, test_queue);
 *
 * test_queue is a CU_TestFunc as before. A finding is a failure of that test, with the file and
 * line of the assertion that failed; its report goes to stderr, its replay file to the current
 * directory. In the test, a failed CU_ASSERT ends the execution. A setup function of the suite runs
 * before the exploration, a teardown after it.
 *
 * Options come from HEDDLE_OPTIONS, or with the test:
 *
 *     HEDDLE_CU_ADD_TEST_WITH(suite, "queue, pso", test_queue, "model=pso,time=5s");
 *
 * Both return what CU_add_test() returns: the test, or NULL (CU_get_error() says why).
 *
 * Without the runtime they add a plain test. (`heddle run --suite` needs none of this, and takes
 * precedence.) Not thread-safe, like CUnit. C and C++.
 */
#ifndef HEDDLE_CUNIT_H
#define HEDDLE_CUNIT_H

#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>

/* The function of each registered test: CUnit passes no argument to its tests. */
struct heddle_cu_test {
	struct heddle_cu_test *next;
	CU_pTest test;
	CU_TestFunc fn;
	const char *options;
};

static struct heddle_cu_test *heddle_cu_tests;

static inline void heddle_cu_call(void *test)
{
	((struct heddle_cu_test *)test)->fn();
}

static inline void heddle_cu_fail(const struct heddle_finding *f)
{
	char words[800];

	snprintf(words, sizeof words, "%s: %s%s%s", f->kind, f->message,
		f->replay ? "; heddle replay " : "", f->replay ? f->replay : "");
	CU_assertImplementation(
		CU_FALSE, (unsigned)f->line, words, f->file ? f->file : "", "", CU_FALSE);
}

static inline void heddle_cu_explore(struct heddle_cu_test *t)
{
	struct heddle_options options = {};
	struct heddle_result result;
	char name[200];
	int code;

	snprintf(name, sizeof name, "%s.%s", CU_get_current_suite()->pName, t->test->pName);
	options.options = t->options;
	options.name = name;
	code = heddle_check(heddle_cu_call, t, &options, &result);
	for (unsigned i = 0; i < result.findings; i++)
		heddle_cu_fail(&result.finding[i]);
	if (code == 2)
		CU_assertImplementation(
			CU_FALSE, 0, "the test cannot be explored", "", "", CU_FALSE);
	else if (code != 1)
		CU_assertImplementation(CU_TRUE, 0, "nothing found", "", "", CU_FALSE);
}

static inline void heddle_cu_run(void)
{
	struct heddle_cu_test *t = heddle_cu_tests;

	while (t && t->test != CU_get_current_test())
		t = t->next;
	if (!t)
		CU_assertImplementation(
			CU_FALSE, 0, "heddle/cunit.h: unknown test", "", "", CU_FALSE);
	else if (!heddle_check_ || heddle_active())
		t->fn();
	else
		heddle_cu_explore(t);
}

static inline CU_pTest heddle_cu_add(
	CU_pSuite suite, const char *name, CU_TestFunc fn, const char *options)
{
	struct heddle_cu_test *t = (struct heddle_cu_test *)malloc(sizeof *t);

	if (!t)
		return NULL;
	t->test = CU_add_test(suite, name, heddle_cu_run);
	t->fn = fn;
	t->options = options;
	t->next = heddle_cu_tests;
	heddle_cu_tests = t;
	return t->test;
}

#define HEDDLE_CU_ADD_TEST(suite, fn) heddle_cu_add(suite, #fn, fn, NULL)
#define HEDDLE_CU_ADD_TEST_WITH(suite, name, fn, options) heddle_cu_add(suite, name, fn, options)

#endif
