/* SPDX-License-Identifier: ISC */
/*
 * libcheck.c - Check (0.15), which is a static library on Debian: heddle-cc makes the linker
 * redirect some of its calls here (--wrap). A failed assertion in an execution is a finding, and so
 * is the end of a test that is to end by a signal, or with a status, and ends otherwise.
 */
#include "intercept/intercept.h"
#include "heap/stack_check.h"

_Noreturn void __wrap__ck_assert_failed(
	const char *file, int line, const char *expression, const char *message, ...);

/* Check's own; NULL: the program does not use Check. */
extern _Noreturn void __real__ck_assert_failed(const char *file, int line, const char *expression,
	const char *message, ...) __attribute__((weak));

INTERCEPT _Noreturn void __wrap__ck_assert_failed(
	const char *file, int line, const char *expression, const char *message, ...)
{
	char words[200] = "";
	va_list ap;

	if (message) {
		va_start(ap, message);
		vsnprintf(words, sizeof words, message, ap);
		va_end(ap);
	}
	if (machine_entered())
		machine_fail(FINDING_ASSERTION, file, line, NULL, "%s%s%s", expression,
			message ? ": " : "", words);
	if (message)
		__real__ck_assert_failed(file, line, expression, "%s", words);
	__real__ck_assert_failed(file, line, expression, NULL);
}

/* --- ends that tests expect ------------------------------------------------------------------- */

struct TTest { /* as in check.h */
	const char *name;
	void (*run)(int);
	const char *file;
	int line;
};

#define TESTS 1024

/* Those that do not just return. */
static struct expected {
	const struct TTest *test;
	int signal, status;
} expected[TESTS];
static unsigned nexpected;

void __wrap__tcase_add_test(
	void *to, const struct TTest *test, int signal, int status, int first, int end);
extern void __real__tcase_add_test(void *to, const struct TTest *test, int signal, int status,
	int first, int end) __attribute__((weak));

INTERCEPT void __wrap__tcase_add_test(
	void *to, const struct TTest *test, int signal, int status, int first, int end)
{
	if ((signal || status) && nexpected < TESTS)
		expected[nexpected++] = (struct expected){test, signal, status};
	__real__tcase_add_test(to, test, signal, status, first, end);
}

/* Check begins a test, in its process. It is not instrumented, and reads its variables directly. */
void __wrap_tcase_fn_start(const char *name, const char *file, int line);
extern void __real_tcase_fn_start(const char *name, const char *file, int line)
	__attribute__((weak));

INTERCEPT void __wrap_tcase_fn_start(const char *name, const char *file, int line)
{
	if (machine_entered())
		stack_check_foreign((u64)(uintptr_t)__builtin_frame_address(0));
	for (unsigned i = 0; i < nexpected && machine_entered(); i++) {
		const struct expected *e = &expected[i];

		if (e->test->line == line && !strcmp(e->test->name, name) &&
			!strcmp(e->test->file, file))
			machine_expect_end(e->signal, e->status);
	}
	__real_tcase_fn_start(name, file, line);
}
