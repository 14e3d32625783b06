/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/* state_libc.c - what libc keeps for the process is the same at the beginning of each execution:
 * modes of standard streams, parts of characters, domains of messages, libraries. */
#include <dlfcn.h>
#include <libintl.h>
#include <locale.h>
#include <stdio_ext.h>
#include <wchar.h>

#include "two.h"

#define LIBRARY "libBrokenLocale.so.1"

static atomic_int hits;

static void *work(void *arg)
{
	hits++;
	return arg;
}

static void check_and_change(void)
{
	void *library, *again;
	wchar_t wide;

	assert(fwide(stdout, 0) == 0 && fwide(stderr, 0) == 0 && !__flbf(stdin));
	assert(puts("narrow") > 0 && fwide(stdout, 0) < 0);
	assert(fwprintf(stderr, L"wide\n") == 5 && fprintf(stderr, "narrow\n") < 0);
	setlinebuf(stdin);

	assert(setlocale(LC_ALL, "C.UTF-8"));
	assert(mbtowc(&wide, "\xa9", 1) == -1 && mblen("\xa9", 1) == -1);
	assert(mbtowc(&wide, "\xc3", 1) == -1 && mblen("\xc3", 1) == -1);
	assert(mbtowc(&wide, "\xa9", 1) == 1 && mbtowc(&wide, "\xc3", 1) == -1);

	assert(strcmp(bindtextdomain("heddle", NULL), "/other"));
	assert(bindtextdomain("heddle", "/other"));

	assert(!dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD));
	library = dlopen(LIBRARY, RTLD_NOW);
	again = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
	assert(library && library == again && !dlclose(again));
}

int main(void)
{
	check_and_change();
	two(work, NULL, work, NULL);
	return 0;
}
