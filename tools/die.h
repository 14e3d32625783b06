/* SPDX-License-Identifier: ISC */
/* die.h - fatal errors of the tools, and allocation that never fails. Nothing is freed. */
#ifndef TOOLS_DIE_H
#define TOOLS_DIE_H

#include <stdarg.h>
#include <stddef.h>

#define PRINTF(a, b) __attribute__((format(printf, a, b)))

/* Exit codes, the same for every command. */
enum exit_code {
	EXIT_CLEAN = 0, /* explored completely, nothing found */
	EXIT_FINDING = 1,
	EXIT_USAGE = 2, /* usage or environment */
	EXIT_CUT = 3,	/* nothing found, but incomplete */
	EXIT_BUG = 70,
};

extern const char *die_name; /* "heddle" */

/* "heddle: ..." in one line on stderr; die() then exits with 2. */
_Noreturn void die(const char *format, ...) PRINTF(1, 2);
void warn(const char *format, ...) PRINTF(1, 2);

void *xmalloc(size_t n);	/* zeroed */
void *xgrow(void *p, size_t n); /* realloc; new bytes are not zeroed */
char *xstrdup(const char *s);
char *xprintf(const char *format, ...) PRINTF(1, 2);

#endif
