/* SPDX-License-Identifier: ISC */
/*
 * fuzz.h - shared by the harnesses: one function per target, and an environment in which the tools'
 * code can run a million times in one process.
 *
 * The tools end early by die() and free nothing. Here die() ends the input only, and what an input
 * has allocated, by xmalloc() or through libc, is freed after it (support.c). So memory does not
 * grow, and the leak checker finds only other leaks. The tools open files by name; here there is
 * one file, the input.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <setjmp.h>
#include <stdio.h>

#include "base/base.h"

/* The targets: targets.def. Each is a file of that name. */
#define TARGET(name, words) void fuzz_##name(const u8 *data, size_t size);
#include "targets.def"
#undef TARGET

/* Run body once; die() and exit() in it return to here. */
void fuzz_run(void (*body)(const u8 *data, size_t size), const u8 *data, size_t size);

/* A copy of exactly n bytes, so that a sanitizer sees the first one too many; text has a 0 behind
 * it. */
char *fuzz_copy(const u8 *data, size_t n);
char *fuzz_text(const u8 *data, size_t n);

/* The file that fopen() and open() find from now on, under any name; NULL: none. */
void fuzz_file(const void *bytes, size_t n);

/* A file in memory with these bytes, for code that needs a descriptor. */
int fuzz_descriptor(const void *bytes, size_t n);

/* Parts of an input: up to the next byte 0xff, *data and *size moved behind it. */
size_t fuzz_part(const u8 **data, size_t *size, const u8 **part);

/* Report a violated property. */
#define FUZZ_CHECK(condition) \
	do { \
		if (!(condition)) \
			fuzz_failed(__FILE__, __LINE__, #condition); \
	} while (0)
_Noreturn void fuzz_failed(const char *file, int line, const char *what);

#endif
