/* SPDX-License-Identifier: ISC */
/* blocked.c - the threads that are not enabled, as facts for a report (detect/stuck.h). */
#include "machine/core.h"
#include "detect/stuck.h"

static const struct thread *holder_of(const struct thread *t)
{
	int slot = t->op && t->op->holder ? t->op->holder(t->obj) : -1;

	return slot < 0 ? NULL : &M.thread[slot];
}

void stuck_wait(const struct thread *t, struct wait *w)
{
	const struct thread *h = holder_of(t);

	*w = (struct wait){
		.thread = t->number,
		.name = t->name,
		.kind = t->parked ? EV_READ : t->op ? t->op->kind : EV_DRAIN,
		.object = t->parked ? t->spin.read[0].addr : sync_named((u64)(uintptr_t)t->obj),
		.holder = h ? (i32)h->number : -1,
		.cancelled = h && h->cancelled,
		.stack = t->stack,
		.calls = M.options->call_stacks && !t->parked ? (u32)t->call_stack : 0,
	};
	if (!t->parked && t->op && t->op->crowded && !t->op->crowded(t->obj, &w->users, &w->room))
		w->users = 0;
}

u32 stuck_waits(struct wait *w)
{
	u32 n = 0;

	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		if (!t->finished && !thread_is_enabled(t))
			stuck_wait(t, &w[n++]);
	}
	return n;
}

/* Threads that only wait for another's end come last: they are not the cause. */
void stuck_show(const struct wait *w, u32 n, void (*show)(struct thread *t))
{
	if (!M.options->break_at_failure)
		return;
	for (u32 joins = 0; joins < 2; joins++)
		for (u32 i = 0; i < n; i++)
			if (kind_has(w[i].kind, KIND_THREAD) == joins)
				show(&M.thread[M.created[w[i].thread]]);
}
