/* SPDX-License-Identifier: ISC */
/* holes_cycle.c - the cycle of po and rf of an execution with load buffering, for reports. */
#include "holes/holes.h"

struct holes_search {
	const struct graph *g;
	u32 n;
	u16 queue[GRAPH_EVENTS + 1], from[GRAPH_EVENTS + 1];
	u8 relation[GRAPH_EVENTS + 1];
};

static void reach(struct holes_search *s, u32 from, u32 to, enum relation how)
{
	if (s->from[to])
		return;
	s->from[to] = (u16)from;
	s->relation[to] = (u8)how;
	s->queue[s->n++] = (u16)to;
}

static void expand(struct holes_search *s, u32 e)
{
	const struct gevent *event = s->g->event;

	for (u32 i = 1; i <= s->g->n; i++)
		if (event[i].rf != e && holes_source(s->g, i) == e)
			reach(s, e, i, REL_RF);
	for (u32 r = event[e].readers; r; r = event[r].reader_next)
		reach(s, e, r, REL_RF);
	for (u32 i = event[e].po_next; i; i = event[i].po_next)
		reach(s, e, i, REL_PO);
}

/* The shortest path from r to its source, which comes after it, and back. */
static void cycle_of(struct holes_search *s, u32 r, struct cycle *c)
{
	u32 source = holes_source(s->g, r), n = 1;

	__builtin_memset(s->from, 0, (s->g->n + 1) * sizeof s->from[0]);
	s->n = 0;
	s->from[r] = (u16)r;
	s->queue[s->n++] = (u16)r;
	for (u32 i = 0; i < s->n && !s->from[source]; i++)
		expand(s, s->queue[i]);
	for (u32 e = source; s->from[source] && e != r; e = s->from[e])
		n++;
	if (!s->from[source] || n > CYCLE_MAX || (c->n && n >= c->n))
		return;
	c->n = n;
	c->edge[--n] = (struct edge){.from = source, .to = r, .relation = REL_RF};
	for (u32 e = source; e != r; e = s->from[e])
		c->edge[--n] =
			(struct edge){.from = s->from[e], .to = e, .relation = s->relation[e]};
}

void holes_cycle(const struct graph *g, struct cycle *c)
{
	static struct holes_search search;

	search.g = g;
	c->n = 0;
	for (u32 r = 1; r <= g->n; r++)
		if (holes_source(g, r) != g->event[r].rf)
			cycle_of(&search, r, c);
}
