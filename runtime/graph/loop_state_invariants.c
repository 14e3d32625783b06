/* SPDX-License-Identifier: ISC */
/* loop_state_invariants.c - invariants of the states kept of a thread's loops (make TINY=1). */
#include "graph/loop_state.h"

static void check_mark(const struct turn *t, const struct turn_mark *m)
{
	BUG_ON(m->reads > t->reads || m->writes > t->nwrites || m->effects > t->neffects ||
		m->steps > t->steps);
}

void turn_check(const struct turn *t)
{
	BUG_ON(t->fresh > t->nwrites || t->nwrites > TURN_WRITES || t->nstores > TURN_STORES);
	BUG_ON(t->ndoors > TURN_STATES || t->nheads > TURN_STATES);
	BUG_ON(t->ndoors < TURN_STATES && t->next_door != t->ndoors);
	BUG_ON(t->nheads < TURN_STATES && t->next_head != t->nheads);
	for (u32 i = 0; i < t->ndoors; i++)
		check_mark(t, &t->door[i].mark);
	for (u32 i = 0; i < t->nheads; i++)
		check_mark(t, &t->head[i].mark);
	for (u32 i = t->fresh; i < t->nwrites; i++)
		for (u32 k = t->fresh; k < i; k++)
			BUG_ON(t->write[i].addr == t->write[k].addr &&
				t->write[i].size == t->write[k].size);
	for (u32 i = 0; i < t->nstores; i++)
		for (u32 k = 0; k < i; k++)
			BUG_ON(t->store[i].addr < t->store[k].addr + t->store[k].size &&
				t->store[k].addr < t->store[i].addr + t->store[i].size);
}
