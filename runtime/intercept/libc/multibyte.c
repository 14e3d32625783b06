/* SPDX-License-Identifier: ISC */
/*
 * multibyte.c - mblen(), mbtowc(), wctomb(): each has a conversion state of its own in libc, one
 * for all threads, which each call writes: two threads that call one of them without a lock race.
 */
#include "intercept/intercept.h"
#include "machine/record/name.h"
#include "machine/wait/foreign.h"
#include "process/libc_state.h"

#include <stdio.h>
#include <stdlib.h>

#define CALLER __builtin_return_address(0)
#define SP     ((u64)(uintptr_t)__builtin_dwarf_cfa())

static PER_EXECUTION struct {
	u64 length, wide, narrow;
} states;

/* libc's part, which writes these n bytes at `to' and the state. The characters converted so far
 * are its value. */
static void begin(const void *function, void *to, size_t n, const void *caller, u64 sp)
{
	const struct foreign_range range = {(u64)(uintptr_t)to, to ? n : 0};

	foreign_writes(function, &range, (u64)(uintptr_t)caller, sp);
}

static void use(u64 *state, const char *function, bool resets)
{
	u64 was, now;
	char name[32];

	snprintf(name, sizeof name, "the state of %s()", function);
	name_give((u64)(uintptr_t)state, sizeof *state, name);
	machine_read(&was, state, sizeof was);
	now = resets ? 0 : was + 1;
	machine_write(state, &now, sizeof now);
}

/* Of libc itself. */
static void reset_states(void)
{
	real(mblen)(NULL, 0);
	real(mbtowc)(NULL, NULL, 0);
	real(wctomb)(NULL, 0);
}

INTERCEPT int mblen(const char *s, size_t n)
{
	libc_state_reset = reset_states;
	if (!foreign_is_caller(CALLER))
		return real(mblen)(s, n);
	use(&states.length, "mblen", !s);
	begin((const void *)real(mblen), NULL, 0, CALLER, SP);
	return real(mblen)(s, n);
}

INTERCEPT int mbtowc(wchar_t *to, const char *s, size_t n)
{
	libc_state_reset = reset_states;
	if (!foreign_is_caller(CALLER))
		return real(mbtowc)(to, s, n);
	use(&states.wide, "mbtowc", !s);
	begin((const void *)real(mbtowc), s ? to : NULL, sizeof *to, CALLER, SP);
	return real(mbtowc)(to, s, n);
}

INTERCEPT int wctomb(char *to, wchar_t c)
{
	libc_state_reset = reset_states;
	if (!foreign_is_caller(CALLER))
		return real(wctomb)(to, c);
	use(&states.narrow, "wctomb", !to);
	begin((const void *)real(wctomb), to, MB_CUR_MAX, CALLER, SP);
	return real(wctomb)(to, c);
}
