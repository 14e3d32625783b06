/* SPDX-License-Identifier: ISC */
/*
 * cunit.c - CUnit tests, each explored separately: `heddle run --suite`.
 *
 * The program's main runs natively, fills CUnit's registry and calls CUnit to run its tests; these
 * calls come here. Tests are counted over all such calls, in the order of the registry. For the one
 * to explore (suite.h) the initialisation of its suite runs natively, then the test is explored,
 * with setup and teardown in every execution, then the suite is cleaned up and the process ends. No
 * other test is run, except with suite-before the preceding ones of its suite: natively, once each.
 *
 * A failed CU_ASSERT in any explored execution is a finding, at its line.
 */
#include "intercept/intercept.h"
#include "intercept/next.h"
#include "intercept/process/suite.h"
#include "process/coverage.h"

#include <CUnit/Automated.h>
#include <CUnit/Basic.h>
#include <CUnit/Console.h>
#include <CUnit/CUnit.h>

static struct cunit {
	bool running; /* current tests are ours, not CUnit's */
	CU_pSuite suite;
	CU_pTest test;
	jmp_buf *fatal; /* target of a failed fatal assertion, natively */
} cunit;

#define CUNIT(name) NEXT_FUNCTION(name, "CUnit")

/* --- assertions ------------------------------------------------------------------------------ */

INTERCEPT CU_BOOL CU_assertImplementation(CU_BOOL value, unsigned line, const char *condition,
	const char *file, const char *function, CU_BOOL fatal)
{
	if (machine_entered()) {
		if (!value)
			machine_fail(FINDING_ASSERTION, file, (int)line, function,
				"assertion `%s' failed", condition);
		return value;
	}
	if (!cunit.running)
		return CUNIT(CU_assertImplementation)(
			value, line, condition, file, function, fatal);
	if (!value && fatal && cunit.fatal)
		longjmp(*cunit.fatal, 1);
	return value;
}

INTERCEPT CU_pSuite CU_get_current_suite(void)
{
	return cunit.running ? cunit.suite : CUNIT(CU_get_current_suite)();
}

INTERCEPT CU_pTest CU_get_current_test(void)
{
	return cunit.running ? cunit.test : CUNIT(CU_get_current_test)();
}

INTERCEPT CU_BOOL CU_is_test_running(void)
{
	return cunit.running ? cunit.test != NULL : CUNIT(CU_is_test_running)();
}

/* --- a test ---------------------------------------------------------------------------------- */

static int run_test(void *unused)
{
	if (cunit.suite->pSetUpFunc)
		cunit.suite->pSetUpFunc();
	cunit.test->pTestFunc();
	if (cunit.suite->pTearDownFunc)
		cunit.suite->pTearDownFunc();
	return 0;
}

static void run_natively(CU_pTest test)
{
	jmp_buf here;

	cunit.test = test;
	cunit.fatal = &here;
	if (!setjmp(here))
		run_test(NULL);
	cunit.fatal = NULL;
}

static void clean_up(void)
{
	if (cunit.suite->pCleanupFunc && cunit.suite->pCleanupFunc())
		coverage_note("the suite's cleanup function returned an error");
}

static _Noreturn void explore_test(struct options *o, CU_pSuite suite, CU_pTest test)
{
	cunit.running = true;
	cunit.suite = suite;
	suite_name(o, suite->pName, test->pName);
	if (!suite->fActive || !test->fActive)
		suite_finish(TEST_INACTIVE, 0);
	if (suite->pInitializeFunc && suite->pInitializeFunc())
		suite_finish(TEST_UNINITIALISED, 1);
	for (CU_pTest t = suite->pTest; o->suite_before && t != test; t = t->pNext)
		if (t->fActive)
			run_natively(t);
	cunit.test = test;
	suite_explore(o, run_test, NULL, clean_up, __builtin_dwarf_cfa());
}

/* --- running tests --------------------------------------------------------------------------- */

/* All tests, of a suite, or one: NULL = all. */
static CU_ErrorCode run_tests(struct options *o, CU_pSuite suite, CU_pTest test)
{
	CU_pTestRegistry all = CUNIT(CU_get_registry)();

	if (!all)
		return CUE_NOREGISTRY;
	for (CU_pSuite s = suite ? suite : all->pSuite; s; s = suite ? NULL : s->pNext)
		for (CU_pTest t = test ? test : s->pTest; t; t = test ? NULL : t->pNext)
			if (suite_is_next(o))
				explore_test(o, s, t);
	return CUE_SUCCESS;
}

#define RUN(name, suite, test, ...) \
	do { \
		struct options *o = suite_options(); \
\
		return o ? run_tests(o, suite, test) : CUNIT(name)(__VA_ARGS__); \
	} while (0)

INTERCEPT CU_ErrorCode CU_run_all_tests(void)
{
	RUN(CU_run_all_tests, NULL, NULL);
}

INTERCEPT CU_ErrorCode CU_run_suite(CU_pSuite suite)
{
	RUN(CU_run_suite, suite, NULL, suite);
}

INTERCEPT CU_ErrorCode CU_run_test(CU_pSuite suite, CU_pTest test)
{
	RUN(CU_run_test, suite, test, suite, test);
}

INTERCEPT CU_ErrorCode CU_basic_run_tests(void)
{
	RUN(CU_basic_run_tests, NULL, NULL);
}

INTERCEPT CU_ErrorCode CU_basic_run_suite(CU_pSuite suite)
{
	RUN(CU_basic_run_suite, suite, NULL, suite);
}

INTERCEPT CU_ErrorCode CU_basic_run_test(CU_pSuite suite, CU_pTest test)
{
	RUN(CU_basic_run_test, suite, test, suite, test);
}

INTERCEPT void CU_automated_run_tests(void)
{
	struct options *o = suite_options();

	if (o)
		run_tests(o, NULL, NULL);
	else
		CUNIT(CU_automated_run_tests)();
}

INTERCEPT void CU_console_run_tests(void)
{
	struct options *o = suite_options();

	if (o)
		run_tests(o, NULL, NULL);
	else
		CUNIT(CU_console_run_tests)();
}
