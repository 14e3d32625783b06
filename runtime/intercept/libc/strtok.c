/* SPDX-License-Identifier: ISC */
/*
 * strtok.c - strtok(), whose position in the string is a variable of libc's, one for all threads:
 * two threads that call it without a lock race, and continue each other's strings.
 */
#include "intercept/intercept.h"
#include "machine/record/name.h"
#include "machine/wait/foreign.h"

#include <string.h>

#define CALLER __builtin_return_address(0)
#define SP     ((u64)(uintptr_t)__builtin_dwarf_cfa())

static PER_EXECUTION char *position;

INTERCEPT char *strtok(char *s, const char *delimiters)
{
	char *token, *rest = s;

	if (!foreign_is_caller(CALLER))
		return real(strtok)(s, delimiters);
	name_give((u64)(uintptr_t)&position, sizeof position, "the position of strtok()");
	if (!s)
		machine_read(&rest, &position, sizeof rest);
	foreign_writes((const void *)real(strtok), NULL, (u64)(uintptr_t)CALLER, SP);
	token = real(strtok_r)(rest, delimiters, &rest);
	machine_write(&position, &rest, sizeof rest);
	return token;
}
