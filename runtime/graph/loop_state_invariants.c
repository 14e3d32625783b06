/* SPDX-License-Identifier: ISC */
/* loop_state_invariants.c - invariants of the kept states of a thread's loops (make TINY=1). */
#include "graph/loop_state.h"

static void check_time(const struct loop_states *t, const struct loop_time *m)
{
	BUG_ON(m->reads > t->reads || m->writes > t->nwrites || m->effects > t->neffects ||
		m->steps > t->steps);
}

void loop_state_check(const struct loop_states *t)
{
	BUG_ON(t->fresh > t->nwrites || t->nwrites > LOOP_WRITES || t->nstores > LOOP_STORES);
	BUG_ON(t->naccesses > LOOP_STATES || t->nheads > LOOP_STATES);
	BUG_ON(t->naccesses < LOOP_STATES && t->next_access != t->naccesses);
	BUG_ON(t->nheads < LOOP_STATES && t->next_head != t->nheads);
	for (u32 i = 0; i < t->naccesses; i++)
		check_time(t, &t->access[i].time);
	for (u32 i = 0; i < t->nheads; i++)
		check_time(t, &t->head[i].time);
	for (u32 i = t->fresh; i < t->nwrites; i++)
		for (u32 k = t->fresh; k < i; k++)
			BUG_ON(t->write[i].addr == t->write[k].addr &&
				t->write[i].size == t->write[k].size);
	for (u32 i = 0; i < t->nstores; i++)
		for (u32 k = 0; k < i; k++)
			BUG_ON(t->store[i].addr < t->store[k].addr + t->store[k].size &&
				t->store[k].addr < t->store[i].addr + t->store[i].size);
}
