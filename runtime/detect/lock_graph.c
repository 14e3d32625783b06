/* SPDX-License-Identifier: ISC */
/* lock_graph.c - see lock_graph.h. */
#include "detect/lock_graph.h"

void lock_graph_begin(struct lock_graph *o)
{
	o->nedges = 0;
	o->full = false;
	for (u32 t = 0; t < ORDER_THREADS; t++) {
		o->thread[t] = (struct lock_graph_thread){.nheld = 0};
		o->thread[t].clock[t] = 1;
	}
}

/* --- operations ------------------------------------------------------------------------------ */

static bool same_edge(
	const struct lock_edge *e, u32 thread, const struct lock_graph_thread *t, u64 lock)
{
	if (e->thread != thread || e->wanted.lock != lock || e->nheld != t->nheld ||
		e->clock[thread] != t->clock[thread])
		return false;
	for (u32 i = 0; i < e->nheld; i++)
		if (e->held[i].lock != t->held[i].lock || e->held[i].reading != t->held[i].reading)
			return false;
	return true;
}

static void add_lock_edge(struct lock_graph *o, u32 thread, const struct held_lock *wanted)
{
	const struct lock_graph_thread *t = &o->thread[thread];
	struct lock_edge *e;

	for (u32 i = 0; i < o->nedges; i++)
		if (same_edge(&o->edge[i], thread, t, wanted->lock) &&
			o->edge[i].wanted.reading == wanted->reading)
			return;
	if (o->nedges == ORDER_EDGES) {
		o->full = true;
		return;
	}
	e = &o->edge[o->nedges++];
	e->thread = thread;
	e->nheld = t->nheld;
	e->wanted = *wanted;
	for (u32 i = 0; i < t->nheld; i++)
		e->held[i] = t->held[i];
	for (u32 i = 0; i < ORDER_THREADS; i++)
		e->clock[i] = t->clock[i];
}

void lock_graph_takes(
	struct lock_graph *o, u32 thread, u64 lock, u32 step, bool reading, bool waits)
{
	struct held_lock new = {lock, step, reading};
	struct lock_graph_thread *t = &o->thread[thread];
	bool again = false;

	if (thread >= ORDER_THREADS)
		return;
	for (u32 i = 0; i < t->nheld; i++)
		again |= t->held[i].lock == lock; /* recursive: no wait */
	if (waits && !again && t->nheld)
		add_lock_edge(o, thread, &new);
	if (t->nheld == ORDER_HELD)
		o->full = true;
	else
		t->held[t->nheld++] = new;
}

void lock_graph_frees(struct lock_graph *o, u32 thread, u64 lock)
{
	struct lock_graph_thread *t = &o->thread[thread];

	if (thread >= ORDER_THREADS)
		return;
	for (u32 i = t->nheld; i-- > 0;) {
		if (t->held[i].lock != lock)
			continue;
		for (t->nheld--; i < t->nheld; i++)
			t->held[i] = t->held[i + 1];
		return;
	}
}

static void learn_order(struct lock_graph *o, u32 thread, u32 from)
{
	for (u32 i = 0; i < ORDER_THREADS; i++)
		if (o->thread[thread].clock[i] < o->thread[from].clock[i])
			o->thread[thread].clock[i] = o->thread[from].clock[i];
}

void lock_graph_creates(struct lock_graph *o, u32 thread, u32 child)
{
	if (thread >= ORDER_THREADS || child >= ORDER_THREADS)
		return;
	learn_order(o, child, thread);
	o->thread[thread].clock[thread]++;
}

void lock_graph_joins(struct lock_graph *o, u32 thread, u32 child)
{
	if (thread < ORDER_THREADS && child < ORDER_THREADS)
		learn_order(o, thread, child);
}

/* --- cycles --------------------------------------------------------------------------------- */

struct lock_cycle_search {
	const struct lock_graph *o;
	const struct lock_edge **circle;
	u32 length; /* of the cycles searched for */
};

static const struct held_lock *find_held(const struct lock_edge *e, u64 lock)
{
	for (u32 i = 0; i < e->nheld; i++)
		if (e->held[i].lock == lock)
			return &e->held[i];
	return NULL;
}

/* Would a wait for the lock that b holds? */
static bool edge_waits_for(const struct lock_edge *a, const struct lock_edge *b)
{
	const struct held_lock *h = find_held(b, a->wanted.lock);

	return h && !(h->reading && a->wanted.reading);
}

/* Can both threads be at these operations at once? */
static bool can_meet(const struct lock_edge *a, const struct lock_edge *b)
{
	if (a->thread == b->thread || a->clock[b->thread] >= b->clock[b->thread] ||
		b->clock[a->thread] >= a->clock[a->thread])
		return false;
	for (u32 i = 0; i < a->nheld; i++) {
		const struct held_lock *h = find_held(b, a->held[i].lock);

		if (h && !(h->reading && a->held[i].reading))
			return false;
	}
	return true;
}

/* circle[0..n) is a path; extend it to a cycle of the given length. */
static bool extend_path(const struct lock_cycle_search *s, u32 n)
{
	const struct lock_edge *last = s->circle[n - 1];

	if (n == s->length)
		return edge_waits_for(last, s->circle[0]);
	for (u32 i = 0; i < s->o->nedges; i++) {
		const struct lock_edge *e = &s->o->edge[i];
		bool meets = e > s->circle[0]; /* each cycle from its first edge */

		for (u32 k = 0; k < n && meets; k++)
			meets = can_meet(s->circle[k], e);
		if (!meets || !edge_waits_for(last, e))
			continue;
		s->circle[n] = e;
		if (extend_path(s, n + 1))
			return true;
	}
	return false;
}

u32 lock_graph_cycle(const struct lock_graph *o, const struct lock_edge *circle[LOCK_GRAPH_CYCLE])
{
	struct lock_cycle_search s = {o, circle, 0};

	for (s.length = 2; s.length <= LOCK_GRAPH_CYCLE && s.length <= o->nedges; s.length++) {
		for (u32 i = 0; i < o->nedges; i++) {
			circle[0] = &o->edge[i];
			if (extend_path(&s, 1))
				return s.length;
		}
	}
	return 0;
}
