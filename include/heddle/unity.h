/* SPDX-License-Identifier: ISC */
/*
 * unity.h - tests of Unity (2.5 or newer) that are explored when Unity runs them.
 *
 *     #include <heddle/unity.h>		 and with it unity.h
 *
 *     HEDDLE_RUN_TEST(test_queue);		 instead of  RUN_TEST(test_queue);
 *
 * setUp() and tearDown() run before and after the exploration. A finding is a failure of that test;
 * its report goes to stderr. In the test, a failed TEST_ASSERT ends the execution, if it is in
 * the thread that runs the test (Unity's own rule); Unity's message is in the report, as output.
 *
 * Options come from HEDDLE_OPTIONS. Without the runtime the test runs once. C only.
 */
#ifndef HEDDLE_UNITY_H
#define HEDDLE_UNITY_H

#include <heddle/heddle.h>
#include <stdio.h>
#include <unity.h>

static UnityTestFunction heddle_unity_test;

static inline void heddle_unity_call(void *unused)
{
	(void)unused;
	if (TEST_PROTECT())
		heddle_unity_test();
	if (Unity.CurrentTestFailed && heddle_active())
		heddle_assert_failed("an assertion of Unity failed (see its output)",
			Unity.TestFile, (int)Unity.CurrentTestLineNumber, Unity.CurrentTestName);
}

static inline void heddle_unity_run(void)
{
	struct heddle_options options = {.name = Unity.CurrentTestName};
	struct heddle_result r;
	static char words[800];
	int code;

	if (!heddle_check_) {
		heddle_unity_test();
		return;
	}
	code = heddle_check(heddle_unity_call, NULL, &options, &r);
	if (code == 1)
		snprintf(words, sizeof words, "%s; heddle replay %s", r.message,
			r.replay ? r.replay : "");
	if (code == 2)
		snprintf(words, sizeof words, "the test cannot be explored");
	if (code == 1 || code == 2)
		UnityFail(words, Unity.CurrentTestLineNumber);
}

#define HEDDLE_RUN_TEST(fn)                                                                        \
	do {                                                                                       \
		heddle_unity_test = (fn);                                                          \
		UnityDefaultTestRun(heddle_unity_run, #fn, __LINE__);                              \
	} while (0)

#endif
