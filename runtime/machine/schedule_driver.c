/* SPDX-License-Identifier: ISC */
/* schedule_driver.c - see schedule_driver.h. */
#include "machine/schedule_driver.h"
#include "explore/plan_strategy.h"

struct schedule_driver schedule_driver;

void schedule_driver_event(const struct event *e)
{
	if (e->kind != EV_COMMIT)
		schedule_driver.number[e->step] =
			schedule_event(&schedule_driver.run, M.created[e->thread], e);
}

void schedule_driver_question(void)
{
	schedule_driver.run.asking = M.cur->slot;
}

u32 schedule_driver_thread(const struct thread *t)
{
	return guide_agent(t->slot);
}

u32 schedule_driver_commit(const struct thread *t, u32 k)
{
	const struct store *s = buffer_option(&t->buffer, k);

	schedule_drains(&schedule_driver.run, t->slot, t->need_empty || t->stalled || t->full);
	return guide_commit(t->slot, schedule_driver.number[s->step] & SCRIPT_STEPS);
}
