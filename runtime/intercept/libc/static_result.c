/* SPDX-License-Identifier: ISC */
/*
 * static_result.c - functions of libc that return an object of libc's own, one for all threads.
 *
 * Each call writes it, also if it has the same contents as before: two threads that call without a
 * lock race. Only the object that is returned is an event, not those that it points to. Texts that
 * belong to the calling thread are in thread_text.c.
 */
#include "intercept/intercept.h"
#include "machine/wait/foreign.h"

#define CALLER __builtin_return_address(0)
#define SP     ((u64)(uintptr_t)__builtin_dwarf_cfa())

#define ROOM 256

/* libc's part: a call that writes to no memory of the program but the object. */
static void begin_call(const void *function, const void *caller, u64 sp)
{
	static const struct foreign_range none;

	foreign_writes(function, &none, (u64)(uintptr_t)caller, sp);
}

/* Of the execution: where the object is. */
enum static_object {
#define OBJECT(object) object,
#define STATIC(object, type, name, parameters, arguments)
#define STATIC_TEXT(object, room, name, parameters, arguments)
#include "intercept/libc/static_result.def"
#undef OBJECT
#undef STATIC
#undef STATIC_TEXT
	OBJECTS
};
static PER_EXECUTION void *place[OBJECTS];

/* Its contents before a call; zeros before the execution's first. */
static void keep_object(enum static_object o, u8 before[ROOM], size_t n)
{
	if (place[o])
		memcpy(before, place[o], n);
	else
		memset(before, 0, n);
}

/* libc has written n bytes of it: that is a write of the calling thread, before which others may
 * come. */
static void note_result_object(enum static_object o, void *object, const u8 before[ROOM], size_t n)
{
	u8 contents[ROOM];

	if (!object)
		return;
	place[o] = object;
	n = n < ROOM ? n : ROOM;
	memcpy(contents, object, n);
	memcpy(object, before, n);
	machine_write(object, contents, n);
}

/* room: of the object; bytes: of its contents. */
#define RESULT(o, type, room, bytes, name, parameters, arguments)                                  \
	_Static_assert((room) <= ROOM, #name);                                                     \
	INTERCEPT type *name parameters                                                            \
	{                                                                                          \
		u8 before[ROOM];                                                                   \
		type *object;                                                                      \
                                                                                                   \
		if (!foreign_is_caller(CALLER))                                                    \
			return real(name) arguments;                                               \
		begin_call((const void *)real(name), CALLER, SP);                                  \
		keep_object(o, before, room);                                                      \
		object = real(name) arguments;                                                     \
		note_result_object(o, object, before, bytes);                                      \
		return object;                                                                     \
	}
#define OBJECT(object)
#define STATIC(o, type, name, parameters, arguments)                                               \
	RESULT(o, type, sizeof(type), sizeof *object, name, parameters, arguments)
#define STATIC_TEXT(o, room, name, parameters, arguments)                                          \
	RESULT(o, char, room, object ? strlen(object) + 1 : 0, name, parameters, arguments)
#include "intercept/libc/static_result.def"

/* As C defines it, by way of localtime() and asctime(). */
INTERCEPT char *ctime(const time_t *t)
{
	u8 date[ROOM], text[ROOM];
	struct tm *tm;
	char *result;

	if (!foreign_is_caller(CALLER))
		return real(ctime)(t);
	begin_call((const void *)real(ctime), CALLER, SP);
	keep_object(DATE, date, sizeof *tm);
	keep_object(DATE_TEXT, text, 114);
	tm = real(localtime)(t);
	result = tm ? real(asctime)(tm) : NULL;
	note_result_object(DATE, tm, date, sizeof *tm);
	note_result_object(DATE_TEXT, result, text, result ? strlen(result) + 1 : 0);
	return result;
}

/* --- functions with more results -------------------------------------------------------------- */

#define DIGITS_ROOM 20 /* of these texts */

#define CONVERT(o, type, name)                                                                     \
	INTERCEPT char *name(type value, int n, int *point, int *sign)                             \
	{                                                                                          \
		u8 before[ROOM];                                                                   \
		int p, s;                                                                          \
		char *text;                                                                        \
                                                                                                   \
		if (!foreign_is_caller(CALLER))                                                    \
			return real(name)(value, n, point, sign);                                  \
		begin_call((const void *)real(name), CALLER, SP);                                  \
		keep_object(o, before, DIGITS_ROOM);                                               \
		text = real(name)(value, n, &p, &s);                                               \
		note_result_object(o, text, before, text ? strlen(text) + 1 : 0);                  \
		machine_write(point, &p, sizeof p);                                                \
		machine_write(sign, &s, sizeof s);                                                 \
		return text;                                                                       \
	}

CONVERT(DIGITS, double, ecvt)
CONVERT(FIXED_DIGITS, double, fcvt)
CONVERT(LONG_DIGITS, long double, qecvt)
CONVERT(LONG_FIXED_DIGITS, long double, qfcvt)

/* A name that no file has, the caller's text or else libc's: here each execution gets the same. */
INTERCEPT char *tmpnam(char to[L_tmpnam])
{
	static PER_EXECUTION char object[L_tmpnam];
	static PER_EXECUTION unsigned n;
	char name[L_tmpnam];
	u8 before[ROOM];

	if (!foreign_is_caller(CALLER))
		return real(tmpnam)(to);
	begin_call((const void *)real(tmpnam), CALLER, SP);
	do
		snprintf(name, sizeof name, P_tmpdir "/file%06u", ++n % 1000000);
	while (real(access)(name, F_OK) == 0);
	if (to) {
		machine_write(to, name, sizeof name);
		return to;
	}
	keep_object(TEMPORARY_NAME, before, sizeof object);
	memcpy(object, name, sizeof object);
	note_result_object(TEMPORARY_NAME, object, before, sizeof object);
	return object;
}
