/* SPDX-License-Identifier: ISC */
/*
 * atfork.c - handlers of pthread_atfork(). Those that an execution registers are kept here, and are
 * gone at its end; those registered before belong to the process: libc runs them in fork().
 */
#include "intercept/process/atfork.h"
#include "intercept/intercept.h"
#include "intercept/libc/settings.h"

#define HANDLERS_MAX 256

static struct atfork_handlers {
	void (*prepare)(void), (*parent)(void), (*child)(void);
} registered[HANDLERS_MAX]; /* the number is restored, so these need not be */
static PER_EXECUTION u32 nregistered;

/* pthread_atfork() is linked into each module from libc's static part, and calls this. */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso);

INTERCEPT int __register_atfork(
	void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
{
	NATIVELY(__register_atfork, prepare, parent, child, dso);
	settings_step(registered);
	if (nregistered == HANDLERS_MAX)
		machine_refuse("limit: more than %d handlers of pthread_atfork() in one execution",
			HANDLERS_MAX);
	registered[nregistered++] = (struct atfork_handlers){prepare, parent, child};
	return 0;
}

static void run_if_any(void (*handler)(void))
{
	if (handler)
		handler();
}

void atfork_prepare(void)
{
	for (u32 i = nregistered; i-- > 0;)
		run_if_any(registered[i].prepare);
}

void atfork_forked(bool child)
{
	for (u32 i = 0; i < nregistered; i++)
		run_if_any(child ? registered[i].child : registered[i].parent);
}
