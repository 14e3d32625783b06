/* SPDX-License-Identifier: ISC */
/*
 * static_result.c - functions of libc that return an object of libc's own, one for all threads.
 *
 * Each call writes it, also if it has the same contents as before: two threads that call without a
 * lock race. Only the object that is returned is an event, not what it points to. Texts that belong
 * to the calling thread are in thread_text.c.
 */
#include "intercept/intercept.h"
#include "machine/foreign.h"

#define CALLER __builtin_return_address(0)
#define SP     ((u64)(uintptr_t)__builtin_dwarf_cfa())

#define ROOM 256

/* libc's part: a call that writes to no memory of the program but the object. */
static void begin_call(const void *function, const void *caller, u64 sp)
{
	static const struct foreign_range none;

	foreign_writes(function, &none, (u64)(uintptr_t)caller, sp);
}

/* libc has written the object, of n bytes: that is a write of the calling thread. */
static void note_object(void *object, size_t n)
{
	u8 contents[ROOM];

	if (!object)
		return;
	if (n > ROOM)
		n = ROOM;
	memcpy(contents, object, n);
	machine_write(object, contents, n);
}

#define RESULT(type, name, parameters, arguments, bytes)                                           \
	INTERCEPT type *name parameters                                                            \
	{                                                                                          \
		type *object;                                                                      \
                                                                                                   \
		if (!foreign_is_caller(CALLER))                                                    \
			return real(name) arguments;                                               \
		begin_call((const void *)real(name), CALLER, SP);                                  \
		object = real(name) arguments;                                                     \
		note_object(object, bytes);                                                        \
		return object;                                                                     \
	}
#define STATIC(type, name, parameters, arguments)                                                  \
	RESULT(type, name, parameters, arguments, sizeof *object)
#define STATIC_TEXT(name, parameters, arguments)                                                   \
	RESULT(char, name, parameters, arguments, object ? strlen(object) + 1 : 0)
#include "intercept/libc/static_result.def"
