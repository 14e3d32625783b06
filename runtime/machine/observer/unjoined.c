/* SPDX-License-Identifier: ISC */
/* unjoined.c - see unjoined.h. */
#include "machine/observer/unjoined.h"
#include "machine/core.h"
#include "machine/record/record.h"
#include "trust/cache.h"

#include <stdio.h>

static bool is_joined(const struct graph *g, const struct cache *c, u32 slot)
{
	for (u32 e = 1; e <= g->n; e++)
		if (g->event[e].type == LABEL_JOIN && c->node[g->event[e].node].label.other == slot)
			return true;
	return false;
}

bool unjoined_may_be(const struct graph *g, const struct cache *c)
{
	for (u32 t = 1; t < g->nthreads; t++)
		if (g->thread[t].create && !is_joined(g, c, t))
			return true;
	return false;
}

bool unjoined_find(struct finding *f)
{
	u32 n = 0, first = 0;

	for (u32 i = M.nthreads; --i;) {
		const struct thread *t = &M.thread[M.created[i]];

		if (t->joined || t->detached || !t->started) /* it may detach itself */
			continue;
		first = i;
		n++;
	}
	if (!n)
		return false;
	*f = (struct finding){.kind = FINDING_THREADS, .thread = (u16)first};
	snprintf(f->message, sizeof f->message,
		"T%u is neither joined nor detached when the program ends", first);
	if (n > 1)
		snprintf(f->message, sizeof f->message,
			"T%u and %u other%s are neither joined nor detached when the program ends",
			first, n - 1, n > 2 ? "s" : "");
	return true;
}

u32 unjoined_record(const struct finding *f)
{
	struct event e = {.kind = EV_FAIL, .thread = f->thread,
		.stack = M.thread[M.created[f->thread]].create_stack};

	return record_event(&e);
}

void unjoined_check(void)
{
	if (!unjoined_find(&M.finding))
		return;
	if (M.recording)
		M.finding.step = unjoined_record(&M.finding);
	execution_fail();
}
