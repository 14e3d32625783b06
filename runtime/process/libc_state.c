/* SPDX-License-Identifier: ISC */
/*
 * libc_state.c - see libc_state.h.
 *
 * No function of libc takes an orientation back. It is a field of FILE; a wide stream has another
 * table of functions, behind it.
 */
#include "process/libc_state.h"
#include "process/module.h"

#include <dlfcn.h>
#include <stdio.h>

#define MODES 0x202 /* _IO_LINE_BUF, _IO_UNBUFFERED of libc */

/* The beginning of libc's struct _IO_FILE_plus. */
struct libc_file {
	FILE stream;
	const void *functions;
};

static struct {
	struct libc_file *file;
	int modes, orientation;
	const void *functions;
} standard[3];

void (*libc_state_reset)(void);

/* Threads are no threads of libc, which would clear it: where it is set, operations on reference
 * counts (std::shared_ptr) are not atomic. */
static void expect_threads(void)
{
	static const char name[] = "__libc_single_threaded";
	char *single = modules_refer_to(name) ? dlsym(RTLD_DEFAULT, name) : NULL;

	if (single)
		*single = 0;
}

void libc_state_begin(void)
{
	FILE *const streams[] = {stdin, stdout, stderr};

	for (u32 i = 0; i < array_size(standard); i++) {
		struct libc_file *f = (struct libc_file *)streams[i];

		standard[i].file = f;
		standard[i].modes = f->stream._flags & MODES;
		standard[i].orientation = f->stream._mode;
		standard[i].functions = f->functions;
	}
	expect_threads();
}

void libc_state_end(void)
{
	for (u32 i = 0; i < array_size(standard); i++) {
		struct libc_file *f = standard[i].file;

		f->stream._flags = (f->stream._flags & ~MODES) | standard[i].modes;
		f->stream._mode = standard[i].orientation;
		f->functions = standard[i].functions;
	}
	if (libc_state_reset)
		libc_state_reset();
	libc_state_reset = NULL;
}
