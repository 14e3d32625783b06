/* SPDX-License-Identifier: ISC */
/*
 * cmocka.h - tests of cmocka (1.1) that are explored when cmocka runs them.
 *
 *     #include <heddle/cmocka.h>		 and with it cmocka.h and the headers that it needs
 *
 *     const struct CMUnitTest tests[] = {
 *             heddle_cmocka_unit_test(test_queue),	 instead of  cmocka_unit_test(test_queue)
 *             heddle_cmocka_unit_test_setup_teardown(test_list, begin, end),
 *     };
 *
 * A test is `void test_queue(void **state)` as before; setup and teardown run before and after the
 * exploration. A finding is a failure of that test; its report goes to stderr. In the test, a
 * failed assertion of cmocka ends the execution (with libcmocka as a shared library at its file and
 * line). The macros are for arrays in functions: their pointers are not constants, as static
 * arrays require.
 *
 * Options come from HEDDLE_OPTIONS. Without the runtime the test runs once. C only.
 */
#ifndef HEDDLE_CMOCKA_H
#define HEDDLE_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>

struct heddle_cmocka_test {
	const char *name;
	CMUnitTestFunction fn;
	CMFixtureFunction setup, teardown;
	void *state;
};

/* Called by failing assertions of cmocka, including those in its library: interposed. */
__attribute__((weak)) void _fail(const char *const file, const int line)
{
	void (*own)(const char *const file, const int line);

	if (heddle_active())
		heddle_assert_failed(
			"an assertion of cmocka failed (see its output)", file, line, NULL);
	*(void **)&own = dlsym(RTLD_NEXT, "_fail");
	if (own)
		own(file, line);
	abort();
}

/* Their message, printed before that; cmocka would keep it for later, but an explored execution
 * ends here. */
__attribute__((weak, format(printf, 1, 2))) void cm_print_error(const char *const format, ...);
__attribute__((weak, format(printf, 1, 2))) void cm_print_error(const char *const format, ...)
{
	void (*own)(const char *const format, ...);
	char words[1000];
	va_list ap;

	va_start(ap, format);
	vsnprintf(words, sizeof words, format, ap);
	va_end(ap);
	*(void **)&own = dlsym(RTLD_NEXT, "cm_print_error");
	if (heddle_active() || !own)
		fprintf(stderr, "%s", words);
	else
		own("%s", words);
}

static inline void heddle_cmocka_call(void *test)
{
	struct heddle_cmocka_test *t = (struct heddle_cmocka_test *)test;

	t->fn(&t->state);
}

static inline void heddle_cmocka_run(void **state)
{
	struct heddle_cmocka_test *t = (struct heddle_cmocka_test *)*state;
	struct heddle_options options = {.name = t->name};
	struct heddle_result r;
	int code = heddle_check(heddle_cmocka_call, t, &options, &r);

	if (code == 1) {
		print_error("%s; heddle replay %s\n", r.message, r.replay ? r.replay : "");
		_fail(r.finding->file ? r.finding->file : t->name, r.finding->line);
	}
	if (code == 2) {
		print_error("the test cannot be explored\n");
		_fail(t->name, 0);
	}
}

static inline int heddle_cmocka_setup(void **state)
{
	struct heddle_cmocka_test *t = (struct heddle_cmocka_test *)*state;

	return t->setup ? t->setup(&t->state) : 0;
}

static inline int heddle_cmocka_teardown(void **state)
{
	struct heddle_cmocka_test *t = (struct heddle_cmocka_test *)*state;

	return t->teardown ? t->teardown(&t->state) : 0;
}

#define heddle_cmocka_unit_test_setup_teardown(fn, setup, teardown)                                \
	{                                                                                          \
		#fn, heddle_cmocka_run, heddle_cmocka_setup, heddle_cmocka_teardown,               \
			&(struct heddle_cmocka_test)                                               \
		{                                                                                  \
			#fn, fn, setup, teardown, NULL                                             \
		}                                                                                  \
	}
#define heddle_cmocka_unit_test(fn) heddle_cmocka_unit_test_setup_teardown(fn, NULL, NULL)

#endif
