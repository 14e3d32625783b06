/* SPDX-License-Identifier: ISC */
/* schedule_driver.c - see schedule_driver.h. */
#include "buffers/schedule_driver.h"
#include "buffers/sched.h"
#include "explore/plan_strategy.h"

struct schedule_driver schedule_driver;

static void number_event(const struct event *e)
{
	if (e->kind != EV_COMMIT)
		schedule_driver.number[e->step] =
			schedule_event(&schedule_driver.run, M.created[e->thread], e);
}

static void note_question(u32 n, enum choice_why why)
{
	schedule_driver.run.asking = M.cur->slot;
}

static u32 schedule_thread(const struct thread *t)
{
	return plan_agent(t->slot);
}

static u32 schedule_commit(const struct thread *t, u32 k)
{
	const struct sched_thread *o = sched_of(t);
	const struct store *s = buffer_option(&o->buffer, k);

	schedule_drains(
		&schedule_driver.run, t->slot, o->need_empty || o->stalled || o->full);
	return plan_agent_commit(t->slot, schedule_driver.number[s->step] & SCHEDULE_STEPS);
}

static const struct driver driver = {
	.event = number_event,
	.question = note_question,
	.thread = schedule_thread,
	.commit = schedule_commit,
};

void schedule_driver_set(bool on)
{
	M.driver = on ? &driver : NULL;
}
