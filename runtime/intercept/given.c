/* SPDX-License-Identifier: ISC */
/*
 * given.c - functions of libc that allocate blocks for the program, which are the execution's
 * (heap/heap_given.c); otherwise they are what they are without Heddle, and their accesses are
 * those of a function that is not instrumented (given_has()).
 */
#include "intercept/given.h"
#include "heap/heap.h"
#include "intercept/intercept.h"

#include <argz.h>
#include <envz.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <obstack.h>
#include <regex.h>
#include <search.h>
#include <wchar.h>
#include <wordexp.h>

/* The names of vsscanf() and sscanf() since C99. */
int __isoc99_vsscanf(const char *text, const char *format, va_list list);
int __isoc99_sscanf(const char *text, const char *format, ...);

#define GIVES(result, name, parameters, arguments)                                                 \
	INTERCEPT result name parameters                                                           \
	{                                                                                          \
		result answer;                                                                     \
		if (!machine_entered())                                                            \
			return real(name) arguments;                                               \
		heap_gives(true);                                                                  \
		answer = real(name) arguments;                                                     \
		heap_gives(false);                                                                 \
		return answer;                                                                     \
	}
#include "intercept/given.def"
#undef GIVES

/* Of libc's obstack.h: the number of bytes is an int. */
INTERCEPT void _obstack_newchunk(struct obstack *h, int length)
{
	if (machine_entered())
		heap_gives(true);
	real(_obstack_newchunk)(h, length);
	if (machine_entered())
		heap_gives(false);
}

INTERCEPT int __isoc99_sscanf(const char *text, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = __isoc99_vsscanf(text, format, list);
	va_end(list);
	return n;
}

static const void *const functions[] = {
#define GIVES(result, name, parameters, arguments) (const void *)name,
#include "intercept/given.def"
#undef GIVES
	(const void *)_obstack_newchunk, (const void *)__isoc99_sscanf,
	(const void *)getaddrinfo, (const void *)iconv_open}; /* libc/given_part.c */

/* A bit for each of them, by its address. */
static u64 function_bit(const void *function)
{
	return (u64)1 << ((u64)(uintptr_t)function >> 4) % 64;
}

bool given_has(const void *function)
{
	static u64 bits;
	u64 known = __atomic_load_n(&bits, __ATOMIC_RELAXED);

	if (unlikely(!known)) {
		for (u32 i = 0; i < array_size(functions); i++)
			known |= function_bit(functions[i]);
		__atomic_store_n(&bits, known, __ATOMIC_RELAXED);
	}
	if (!(known & function_bit(function)))
		return false;
	for (u32 i = 0; i < array_size(functions); i++)
		if (functions[i] == function)
			return true;
	return false;
}
