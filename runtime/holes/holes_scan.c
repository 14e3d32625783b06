/* SPDX-License-Identifier: ISC */
/*
 * holes_scan.c - can a program have load buffering at all? See holes_possible().
 *
 * An execution with load buffering has a cycle of po and rf. A shortest one comes into a thread by
 * a read of one location and leaves it by a later write of another, once for each thread; and in
 * some thread the read is no cause of the write: the pair is *loose*. The pairs of all executions
 * without load buffering are known, from the cache: every history of a thread is in it. If they
 * allow no such cycle, then neither does any other execution: the first one, in the order of
 * holes_run(), would be one whose threads have known histories up to there.
 *
 * Causes are those inside the thread, for all sources of its reads, and whether or not a CAS
 * succeeds.
 */
#include "holes/holes.h"
#include "model/hardware/hardware.h"
#include "trust/trust_priv.h"

/* Locations of the scan: places; then one that CREATE writes and START reads, and one for END and
 * JOIN. */
#define CREATED	  PLACES_MAX
#define ENDED	  (CREATED + GRAPH_THREADS)
#define LOCATIONS (ENDED + GRAPH_THREADS)
#define SHARED	  128 /* with readers and writers in different threads */
#define WORDS	  (SHARED / 64)

struct pairs {
	u64 row[SHARED][WORDS]; /* [read]: bit of each location written later */
};

struct hscan {
	struct holes *h;
	u64 readers[LOCATIONS], writers[LOCATIONS]; /* threads */
	u8 number[LOCATIONS]; /* of a shared one, 1 first; 0: it is not */
	u32 nshared;
	struct pairs all[GRAPH_THREADS], loose[GRAPH_THREADS];
	u32 depth; /* the history in the graph: */
	struct {
		u32 node;
		u16 n, upto, index; /* of the thread, before it */
	} step[HOLES_INDICES + 1];
	u32 read[HOLES_EVENTS + 1]; /* locations, by event; LOCATIONS: none */
};

struct touched {
	u32 read, written; /* LOCATIONS: none */
};

static struct touched touched_by(const struct label *l, u32 t)
{
	struct touched a = {.read = LOCATIONS, .written = LOCATIONS};

	if (label_is_access(l) && (l->type == LABEL_PLAIN_READ || l->type == LABEL_PLAIN_WRITE) &&
		l->flags & LABEL_HEAP)
		return a;
	switch (l->type) {
	case LABEL_CREATE: a.written = CREATED + l->other; break;
	case LABEL_START: a.read = CREATED + t; break;
	case LABEL_END: a.written = ENDED + t; break;
	case LABEL_JOIN: a.read = ENDED + l->other; break;
	case LABEL_LEAVE: a.read = l->loc; break;
	case LABEL_WRITE:
	case LABEL_PLAIN_WRITE:
	case LABEL_ARRIVE: a.written = l->loc; break;
	}
	if (label_reads(l))
		a.read = l->loc;
	if (l->type == LABEL_RMW || l->type == LABEL_CAS || l->type == LABEL_SYNC)
		a.written = l->loc;
	return a;
}

/* --- locations -------------------------------------------------------------------------------- */

static bool is_scanned(const struct label *l)
{
	return l->type == LABEL_ARRIVE || l->type == LABEL_LEAVE || l->type == LABEL_SYNC ||
	       !holes_unsupported(l);
}

static u32 thread_of(const struct cache *c, u32 node)
{
	while (node > GRAPH_THREADS)
		node = c->node[node].parent;
	return node - 1;
}

/* False: some label is not known to the scan. */
static bool find_locations(struct hscan *s)
{
	const struct cache *c = &s->h->x->cache;

	for (u32 i = 1; i < c->n; i++) {
		const struct label *l = &c->node[i].label;
		struct touched a;
		u32 t;

		if (l->type == LABEL_UNKNOWN)
			continue;
		if (!is_scanned(l))
			return false;
		t = thread_of(c, i);
		a = touched_by(l, t);
		if (a.read != LOCATIONS)
			s->readers[a.read] |= 1ull << t;
		if (a.written != LOCATIONS)
			s->writers[a.written] |= 1ull << t;
	}
	return true;
}

static bool is_one(u64 set)
{
	return !(set & (set - 1));
}

/* False: too many are shared. */
static bool number_locations(struct hscan *s)
{
	for (u32 i = 0; i < LOCATIONS; i++) {
		u64 r = s->readers[i], w = s->writers[i];

		if (!r || !w || (is_one(r) && r == w))
			continue;
		if (s->nshared == SHARED)
			return false;
		s->number[i] = (u8)++s->nshared;
	}
	return true;
}

static u32 shared(const struct hscan *s, u32 location)
{
	return location == LOCATIONS ? 0 : s->number[location];
}

/* --- histories -------------------------------------------------------------------------------- */

static void add_history_event(struct hscan *s, const struct hevent *e, u32 location)
{
	struct hgraph *g = s->h->g;
	struct hthread *th = &g->thread[e->thread];
	u32 id = holes_add(g, e);

	th->upto = (u16)id;
	th->index = e->index;
	s->read[id] = location;
}

/* The events of that label, of thread t; an RMW that writes has two. Returns the last one. */
static u32 add_label(struct hscan *s, u32 t, const struct label *l, bool writes)
{
	struct holes *h = s->h;
	struct hevent e = holes_event(h, t, l);

	if (label_reads(l)) {
		e.flags = graph_read_flags(h->x->graph.model, l, writes);
		e.how = holes_read_orders(h, l, writes, e.flags);
	}
	add_history_event(s, &e, touched_by(l, t).read);
	if (writes) {
		e = holes_half_event(h, h->g->n);
		add_history_event(s, &e, LOCATIONS);
	} else if (holes_has_two(&e)) {
		h->g->thread[t].index++;
	}
	return h->g->n;
}

/* Back to `n' events. */
static void remove_events(struct hscan *s, u32 t, u32 n, u32 upto, u32 index)
{
	struct hgraph *g = s->h->g;

	g->n = g->places = n;
	g->thread[t].upto = (u16)upto;
	g->thread[t].index = (u16)index;
	if (upto)
		g->event[upto].next = 0;
	else
		g->thread[t].first = 0;
}

static void push_step(struct hscan *s, u32 t, u32 node, u64 result)
{
	struct hthread *th = &s->h->g->thread[t];
	const struct label *l = &s->h->x->cache.node[node].label;

	s->step[s->depth].node = node;
	s->step[s->depth].n = (u16)s->h->g->n;
	s->step[s->depth].upto = th->upto;
	s->step[s->depth++].index = th->index;
	th->node = node;
	add_label(s, t, l,
		l->type == LABEL_RMW || (l->type == LABEL_CAS && result == l->expected));
}

static void pop_step(struct hscan *s, u32 t)
{
	s->depth--;
	remove_events(
		s, t, s->step[s->depth].n, s->step[s->depth].upto, s->step[s->depth].index);
}

/* The graph becomes the history of this node. False: it is too long. */
static bool go_to_history(struct hscan *s, u32 *t, u32 node)
{
	const struct cache_node *at = s->h->x->cache.node;
	u32 way[HOLES_INDICES], n = 0, same = 0;

	for (u32 i = node; i > GRAPH_THREADS; i = at[i].parent) {
		if (n == HOLES_INDICES - 4)
			return false;
		way[n++] = i;
	}
	/* step[k] is at the parent of way[n - 1 - k] */
	while (same < n && same < s->depth && s->step[same].node == at[way[n - 1 - same]].parent &&
		(same + 1 == s->depth || s->step[same + 1].node == way[n - 1 - same]))
		same++;
	if (same == s->depth && same && s->h->g->thread[*t].node != s->step[same - 1].node)
		same = 0;
	while (s->depth > same)
		pop_step(s, *t);
	*t = thread_of(&s->h->x->cache, node);
	for (u32 k = same; k < n; k++) {
		if (s->h->g->thread[*t].index + 4 >= HOLES_INDICES)
			return false;
		push_step(s, *t, at[way[n - 1 - k]].parent, at[way[n - 1 - k]].key);
	}
	s->h->g->thread[*t].node = node;
	return true;
}

/* --- pairs ------------------------------------------------------------------------------------ */

static void add_rf_pair(struct pairs *p, u32 read, u32 written)
{
	p->row[read - 1][(written - 1) / 64] |= 1ull << (written - 1) % 64;
}

static bool has_rf_pair(const struct pairs *p, u32 read, u32 written)
{
	return p->row[read - 1][(written - 1) / 64] >> (written - 1) % 64 & 1;
}

/* The reads of the history, and the write w of the next step. */
static void pair_with(struct hscan *s, u32 t, u32 w, u32 written)
{
	const struct hgraph *g = s->h->g;
	struct hmarks cause;
	bool known = false;

	for (u32 e = 1; e < w; e++) {
		u32 read = shared(s, s->read[e]);

		if (!read || has_rf_pair(&s->loose[t], read, written))
			continue;
		add_rf_pair(&s->all[t], read, written);
		if (!known) {
			__builtin_memset(cause.issued, 0, g->n + 1);
			__builtin_memset(cause.done, 0, g->n + 1);
			holes_causes(s->h, &cause, w, true);
			known = true;
		}
		if (!cause.done[e])
			add_rf_pair(&s->loose[t], read, written);
	}
}

/* Is the next step after an earlier CAS only if that succeeds? */
static void look_at_success(struct hscan *s, u32 t, const struct label *l)
{
	struct holes *h = s->h;
	struct hevent y = holes_event(h, t, l);

	for (u32 r = 1; r <= h->g->n; r++)
		h->fails |= holes_orders_success(h, &h->g->event[r], &y);
}

/* Can it be? */
static bool may_order_success(const struct hscan *s, const struct label *l)
{
	return holes_success_orders(s->h) && !s->h->fails &&
	       (label_reads(l) || l->type == LABEL_FENCE);
}

/* False: a history is too long. */
static bool find_pairs(struct hscan *s)
{
	const struct cache *c = &s->h->x->cache;
	u32 t = 0;

	*s->h->g = (struct hgraph){.nthreads = GRAPH_THREADS};
	for (u32 i = 1; i < c->n; i++) {
		const struct label *l = &c->node[i].label;
		bool order = may_order_success(s, l);
		struct hthread was;
		u32 written, n;

		if (l->type == LABEL_UNKNOWN)
			continue;
		written = shared(s, touched_by(l, thread_of(c, i)).written);
		if (!written && !order)
			continue;
		if (!go_to_history(s, &t, i))
			return false;
		if (order)
			look_at_success(s, t, l);
		if (!written)
			continue;
		was = s->h->g->thread[t];
		n = s->h->g->n;
		pair_with(s, t, add_label(s, t, l, label_reads(l)), written);
		remove_events(s, t, n, was.upto, was.index);
	}
	return true;
}

/* --- cycles ----------------------------------------------------------------------------------- */

/* From location `from', by pairs of threads other than t, and one at least: is `to' reached?
 * differs: through another location. */
static bool reaches(const struct hscan *s, u32 t, u32 from, u32 to, bool differs)
{
	u64 seen[WORDS] = {0};
	u8 todo[SHARED];
	u32 n = 0;

	todo[n++] = (u8)from;
	while (n) {
		u32 at = todo[--n];

		for (u32 u = 0; u < GRAPH_THREADS; u++)
			for (u32 k = 0; k < s->nshared && u != t; k++) {
				if (!(s->all[u].row[at][k / 64] >> k % 64 & 1))
					continue;
				if (k == to && (!differs || at != to))
					return true;
				if (seen[k / 64] >> k % 64 & 1)
					continue;
				seen[k / 64] |= 1ull << k % 64;
				todo[n++] = (u8)k;
			}
	}
	return false;
}

/* Not along one location only: coherence forbids that. */
static bool has_scan_cycle(const struct hscan *s)
{
	for (u32 t = 0; t < GRAPH_THREADS; t++)
		for (u32 read = 1; read <= s->nshared; read++)
			for (u32 w = 1; w <= s->nshared; w++)
				if (has_rf_pair(&s->loose[t], read, w) &&
					reaches(s, t, w - 1, read - 1, w == read))
					return true;
	return false;
}

bool holes_possible(struct holes *h)
{
	static struct hscan scan;
	bool known, fails = h->fails;

	if (h->x->cache.kept != GRAPH_THREADS + 1)
		return true; /* histories have been forgotten */
	h->fails = false;
	__builtin_memset(&scan, 0, sizeof scan);
	scan.h = h;
	h->no_sources = true;
	known = find_locations(&scan) && number_locations(&scan) && find_pairs(&scan);
	h->fails |= fails && !known;
	h->no_sources = false;
	return !known || has_scan_cycle(&scan);
}
