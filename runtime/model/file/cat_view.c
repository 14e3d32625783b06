/* SPDX-License-Identifier: ISC */
/* cat_view.c - see cat_view.h. */
#include "model/file/cat_view.h"

#include "model/hardware/hardware.h"

#define TAG(name) (1ull << MAP_##name)

/* --- tags ------------------------------------------------------------------------------------- */

static bool view_is_sync(const struct gevent *x)
{
	switch (x->type) {
	case LABEL_CREATE:
	case LABEL_START:
	case LABEL_JOIN:
	case LABEL_END:
	case LABEL_ARRIVE:
	case LABEL_LEAVE: return true;
	}
	return x->flags & E_SYNC;
}

static bool in_view(const struct gevent *x)
{
	return (x->flags & (E_READ | E_WRITE | E_FENCE) && !event_is_aside(x)) || view_is_sync(x);
}

static bool view_reads(const struct gevent *x)
{
	return x->flags & E_READ || x->type == LABEL_START || x->type == LABEL_JOIN ||
	       x->type == LABEL_LEAVE;
}

static u32 c_order(u32 order)
{
	return order == __ATOMIC_CONSUME  ? __ATOMIC_ACQUIRE
	       : order > __ATOMIC_SEQ_CST ? __ATOMIC_SEQ_CST
					  : order;
}

static bool view_is_plain(const struct gevent *x)
{
	return x->type == LABEL_PLAIN_READ || x->type == LABEL_PLAIN_WRITE ||
	       ((x->type == LABEL_READ || x->type == LABEL_WRITE) &&
		       x->order >> 4 == LABEL_PROMOTED);
}

/* The order of an access as one of map.h: of a read-modify-write, the half's. */
static u32 access_order(const struct gevent *x)
{
	u32 order = c_order(x->order & 15);

	if (x->flags & E_SYNC)
		order = x->flags & E_SC	       ? __ATOMIC_SEQ_CST
			: x->flags & E_ACQUIRE ? __ATOMIC_ACQUIRE
			: x->flags & E_RELEASE ? __ATOMIC_RELEASE
					       : __ATOMIC_RELAXED;
	else if (view_is_sync(x))
		order = __ATOMIC_ACQ_REL;
	else if (view_is_plain(x))
		return MAP_PLAIN;
	else if (x->type == LABEL_CAS && !(x->flags & E_EXCL))
		order = c_order(x->order >> 4);
	if (view_reads(x))
		return order == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
		       : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
						   : order;
	return order == __ATOMIC_ACQ_REL   ? __ATOMIC_RELEASE
	       : order == __ATOMIC_ACQUIRE ? __ATOMIC_RELAXED
					   : order;
}

static u32 order_of_fence(const struct cat_map *m, const struct gevent *x)
{
	static const u8 orders[FENCE_KINDS] = {[FENCE_FULL] = __ATOMIC_SEQ_CST,
		[FENCE_LOADS] = __ATOMIC_ACQUIRE,
		[FENCE_STORES] = __ATOMIC_RELEASE,
		[FENCE_LIGHT] = __ATOMIC_ACQ_REL,
		[FENCE_READS] = __ATOMIC_ACQUIRE};

	if (x->op == FENCE_C || x->op >= FENCE_KINDS)
		return c_order(x->order & 15);
	return m->instructions || cat_map_has_fence(m, x->op) ? MAP_ORDERS + x->op - 1u
							      : orders[x->op];
}

static void join_decoration(struct decoration *d, const struct decoration *other)
{
	d->tags |= other->tags;
	d->before |= other->before;
	d->after |= other->after;
}

/* The instruction of a read-modify-write has both halves' orders, whether or not it succeeds. */
static struct decoration decoration_of_rmw(const struct cat_map *m, const struct gevent *x)
{
	u32 order = c_order(x->order & 15), fail = x->type == LABEL_CAS ? x->order >> 4 : order;

	return map_rmw(m, (int)order, (int)fail, view_reads(x) ? MAP_LOAD : MAP_STORE);
}

static struct decoration decoration_of(const struct cat_map *m, const struct gevent *x)
{
	struct decoration d;

	if (x->flags & E_FENCE) {
		d = m->of[MAP_FENCE][order_of_fence(m, x)];
		d.tags |= TAG(F);
		return d;
	}
	d = m->instructions && event_is_rmw(x)
		    ? decoration_of_rmw(m, x)
		    : m->of[view_reads(x) ? MAP_LOAD : MAP_STORE][access_order(x)];
	d.tags |= view_reads(x) ? TAG(R) : TAG(W);
	if (event_is_lock(x))
		d.tags |= TAG(LOCK);
	if (event_is_rmw(x) || (x->flags & (E_SYNC | E_EXCL)) == (E_SYNC | E_EXCL)) {
		join_decoration(&d, &m->rmw);
		d.tags |= TAG(RMW) | (x->flags & E_NO_RESULT && view_reads(x) ? TAG(NoRet) : 0);
		/* Fences do not come between its halves. */
		if (x->flags & E_EXCL)
			*(x->flags & E_READ ? &d.after : &d.before) = 0;
	}
	if (view_is_sync(x)) {
		join_decoration(&d, &m->sync);
		d.tags |= TAG(SYNC);
		if (x->flags & E_EXCL)
			*(x->flags & E_READ ? &d.after : &d.before) = 0;
	} else if (access_order(x) == MAP_PLAIN) {
		d.tags |= TAG(NA);
	}
	return d;
}

/* --- events ----------------------------------------------------------------------------------- */

/* Its location; threads have one that is written at creation, and one at the end. */
static u32 view_location(const struct graph *g, const struct gevent *x)
{
	switch (x->type) {
	case LABEL_CREATE: return g->nplaces + 2 * (u32)x->value;
	case LABEL_START: return g->nplaces + 2u * x->thread;
	case LABEL_END: return g->nplaces + 2u * x->thread + 1;
	case LABEL_JOIN: return g->nplaces + 2u * g->event[x->rf].thread + 1;
	}
	return x->loc;
}

static void add_access_part(struct cat_view *v, u32 e, u32 loc, u32 part, u64 tags)
{
	u32 i = v->frame.n;

	if (i == VIEW_EVENTS) {
		v->full = true;
		return;
	}
	v->frame.n++;
	v->event[i] = (u16)e;
	v->loc[i] = (u16)loc;
	v->part[i] = (u8)part;
	v->tags[i] = tags;
	if (part == VIEW_ITSELF && e)
		v->number[e] = (u16)(i + 1);
}

static void add_fence(struct cat_view *v, u32 e, u32 part, u64 tags)
{
	if (tags)
		add_access_part(v, e, 0, part, tags | TAG(F));
}

/* The order with acquire, or release, too. */
static u32 stronger_order(u32 order, u32 change)
{
	bool acquires = change & CHANGE_ACQUIRES || order_acquires((int)order),
	     releases = change & CHANGE_RELEASES || order_releases((int)order);

	if (order == __ATOMIC_SEQ_CST)
		return order;
	return acquires && releases ? __ATOMIC_ACQ_REL
	       : acquires	    ? __ATOMIC_ACQUIRE
	       : releases	    ? __ATOMIC_RELEASE
				    : order;
}

/* An event as it would be in the changed program, and a fence behind it. */
static void add_changed(struct cat_view *v, u32 e, u32 change)
{
	struct gevent x = v->g->event[e];
	struct decoration d, fence = v->map->of[MAP_FENCE][__ATOMIC_SEQ_CST];

	x.order = (u8)((x.order & ~15u) | stronger_order(c_order(x.order & 15), change));
	d = decoration_of(v->map, &x);
	add_fence(v, e, VIEW_BEFORE, d.before);
	add_access_part(v, e, view_location(v->g, &x), VIEW_ITSELF, d.tags);
	add_fence(v, e, VIEW_AFTER, d.after);
	if (!(change & CHANGE_FENCE))
		return;
	add_fence(v, e, VIEW_AFTER, fence.before);
	add_access_part(v, e, 0, VIEW_AFTER, fence.tags | TAG(F));
	add_fence(v, e, VIEW_AFTER, fence.after);
}

static void add_view_event(struct cat_view *v, u32 e)
{
	const struct gevent *x = &v->g->event[e];
	struct decoration d;

	if (!in_view(x))
		return;
	if (unlikely(v->change && v->change[e])) {
		add_changed(v, e, v->change[e]);
		return;
	}
	d = decoration_of(v->map, x);
	add_fence(v, e, VIEW_BEFORE, d.before);
	add_access_part(v, e, view_location(v->g, x), VIEW_ITSELF, d.tags);
	add_fence(v, e, VIEW_AFTER, d.after);
}

/* --- readers that have not ended -------------------------------------------------------------- */

/* Does y end the reader of x? */
static bool ends_reader(const struct gevent *x, const struct gevent *y)
{
	if (x->op == FENCE_SRCU_LOCK)
		return event_is_fence(y, FENCE_SRCU_UNLOCK) && y->loc == x->loc &&
		       y->value == x->value;
	return event_is_fence(y, FENCE_RCU_UNLOCK) && y->thread == x->thread && y->index > x->index;
}

static bool is_open_reader(const struct cat_view *v, const struct gevent *x)
{
	const struct graph *g = v->g;

	if (!event_is_fence(x, FENCE_RCU_LOCK) && !event_is_fence(x, FENCE_SRCU_LOCK))
		return false;
	if (g->event[g->thread[x->thread].last].type == LABEL_END)
		return false;
	for (u32 i = 0; i < v->frame.n; i++)
		if (ends_reader(x, &g->event[v->event[i]]))
			return false;
	return true;
}

/* An execution may end early, by a failure: readers that it is within end behind all events of
 * their threads, so that grace periods do not end before them. */
static void add_ends_of_readers(struct cat_view *v)
{
	u32 n = v->frame.n;

	for (u32 i = 0; i < n; i++) {
		const struct gevent *x = &v->g->event[v->event[i]];
		u32 kind;

		if (v->part[i] != VIEW_ITSELF || !(x->flags & E_FENCE) || !is_open_reader(v, x))
			continue;
		kind = x->op == FENCE_RCU_LOCK ? FENCE_RCU_UNLOCK : FENCE_SRCU_UNLOCK;
		add_access_part(v, v->event[i], v->loc[i], VIEW_END,
			v->map->of[MAP_FENCE][MAP_ORDERS + kind - 1].tags | TAG(F));
	}
}

bool cat_view_open(struct cat_view *v, const struct graph *g, const struct cat_map *map,
	const u16 *node, u32 n, u64 *memory)
{
	v->g = g;
	v->map = map;
	v->frame.n = 0;
	v->full = false;
	for (u32 i = 0; i < n && node; i++)
		add_view_event(v, node[i]);
	for (u32 e = 1; e <= g->n && !node; e++)
		add_view_event(v, e);
	if (unlikely(cat_map_has_fence(map, FENCE_RCU_LOCK)))
		add_ends_of_readers(v);
	for (u32 loc = 1; loc < g->nplaces && !node; loc++) {
		const struct gplace *p = &g->place[loc];

		if ((p->co_first || p->reads) && !(g->event[p->co_first].flags & E_HEAP))
			add_access_part(v, 0, loc, VIEW_ITSELF, TAG(W) | TAG(IW));
	}
	v->frame = frame_of(v->frame.n, memory);
	if (v->full)
		cat_view_close(v);
	return !v->full;
}

void cat_view_close(struct cat_view *v)
{
	for (u32 i = 0; i < v->frame.n; i++)
		v->number[v->event[i]] = 0;
}

void cat_view_tag(const struct cat_view *v, u32 tag, u64 *set)
{
	for (u32 i = 0; i < v->frame.n; i++)
		set[i / 64] |= (v->tags[i] >> tag & 1) << i % 64;
}

/* --- relations -------------------------------------------------------------------------------- */

/* The thread; initial writes have one each. */
static u32 view_thread(const struct cat_view *v, u32 i)
{
	return v->event[i] ? v->g->event[v->event[i]].thread : GRAPH_THREADS + i;
}

static void relate_po(struct cat_view *v, u64 *r)
{
	u32 next[GRAPH_THREADS] = {0}; /* the first one so far, + 1 */

	for (u32 i = v->frame.n; i--;) {
		u32 t = view_thread(v, i), after;

		if (t >= GRAPH_THREADS)
			continue;
		after = next[t];
		if (after) {
			const u64 *from = relation_row(&v->frame, r, after - 1);
			u64 *to = relation_row(&v->frame, r, i);

			for (u32 k = 0; k < v->frame.words; k++)
				to[k] = from[k];
			relation_add(&v->frame, r, i, after - 1);
		}
		next[t] = i + 1;
	}
}

/* The first event of the same thread, or of the same location. */
static u32 first_alike(const struct cat_view *v, u32 i, bool thread)
{
	for (u32 j = 0; j < i; j++)
		if (thread ? view_thread(v, j) == view_thread(v, i) : v->loc[j] == v->loc[i])
			return j;
	return i;
}

/* All events of a thread, or of a location, with each other. */
static void relate_alike(struct cat_view *v, u64 *r, bool thread)
{
	u16 first[VIEW_EVENTS];
	u32 words = v->frame.words;

	for (u32 i = 0; i < v->frame.n; i++) {
		first[i] = (u16)first_alike(v, i, thread);
		if (thread || v->loc[i])
			relation_add(&v->frame, r, first[i], i);
	}
	for (u32 i = 0; i < v->frame.n; i++)
		for (u32 k = 0; k < words && first[i] != i; k++)
			r[i * words + k] = r[first[i] * words + k];
}

static void relate_ext(struct cat_view *v, u64 *r)
{
	u32 words = v->frame.words, rest = v->frame.n % 64;

	relate_alike(v, r, true);
	for (u32 i = 0; i < v->frame.n * words; i++)
		r[i] = ~r[i] & ((i + 1) % words || !rest ? ~0ull : (1ull << rest) - 1);
}

/* The initial write of the location; VIEW_EVENTS: it is not in view. */
static u32 initial_write(const struct cat_view *v, u32 loc)
{
	for (u32 i = v->frame.n; i-- && !v->event[i];)
		if (v->loc[i] == loc)
			return i;
	return VIEW_EVENTS;
}

/* From its source, w of the graph. */
static void relate_source(struct cat_view *v, u64 *r, u32 w, u32 i)
{
	u32 from = w ? v->number[w] - 1u : initial_write(v, v->loc[i]);

	if (from < VIEW_EVENTS)
		relation_add(&v->frame, r, from, i);
}

static void relate_round(struct cat_view *v, u64 *r, u32 i)
{
	const struct gevent *event = v->g->event, *x = &event[v->event[i]];

	for (u32 a = v->g->place[x->loc].reads; a; a = event[a].loc_prev)
		if (event[a].type == LABEL_ARRIVE && event[a].round == x->round)
			relate_source(v, r, a, i);
}

/* Of a graph with load buffering, too: holes/holes.h. */
static u32 view_source(const struct cat_view *v, const struct gevent *x)
{
	return unlikely(v->g->holes) && x->flags & E_READ && x->cursor ? x->cursor : x->rf;
}

static void relate_rf(struct cat_view *v, u64 *r)
{
	for (u32 i = 0; i < v->frame.n; i++) {
		const struct gevent *x = &v->g->event[v->event[i]];

		if (!v->event[i] || v->part[i] != VIEW_ITSELF)
			continue;
		if (x->type == LABEL_LEAVE)
			relate_round(v, r, i);
		else if (x->flags & E_READ || x->rf)
			relate_source(v, r, view_source(v, x), i);
	}
}

/* The writes from w of the graph on, in co, after event i of the view. */
static void relate_writes(struct cat_view *v, u64 *r, u32 i, u32 w)
{
	for (; w; w = v->g->event[w].co_next)
		if (v->number[w])
			relation_add(&v->frame, r, i, v->number[w] - 1u);
}

static void relate_co(struct cat_view *v, u64 *r)
{
	for (u32 i = 0; i < v->frame.n; i++) {
		const struct gevent *x = &v->g->event[v->event[i]];

		if (v->part[i] != VIEW_ITSELF)
			continue;
		if (!v->event[i])
			relate_writes(v, r, i, v->g->place[v->loc[i]].co_first);
		else if (x->flags & E_WRITE)
			relate_writes(v, r, i, x->co_next);
	}
}

static void relate_fr(struct cat_view *v, u64 *r)
{
	for (u32 i = 0; i < v->frame.n; i++) {
		const struct gevent *x = &v->g->event[v->event[i]];
		u32 source;

		if (!v->event[i] || v->part[i] != VIEW_ITSELF || !(x->flags & E_READ))
			continue;
		source = view_source(v, x);
		relate_writes(v, r, i, source ? v->g->event[source].co_next
					      : v->g->place[x->loc].co_first);
	}
}

/* In a graph with holes the write may be missing. */
static bool has_write_half(const struct cat_view *v, const struct gevent *x)
{
	const struct gevent *w = &v->g->event[x->po_next];

	return x->flags & E_EXCL && x->flags & E_READ && v->number[x->po_next] &&
	       w->flags & E_EXCL && w->flags & E_WRITE && w->loc == x->loc;
}

static void relate_rmw(struct cat_view *v, u64 *r)
{
	for (u32 i = 0; i < v->frame.n; i++) {
		const struct gevent *x = &v->g->event[v->event[i]];

		if (v->event[i] && v->part[i] == VIEW_ITSELF && has_write_half(v, x))
			relation_add(&v->frame, r, i, v->number[x->po_next] - 1u);
	}
}

/* The end of a reader has its number from its beginning, in whatever thread it is. */
static void relate_srcu(struct cat_view *v, u64 *r, u32 i)
{
	const struct gevent *x = &v->g->event[v->event[i]];

	if (!event_is_fence(x, FENCE_SRCU_LOCK))
		return;
	for (u32 j = 0; j < v->frame.n; j++)
		if (v->part[j] == VIEW_END
				? v->event[j] == v->event[i]
				: v->part[j] == VIEW_ITSELF &&
					  ends_reader(x, &v->g->event[v->event[j]]))
			relation_add(&v->frame, r, i, j);
}

static void relate_dependencies(struct cat_view *v, u64 *r, enum dependency how)
{
	for (u32 i = 0; i < v->frame.n; i++) {
		struct po_scan s = scan_begin(v->g, v->event[i]);

		if (!v->event[i] || v->part[i] != VIEW_ITSELF)
			continue;
		if (unlikely(s.x->flags & E_FENCE) && how == BY_DATA)
			relate_srcu(v, r, i);
		if (!(s.x->flags & E_READ))
			continue;
		while (scan_next(&s)) {
			u32 y = v->number[s.y - v->g->event];

			if (y && (how == BY_CONTROL ? scan_controls(&s) : scan_depends(&s, how)))
				relation_add(&v->frame, r, i, y - 1);
		}
	}
}

void cat_view_base(struct cat_view *v, enum cat_base b, u64 *r)
{
	switch (b) {
	case CAT_BASE_po: relate_po(v, r); break;
	case CAT_BASE_rf: relate_rf(v, r); break;
	case CAT_BASE_co: relate_co(v, r); break;
	case CAT_BASE_fr: relate_fr(v, r); break;
	case CAT_BASE_loc: relate_alike(v, r, false); break;
	case CAT_BASE_int: relate_alike(v, r, true); break;
	case CAT_BASE_ext: relate_ext(v, r); break;
	case CAT_BASE_id: relation_reflect(&v->frame, r); break;
	case CAT_BASE_rmw: relate_rmw(v, r); break;
	case CAT_BASE_addr: relate_dependencies(v, r, BY_ADDRESS); break;
	case CAT_BASE_data: relate_dependencies(v, r, BY_DATA); break;
	case CAT_BASE_ctrl: relate_dependencies(v, r, BY_CONTROL); break;
	case CAT_BASE_COUNT: break;
	}
}
