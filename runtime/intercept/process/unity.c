/* SPDX-License-Identifier: ISC */
/*
 * unity.c - tests of Unity (2.5), each explored separately: suite.h.
 *
 * Unity is compiled into the program, so heddle-cc makes the linker redirect the calls of RUN_TEST
 * here (--wrap). Unity itself counts the assertions that fail.
 */
#include "intercept/intercept.h"
#include "intercept/process/suite.h"

typedef void unity_test(void);

void __wrap_UnityDefaultTestRun(unity_test *test, const char *name, int line);

/* Unity's own; NULL: the program does not use Unity. */
extern void __real_UnityDefaultTestRun(unity_test *test, const char *name, int line)
	__attribute__((weak));
extern int UnityEnd(void) __attribute__((weak));

static struct unity {
	unity_test *test;
	const char *name;
	int line;
} unity;

static int run_unity_test(void *unused)
{
	__real_UnityDefaultTestRun(unity.test, unity.name, unity.line);
	if (UnityEnd())
		machine_fail(FINDING_ASSERTION, NULL, 0, NULL,
			"an assertion of Unity failed (see its output)");
	return 0;
}

INTERCEPT void __wrap_UnityDefaultTestRun(unity_test *test, const char *name, int line)
{
	struct options *o = suite_options();

	if (!o) {
		__real_UnityDefaultTestRun(test, name, line);
		return;
	}
	if (!suite_is_next(o))
		return;
	unity = (struct unity){test, name, line};
	suite_name(o, "", name);
	suite_explore(o, run_unity_test, NULL, NULL, __builtin_dwarf_cfa());
}
