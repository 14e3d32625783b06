/* SPDX-License-Identifier: ISC */
/*
 * libcheck.c - failed assertions of Check (0.15), which is a static library on Debian: heddle-cc
 * makes the linker redirect their calls here (--wrap). In an execution they are findings.
 */
#include "intercept/intercept.h"

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
