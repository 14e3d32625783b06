/* SPDX-License-Identifier: ISC */
/* scripted.c - see scripted.h. */
#include "machine/scripted.h"
#include "explore/guide.h"

struct scripted scripted;

void scripted_event(const struct event *e)
{
	if (e->kind != EV_COMMIT)
		scripted.number[e->step] = script_event(&scripted.run, M.created[e->thread], e);
}

void scripted_question(void)
{
	scripted.run.asking = M.cur->slot;
}

u32 scripted_thread(const struct thread *t)
{
	return guide_agent(t->slot);
}

u32 scripted_commit(const struct thread *t, u32 k)
{
	const struct store *s = buffer_option(&t->buffer, k);

	script_drains(&scripted.run, t->slot, t->need_empty || t->stalled || t->full);
	return guide_commit(t->slot, scripted.number[s->step] & SCRIPT_STEPS);
}
