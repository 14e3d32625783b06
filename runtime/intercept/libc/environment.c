/* SPDX-License-Identifier: ISC */
/*
 * environment.c - the environment, and the time zone, which it names.
 *
 * setenv() and the like exclude each other in libc, but getenv() excludes none of them: beside one
 * in another thread it is a data race. So there is a variable that stands for the environment. A
 * change is an atomic operation on it, whose value depends on all changes so far; getenv() is a
 * plain load.
 */
#include "intercept/libc/settings.h"
#include "base/prng.h"
#include "intercept/intercept.h"
#include "machine/record/name.h"
#include "machine/wait/foreign.h"

#include <heddle/abi.h>

#define CALLER __builtin_return_address(0)

static PER_EXECUTION u64 environment;

static void name_environment(void)
{
	name_give((u64)(uintptr_t)&environment, sizeof environment, "the environment");
}

/* --- the time zone ---------------------------------------------------------------------------- */

static const char *zone_of(char **list)
{
	for (; list && *list; list++)
		if (!strncmp(*list, "TZ=", 3))
			return *list;
	return NULL;
}

/* From an environment that has this one variable, or none: the program's is restored later. */
static void undo_zone(long unused, long variable)
{
	char *one[] = {(char *)variable, NULL}, **now = environ;

	environ = one;
	real(tzset)();
	environ = now;
}

INTERCEPT void tzset(void)
{
	if (machine_entered())
		settings_step(tzname);
	real(tzset)();
}

static void keep_zone(const char *name)
{
	long *before;

	if (name && (strncmp(name, "TZ", 2) || (name[2] && name[2] != '=')))
		return;
	before = settings_undo(undo_zone, 0);
	if (before)
		*before = (long)zone_of(environ);
}

/* --- changes ---------------------------------------------------------------------------------- */

static u64 sum_text(u64 sum, const char *text)
{
	while (text && *text)
		sum = prng_mix(sum ^ (u8)*text++);
	return prng_mix(sum);
}

/* The environment is about to change: this variable, or all (NULL). The texts may be in the store
 * buffer. */
static void change(const char *name, const char *value, const void *caller)
{
	if (!machine_entered())
		return;
	machine_drain();
	keep_zone(name);
	if (!foreign_is_caller(caller))
		return;
	name_environment();
	__heddle_rmw8(&environment, sum_text(sum_text(0, name), value), HEDDLE_ADD,
		__ATOMIC_RELAXED);
}

INTERCEPT int setenv(const char *name, const char *value, int overwrite)
{
	change(name, value, CALLER);
	return real(setenv)(name, value, overwrite);
}

INTERCEPT int putenv(char *text)
{
	change(text, NULL, CALLER);
	return real(putenv)(text);
}

INTERCEPT int unsetenv(const char *name)
{
	change(name, NULL, CALLER);
	return real(unsetenv)(name);
}

INTERCEPT int clearenv(void)
{
	change(NULL, NULL, CALLER);
	return real(clearenv)();
}

/* --- looking ---------------------------------------------------------------------------------- */

static void look(const void *caller)
{
	u64 now;

	if (!foreign_is_caller(caller))
		return;
	machine_drain();
	name_environment();
	machine_read(&now, &environment, sizeof now);
}

INTERCEPT char *getenv(const char *name)
{
	look(CALLER);
	return real(getenv)(name);
}

INTERCEPT char *secure_getenv(const char *name)
{
	look(CALLER);
	return real(secure_getenv)(name);
}
