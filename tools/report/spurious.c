/* SPDX-License-Identifier: ISC */
/* spurious.c - weak compare-and-exchanges that fail, and waits that end, although nothing makes
 * them do so; calls that a signal makes fail. */
#include "report/report.h"

#include "die.h"

static bool is_spurious_wake(const struct event *e)
{
	return (e->kind == EV_COND_WAKE || e->kind == EV_FUTEX_WAIT) && e->old[0];
}

const char *spurious_suffix(const struct event *e)
{
	return e->flags & EVENT_RARE ? " spuriously" : "";
}

void spurious_prepare(struct report *r)
{
	for (u32 i = 0; i < r->t->nevents; i++) {
		const struct event *e = &r->t->events[i].e;
		bool wakes = is_spurious_wake(e), fails = e->flags & EVENT_RARE,
		     interrupts = e->flags & EVENT_EINTR;

		r->spurious_wakes |= wakes;
		r->spurious_failures |= fails;
		r->interrupted_calls |= interrupts;
		r->rows[i].key |= wakes || fails || interrupts;
	}
}

const char *report_depends(const struct report *r)
{
	const char *words[] = {r->ntimings ? "timing" : NULL,
		r->spurious_failures ? "a spurious failure (weak CAS)" : NULL,
		r->spurious_wakes ? "a spurious wake-up" : NULL,
		r->interrupted_calls ? "a signal that interrupts a call" : NULL};
	const char *all = "";

	for (unsigned i = 0; i < array_size(words); i++)
		if (words[i])
			all = xprintf("%s%s%s", all, *all ? " and " : "depends on ", words[i]);
	return all;
}
