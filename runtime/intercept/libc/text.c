/* SPDX-License-Identifier: ISC */
/*
 * text.c - functions of libc that write to memory which their arguments name, and to no other.
 *
 * While exploring they are calls of code that is not instrumented, of which it is known where it
 * writes: no other memory has to be compared. Calls by other libraries are part of their callers.
 */
#include "intercept/intercept.h"
#include "machine/wait/foreign.h"
#include "machine/machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define CALLER __builtin_return_address(0)
#define SP     ((u64)(uintptr_t)__builtin_dwarf_cfa())

/* `function' writes n bytes, called from `caller' with this stack pointer. */
static void note_writes(
	const void *function, const void *to, size_t n, const void *caller, u64 sp)
{
	struct foreign_range range = {(u64)(uintptr_t)to, n};

	if (foreign_is_caller(caller))
		foreign_writes(function, &range, (u64)(uintptr_t)caller, sp);
}

/* --- formatted text --------------------------------------------------------------------------- */

/* The bytes that it writes if there is room for `room'. The list may be in the store buffer. */
static size_t text_bytes(size_t room, const char *format, va_list list, const void *caller)
{
	va_list again;
	int n;

	if (!room || !foreign_is_caller(caller))
		return 0;
	machine_drain();
	va_copy(again, list);
	n = real(vsnprintf)(NULL, 0, format, again);
	va_end(again);
	return n < 0 || (size_t)n >= room ? room : (size_t)n + 1;
}

#define NOTE_TEXT(to, room, format, list)                                                          \
	note_writes(real(vsnprintf), to, text_bytes(room, format, list, CALLER), CALLER, SP)

/* The body of a function with `...', which is call with its list. */
#define VARIADIC(call)                                                                             \
	do {                                                                                       \
		va_list list;                                                                      \
		int n;                                                                             \
                                                                                                   \
		va_start(list, format);                                                            \
		NOTE_TEXT(to, room, format, list);                                                 \
		n = call;                                                                          \
		va_end(list);                                                                      \
		return n;                                                                          \
	} while (0)

INTERCEPT int vsnprintf(char *to, size_t room, const char *format, va_list list)
{
	NOTE_TEXT(to, room, format, list);
	return real(vsnprintf)(to, room, format, list);
}

INTERCEPT int snprintf(char *to, size_t room, const char *format, ...)
{
	VARIADIC(real(vsnprintf)(to, room, format, list));
}

INTERCEPT int vsprintf(char *to, const char *format, va_list list)
{
	NOTE_TEXT(to, SIZE_MAX, format, list);
	return real(vsprintf)(to, format, list);
}

INTERCEPT int sprintf(char *to, const char *format, ...)
{
	size_t room = SIZE_MAX;

	VARIADIC(real(vsprintf)(to, format, list));
}

/* --- numbers ---------------------------------------------------------------------------------- */

#define NUMBER(type, name)                                                                         \
	INTERCEPT type name(const char *text, char **end, int base)                                \
	{                                                                                          \
		note_writes(real(name), end, end ? sizeof *end : 0, CALLER, SP);                   \
		return real(name)(text, end, base);                                                \
	}

NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)

INTERCEPT double strtod(const char *text, char **end)
{
	note_writes(real(strtod), end, end ? sizeof *end : 0, CALLER, SP);
	return real(strtod)(text, end);
}
