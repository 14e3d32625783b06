/* SPDX-License-Identifier: ISC */
/* unsafe.c - see unsafe.h. */
#include "machine/wait/unsafe.h"
#include "machine/core.h"
#include "machine/learnt.h"
#include "machine/wait/delivery.h"
#include "machine/wait/handler.h"
#include "process/module.h"

#include <string.h>

static struct signal_handler *handler(void)
{
	return &M.cur->handler;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Calls within libraries are ignored: their points of interruption are not known. */
static bool is_program(const void *caller)
{
	const struct module *m = module_find((u64)(uintptr_t)caller);

	return m && m->instrumented && !module_calls_itself(caller);
}

static void check_call(const char *name)
{
	const struct signal_handler *h = handler();

	if (h->call)
		machine_fail(FINDING_SIGNAL, NULL, 0, NULL,
			"unsafe call of %s() in the handler of SIG%s, which may have interrupted "
			"%s()",
			name, sigabbrev_np((int)h->signal) ?: "?", h->call);
	learnt_add(LEARNT_UNSAFE, 1);
}

void unsafe_call_slow(const char *name, const void *caller)
{
	struct signal_handler *h = handler();

	if (!machine_entered() || !is_program(caller))
		return;
	if (handler_runs())
		check_call(name);
	if (!learnt_known(LEARNT_UNSAFE) || h->call || !delivery_is_possible())
		return;
	h->call = name;
	delivery_now();
	h->call = NULL;
}

/* --- locks ------------------------------------------------------------------------------------ */

void unsafe_lock_slow(const void *lock, bool taken)
{
	struct signal_handler *h = handler();
	u32 i = 0;

	if (!handler_runs())
		return;
	while (i < h->nlocks && h->lock[i] != lock)
		i++;
	if (taken && h->nlocks < array_size(h->lock))
		h->lock[h->nlocks++] = lock;
	else if (!taken && i < h->nlocks)
		h->lock[i] = h->lock[--h->nlocks];
}

void unsafe_own_lock(const void *lock, const char *what)
{
	const struct signal_handler *h = handler();

	if (likely(!interrupts_on) || !handler_runs() || h->nlocks == array_size(h->lock))
		return;
	for (u32 i = 0; i < h->nlocks; i++)
		if (h->lock[i] == lock)
			return;
	machine_fail_at((u64)(uintptr_t)lock, FINDING_SIGNAL,
		"the handler of SIG%s locks a %s that the interrupted code holds",
		sigabbrev_np((int)h->signal) ?: "?", what);
}
