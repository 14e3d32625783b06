/* SPDX-License-Identifier: ISC */
/* glib_test.c - failed assertions of GLib: findings while exploring, with GLib's text. */
#include "intercept/intercept.h"
#include "intercept/next.h"

#include <stdio.h>

#define GLIB(name) NEXT_FUNCTION(name, "GLib")

static _Noreturn void fails(const char *file, int line, const char *function, const char *words)
{
	machine_fail(FINDING_ASSERTION, file, line, function, "assertion failed: %s", words);
}

/* Each has these parameters, and more; the last argument is the format of a value. */
#define ASSERTION(name, words, parameters, ...) \
	void name parameters; \
	INTERCEPT void name parameters \
	{ \
		if (machine_entered()) \
			fails(file, line, function, words); \
		GLIB(name)(__VA_ARGS__); \
	}

ASSERTION(g_assertion_message, message,
	(const char *domain, const char *file, int line, const char *function,
		const char *message),
	domain, file, line, function, message)
ASSERTION(g_assertion_message_expr, expression ? expression : "code should not be reached",
	(const char *domain, const char *file, int line, const char *function,
		const char *expression),
	domain, file, line, function, expression)
ASSERTION(g_assertion_message_cmpstrv, expression,
	(const char *domain, const char *file, int line, const char *function,
		const char *expression, const char *const *a, const char *const *b, size_t index),
	domain, file, line, function, expression, a, b, index)
ASSERTION(g_assertion_message_error, expression,
	(const char *domain, const char *file, int line, const char *function,
		const char *expression, const void *error, u32 error_domain, int code),
	domain, file, line, function, expression, error, error_domain, code)

void g_assertion_message_cmpstr(const char *domain, const char *file, int line,
	const char *function, const char *expression, const char *a, const char *relation,
	const char *b);
INTERCEPT void g_assertion_message_cmpstr(const char *domain, const char *file, int line,
	const char *function, const char *expression, const char *a, const char *relation,
	const char *b)
{
	char words[200];

	if (machine_entered()) {
		snprintf(words, sizeof words, "%s (%s %s %s)", expression, a ? a : "NULL", relation,
			b ? b : "NULL");
		fails(file, line, function, words);
	}
	GLIB(g_assertion_message_cmpstr)(domain, file, line, function, expression, a, relation, b);
}

void g_assertion_message_cmpnum(const char *domain, const char *file, int line,
	const char *function, const char *expression, long double a, const char *relation,
	long double b, char type);
INTERCEPT void g_assertion_message_cmpnum(const char *domain, const char *file, int line,
	const char *function, const char *expression, long double a, const char *relation,
	long double b, char type)
{
	char words[200];

	if (machine_entered()) {
		snprintf(words, sizeof words, "%s (%.9Lg %s %.9Lg)", expression, a, relation, b);
		fails(file, line, function, words);
	}
	GLIB(g_assertion_message_cmpnum)(
		domain, file, line, function, expression, a, relation, b, type);
}
