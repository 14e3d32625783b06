/* SPDX-License-Identifier: ISC */
/*
 * check.h - tests of Check (libcheck, 0.15 or newer) that are explored when Check runs them.
 *
 *     #include <heddle/check.h>		 and with it check.h
 *
 *     HEDDLE_START_TEST(test_queue)		 instead of  START_TEST(test_queue)
 *     {
 *             ...
 *             ck_assert_int_eq(n, 2);
 *     }
 *     END_TEST
 *
 * The rest of the suite is unchanged: tcase_add_test(tc, test_queue), loop tests with _i, fixtures
 * (which run before and after the exploration), fork mode or not. A finding is a failure of that
 * test at the assertion's file and line; its report goes to stderr. In the test, a failed
 * ck_assert ends the execution. Check's time-out counts: see tcase_set_timeout().
 *
 * Options come from HEDDLE_OPTIONS. Without the runtime the test runs once. After this header the
 * ck_assert macros call its functions, in all tests. C only.
 */
#ifndef HEDDLE_CHECK_H
#define HEDDLE_CHECK_H

#include <check.h>
#include <heddle/heddle.h>
#include <stdarg.h>
#include <stdio.h>

struct heddle_ck_test {
	void (*fn)(int i);
	int i;
};

static inline void heddle_ck_call(void *test)
{
	const struct heddle_ck_test *t = (const struct heddle_ck_test *)test;

	t->fn(t->i);
}

/* Check records its position by writing to a file: not while being explored. */
static inline void heddle_ck_mark(const char *file, int line)
{
	if (!heddle_active())
		_mark_point(file, line);
}

/* In place of _ck_assert_failed(): msg may be NULL, as Check's macros pass it. */
__attribute__((noreturn, unused, format(printf, 4, 5))) static void heddle_ck_failed(
	const char *file, int line, const char *expr, const char *msg, ...)
{
	char words[200] = "";
	va_list ap;

	if (msg) {
		va_start(ap, msg);
		vsnprintf(words, sizeof words, msg, ap);
		va_end(ap);
	}
	if (heddle_active())
		heddle_assert_failed(msg ? words : expr, file, line, NULL);
	if (msg)
		_ck_assert_failed(file, line, expr, "%s", words);
	_ck_assert_failed(file, line, expr, NULL);
}

static inline void heddle_ck_run(
	void (*fn)(int), const char *name, int i, const char *file, int line)
{
	struct heddle_ck_test test = {fn, i};
	struct heddle_options options = {.name = name};
	struct heddle_result r;
	int code = heddle_check(heddle_ck_call, &test, &options, &r);

	if (code == 1)
		_ck_assert_failed(r.finding->file ? r.finding->file : file,
			r.finding->file ? r.finding->line : line, r.finding->kind,
			"%s; heddle replay %s", r.message, r.replay ? r.replay : "");
	if (code == 2)
		_ck_assert_failed(file, line, name, "the test cannot be explored");
}

#define HEDDLE_START_TEST(name)                                                                    \
	static void name##_explored(int _i);                                                       \
	START_TEST(name)                                                                           \
	{                                                                                          \
		heddle_ck_run(name##_explored, #name, _i, __FILE__, __LINE__);                     \
	}                                                                                          \
	END_TEST                                                                                   \
	static void name##_explored(int _i __attribute__((unused)))

#define _ck_assert_failed heddle_ck_failed
#define _mark_point heddle_ck_mark

#endif
