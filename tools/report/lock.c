/* SPDX-License-Identifier: ISC */
/* lock.c - the locks held by a thread, from its steps. */
#include "report/report.h"

#include <string.h>

#include "die.h"

static bool takes_lock_event(const struct event *e)
{
	return kind_has(e->kind, KIND_TAKES) && !e->value[0];
}

static bool frees_lock(const struct event *e)
{
	return kind_has(e->kind, KIND_RELEASES);
}

/* Drop the last of n steps that took the lock that e frees; returns the number left. */
static unsigned drop_step(const struct report *r, u32 *steps, unsigned n, const struct event *e)
{
	for (unsigned k = n; k-- > 0;) {
		if (r->t->events[steps[k] - 1].e.addr != e->addr)
			continue;
		memmove(&steps[k], &steps[k + 1], (n - k - 1) * sizeof(*steps));
		return n - 1;
	}
	return n;
}

unsigned locks_held(const struct report *r, u32 thread, u32 before, u32 **steps)
{
	unsigned n = 0;

	*steps = xmalloc((before + 1) * sizeof(**steps));
	for (u32 step = 1; step < before && step <= r->t->nevents; step++) {
		const struct event *e = &r->t->events[step - 1].e;

		if (e->thread != thread || !e->addr)
			continue;
		if (takes_lock_event(e))
			(*steps)[n++] = step;
		else if (frees_lock(e))
			n = drop_step(r, *steps, n, e);
	}
	return n;
}
