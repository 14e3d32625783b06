/* SPDX-License-Identifier: ISC */
/* mover.c - see mover.h. */
#include "prove/mover.h"

u64 step_of_agent(u32 agent, const struct agent_access *a)
{
	u64 step = (u64)agent_number(agent) << STEP_THREAD;

	if (!(agent & AGENT_COMMIT))
		return step;
	step |= STEP_COMMIT;
	return M.buffers == BUFFERS_BY_LOCATION ? step | (a->addr & STEP_PLACE) : step;
}

u32 step_find(u32 n, const u32 *agents, u64 step)
{
	for (u32 i = 0; i < n; i++)
		if (step_of_agent(agents[i], &M.explore.access[i]) == step)
			return i;
	return EXPLORE_NONE;
}

bool mover_is_at(const struct thread *t, enum pending_kind kind)
{
	return !t->op && t->pending.kind == kind && t->pending.part == PENDING_ACCESS &&
	       !sched_of(t)->need_empty;
}

/* A fence beside an access is a step only if it is one between stores, or waits (need_empty). */
bool mover_is_at_store_fence(const struct thread *t)
{
	int order = t->pending.order & HEDDLE_ORDER_MASK;

	if (!t->op && t->pending.part != PENDING_ACCESS)
		return !sched_of(t)->need_empty;
	return mover_is_at(t, PENDING_FENCE) && order != __ATOMIC_SEQ_CST;
}

enum buffer_effect mover_effect(const struct thread *t)
{
	const struct pending *p = &t->pending;

	if (sched_of(t)->need_empty || mover_is_at(t, PENDING_RMW) || mover_is_at(t, PENDING_CAS))
		return EFFECT_DRAIN;
	if (M.buffers != BUFFERS_BY_LOCATION)
		return EFFECT_NONE;
	if (mover_is_at_store_fence(t) || (mover_is_at(t, PENDING_STORE) &&
					 (p->order & HEDDLE_ORDER_MASK) >= __ATOMIC_RELEASE))
		return EFFECT_MARK;
	return EFFECT_NONE;
}

void mover_note(u64 step, struct mover *m)
{
	const struct thread *t = thread_by_number(step_thread(step));

	*m = (struct mover){.thread = t->number, .commit = step & STEP_COMMIT,
		.place = step & STEP_PLACE};
	if (m->commit)
		return;
	m->effect = (u8)mover_effect(t);
	m->local = mover_is_at(t, PENDING_LOAD) || mover_is_at(t, PENDING_STORE) ||
			mover_is_at_store_fence(t);
}

void mover_load(const struct thread *t, u64 value[2])
{
	const struct pending *p = &t->pending;
	struct store found;

	if (buffer_lookup(&sched_of(t)->buffer, p->addr, p->size, &found) == LOOKUP_HIT) {
		value[0] = found.value[0];
		value[1] = found.value[1];
		return;
	}
	memory_read(p->addr, p->size, value);
}

bool mover_is_strange(const struct thread *t)
{
	return !t->op && !sched_of(t)->need_empty &&
	       (t->pending.kind == PENDING_NONE || t->pending.kind >= PENDING_READS);
}

bool mover_is_stack(u64 addr)
{
	for (u32 i = 0; i < M.nthreads; i++)
		if (addr - fiber_low(M.created[i]) < FIBER_STACK_STRIDE)
			return true;
	return false;
}
