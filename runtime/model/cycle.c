/* SPDX-License-Identifier: ISC */
/*
 * cycle.c - sequential consistency of one execution, by looking for a cycle (Shasha and Snir,
 * TOPLAS 1988: an execution is sequentially consistent iff po, rf, co and fr together are acyclic).
 *
 * Idea.   Nodes are the events but the commits. Memory is taken byte by byte, so that mixed sizes
 *         need no special case: the accesses of a byte, sorted by the time at which they took
 *         effect, give co (the writes), rf (a read has the last write before it, or the own
 *         store it was forwarded from) and fr (to the next write after that one). A synchronisation
 *         operation is a write to a byte that stands for its object. Strongly connected components
 *         (Tarjan) show whether there is a cycle; breadth-first search inside one finds a short
 *         one, in which a step along po may skip any number of events.
 */
#include "model/cycle.h"

#define NEVER_COMMITTED 0xffffffffu
#define RANGE_MAX	4096 /* only the first bytes of longer operations are checked */
#define SEARCH_MAX	256  /* breadth-first searches at most */

struct cycle_access {
	u64 byte;
	u32 time; /* of effect: a store's commit, else the event's step */
	u32 node; /* step of the event */
	u32 source; /* forwarded read: step of the store */
	bool reads, writes;
};

struct link {
	u32 to;
	u32 relation;
	u32 next; /* index + 1, 0 = end */
};

struct sc {
	const struct event *e;
	u32 n;
	struct arena *arena;
	struct cycle_access *access, *spare;
	u32 naccess;
	struct link *link;
	u32 nlink, maxlink;
	u32 *first;	  /* by step: its first link + 1 */
	u32 *po_next;	  /* by step: next event of the same thread, 0 = none */
	u32 *component;	  /* by step */
	u32 *order, *low, *stack, *from, *via, *queue;
};

/* --- collecting ------------------------------------------------------------------------------ */

static void link(struct sc *s, u32 from, u32 to, u32 relation)
{
	if (from == to || s->nlink == s->maxlink)
		return;
	s->link[s->nlink] = (struct link){to, relation, s->first[from]};
	s->first[from] = ++s->nlink;
}

static u32 bytes_of(const struct event *e)
{
	return e->size < RANGE_MAX ? e->size : RANGE_MAX;
}

static bool takes_part(const struct event *e)
{
	return kind_is_read_or_write(e->kind) && !(e->flags & EVENT_SPIN);
}

static void add_sc_access(struct sc *s, const struct event *e, const u32 *commit)
{
	for (u32 i = 0; i < bytes_of(e); i++)
		s->access[s->naccess++] = (struct cycle_access){
			.byte = e->addr + i,
			.time = e->flags & EVENT_BUFFERED ? commit[e->step] : e->step,
			.node = e->step,
			.source = e->flags & EVENT_FORWARDED ? e->from : 0,
			.reads = kind_is_read(e->kind),
			.writes = kind_is_write(e->kind),
		};
}

static void collect_accesses(struct sc *s, const u32 *commit)
{
	for (u32 i = 0; i < s->n; i++) {
		const struct event *e = &s->e[i];

		if (takes_part(e))
			add_sc_access(s, e, commit);
		else if (event_is_sync(e))
			s->access[s->naccess++] = (struct cycle_access){
				.byte = e->addr | 1ull << 63,
				.time = e->step,
				.node = e->step,
				.writes = true,
			};
	}
}

static bool comes_before(const struct cycle_access *a, const struct cycle_access *b)
{
	if (a->byte != b->byte)
		return a->byte < b->byte;
	return a->time != b->time ? a->time < b->time : a->node < b->node;
}

/* Merge sort by byte, then time. */
static void sort(struct sc *s)
{
	struct cycle_access *from = s->access, *to = s->spare, *swap;

	for (u32 width = 1; width < s->naccess; width *= 2) {
		for (u32 lo = 0; lo < s->naccess; lo += 2 * width) {
			u32 mid = lo + width < s->naccess ? lo + width : s->naccess;
			u32 hi = mid + width < s->naccess ? mid + width : s->naccess;
			u32 a = lo, b = mid, k = lo;

			while (a < mid || b < hi)
				to[k++] = b == hi || (a < mid && !comes_before(&from[b], &from[a]))
						  ? from[a++]
						  : from[b++];
		}
		swap = from;
		from = to;
		to = swap;
	}
	s->access = from;
}

/* --- relations ------------------------------------------------------------------------------- */

/* fr from a read whose source is `source`: to the writes of the same byte that follow it in co. */
static void link_fr(struct sc *s, u32 lo, u32 hi, const struct cycle_access *read, u32 source)
{
	bool passed = !source;

	for (u32 i = lo; i < hi; i++) {
		const struct cycle_access *w = &s->access[i];

		if (!w->writes)
			continue;
		if (passed) {
			link(s, read->node, w->node, REL_FR);
			if (w->time != NEVER_COMMITTED)
				return;
		}
		if (w->node == source) {
			if (w->time == NEVER_COMMITTED)
				return; /* nothing is known to follow it */
			passed = true;
		}
	}
}

/* All accesses of one byte, [lo, hi). */
static void link_byte(struct sc *s, u32 lo, u32 hi)
{
	u32 last = 0;

	for (u32 i = lo; i < hi; i++) {
		const struct cycle_access *a = &s->access[i];
		u32 source = a->source ? a->source : last;

		if (a->reads) {
			if (source && s->e[source - 1].thread != s->e[a->node - 1].thread)
				link(s, source, a->node, REL_RF);
			link_fr(s, lo, hi, a, source);
		}
		if (a->writes && last)
			link(s, last, a->node, REL_CO);
		if (a->writes && a->time != NEVER_COMMITTED)
			last = a->node;
	}
}

static void link_sc_threads(struct sc *s, u32 *last)
{
	for (u32 i = 0; i < s->n; i++) {
		const struct event *e = &s->e[i];
		u32 *start, *end;

		if (e->kind == EV_COMMIT || e->flags & EVENT_SPIN)
			continue;
		if (last[e->thread]) {
			s->po_next[last[e->thread]] = e->step;
			link(s, last[e->thread], e->step, REL_PO);
		}
		last[e->thread] = e->step;
		start = &last[65536 + (e->old[0] & 0xffff)];
		end = &last[2 * 65536 + (e->old[0] & 0xffff)];
		if (e->kind == EV_CREATE)
			*start = e->step;
		else if (e->kind == EV_START && *start)
			link(s, *start, e->step, REL_PO);
		else if (e->kind == EV_EXIT)
			*end = e->step;
		else if (e->kind == EV_JOIN && *end)
			link(s, *end, e->step, REL_PO);
	}
}

/* --- strongly connected components (Tarjan), without recursion -------------------------------- */

static void pop_component(struct sc *s, u32 root, u32 *top)
{
	u32 v;

	do {
		v = s->stack[--*top];
		s->component[v] = root;
	} while (v != root);
}

static void components_from(struct sc *s, u32 root, u32 *count)
{
	u32 top = 0, v = root;

	s->from[v] = 0;
	s->order[v] = s->low[v] = ++*count;
	s->via[v] = s->first[v];
	s->stack[top++] = v;
	while (v) {
		u32 l = s->via[v], w, parent;

		if (l) {
			w = s->link[l - 1].to;
			s->via[v] = s->link[l - 1].next;
			if (!s->order[w]) {
				s->from[w] = v;
				s->order[w] = s->low[w] = ++*count;
				s->via[w] = s->first[w];
				s->stack[top++] = w;
				v = w;
			} else if (!s->component[w] && s->order[w] < s->low[v]) {
				s->low[v] = s->order[w];
			}
			continue;
		}
		if (s->low[v] == s->order[v])
			pop_component(s, v, &top);
		parent = s->from[v];
		if (parent && s->low[v] < s->low[parent])
			s->low[parent] = s->low[v];
		v = parent;
	}
}

/* --- a short cycle --------------------------------------------------------------------------- */

static void reach_step(struct sc *s, u32 v, u32 w, u32 relation, u32 *tail, u32 stamp)
{
	if (s->component[w] != s->component[v] || s->order[w] == stamp)
		return;
	s->order[w] = stamp;
	s->from[w] = v;
	s->via[w] = relation;
	s->queue[(*tail)++] = w;
}

static void unwind_path(struct sc *s, u32 start, u32 last, u32 relation, struct cycle *c)
{
	u32 n = 1;

	for (u32 v = last; v != start; v = s->from[v])
		n++;
	if (n > CYCLE_MAX || (c->n && c->n <= n))
		return;
	c->n = n;
	c->edge[--n] = (struct edge){last, start, relation};
	for (u32 v = last; v != start; v = s->from[v])
		c->edge[--n] = (struct edge){s->from[v], v, s->via[v]};
}

/* The shortest cycle through start, into *c if it is shorter than the one there. */
static void search_from(struct sc *s, u32 start, u32 stamp, struct cycle *c)
{
	u32 head = 0, tail = 0;

	s->order[start] = stamp;
	s->queue[tail++] = start;
	while (head < tail) {
		u32 v = s->queue[head++];

		for (u32 l = s->first[v]; l; l = s->link[l - 1].next) {
			const struct link *k = &s->link[l - 1];

			if (k->to == start) {
				unwind_path(s, start, v, k->relation, c);
				return;
			}
			if (k->relation != REL_PO)
				reach_step(s, v, k->to, k->relation, &tail, stamp);
		}
		for (u32 l = s->first[v]; l; l = s->link[l - 1].next)
			if (s->link[l - 1].relation == REL_PO)
				reach_step(s, v, s->link[l - 1].to, REL_PO, &tail, stamp);
		for (u32 w = s->po_next[v]; w; w = s->po_next[w]) {
			if (w == start) {
				unwind_path(s, start, v, REL_PO, c);
				return;
			}
			reach_step(s, v, w, REL_PO, &tail, stamp);
		}
	}
}

static void shortest(struct sc *s, struct cycle *c)
{
	u32 searches = 0;

	for (u32 v = 1; v <= s->n; v++)
		s->order[v] = 0;
	for (u32 v = 1; v <= s->n && searches < SEARCH_MAX; v++) {
		bool cross = false;

		for (u32 l = s->first[v]; l; l = s->link[l - 1].next)
			cross |= s->link[l - 1].relation != REL_PO &&
				 s->component[s->link[l - 1].to] == s->component[v];
		if (cross)
			search_from(s, v, ++searches, c);
	}
}

/* --- all together ---------------------------------------------------------------------------- */

static u32 *numbers(struct sc *s, size_t n)
{
	return arena_take(s->arena, n * sizeof(u32));
}

static bool allocate_tables(struct sc *s, u32 **commit, u32 **last)
{
	size_t accesses = 0;

	for (u32 i = 0; i < s->n; i++)
		accesses += takes_part(&s->e[i]) ? bytes_of(&s->e[i]) : 1;
	s->maxlink = (u32)(4 * accesses + 2 * s->n + 64);
	s->access = arena_take(s->arena, accesses * sizeof *s->access);
	s->spare = arena_take(s->arena, accesses * sizeof *s->spare);
	s->link = arena_take(s->arena, s->maxlink * sizeof *s->link);
	*commit = numbers(s, s->n + 1);
	*last = numbers(s, 3 * 65536);
	s->first = numbers(s, s->n + 1);
	s->po_next = numbers(s, s->n + 1);
	s->component = numbers(s, s->n + 1);
	s->order = numbers(s, s->n + 1);
	s->low = numbers(s, s->n + 1);
	s->stack = numbers(s, s->n + 1);
	s->from = numbers(s, s->n + 1);
	s->via = numbers(s, s->n + 1);
	s->queue = numbers(s, s->n + 1);
	return s->access && s->spare && s->link && *commit && *last && s->queue;
}

static void relate(struct sc *s, u32 *commit, u32 *last)
{
	for (u32 i = 0; i <= s->n; i++)
		commit[i] = NEVER_COMMITTED;
	for (u32 i = 0; i < s->n; i++)
		if (s->e[i].kind == EV_COMMIT)
			commit[s->e[i].store] = s->e[i].step;
	link_sc_threads(s, last);
	collect_accesses(s, commit);
	sort(s);
	for (u32 lo = 0, hi; lo < s->naccess; lo = hi) {
		for (hi = lo; hi < s->naccess && s->access[hi].byte == s->access[lo].byte; hi++)
			;
		link_byte(s, lo, hi);
	}
}

enum verdict sc_check(const struct event *e, u32 n, struct arena *scratch, struct cycle *c)
{
	struct sc s = {.e = e, .n = n, .arena = scratch};
	u32 *commit, *last, count = 0;
	bool cyclic = false;

	c->n = 0;
	if (!allocate_tables(&s, &commit, &last))
		return SC_UNKNOWN;
	relate(&s, commit, last);
	if (s.nlink == s.maxlink)
		return SC_UNKNOWN;
	for (u32 v = 1; v <= n; v++)
		if (!s.order[v])
			components_from(&s, v, &count);
	for (u32 v = 1; v <= n && !cyclic; v++)
		for (u32 l = s.first[v]; l; l = s.link[l - 1].next)
			cyclic |= s.component[s.link[l - 1].to] == s.component[v];
	if (!cyclic)
		return SC_YES;
	shortest(&s, c);
	return SC_NO;
}
