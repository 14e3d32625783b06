/* SPDX-License-Identifier: ISC */
/*
 * rf_propose.c - other sources for the reads of an execution.
 *
 * The source of r is replaced, and of the events after r only the causal past (po and rf) of the
 * new source is kept. verify/verify.h decides whether that has a schedule.
 */
#include "model/visit.h"
#include "rf/rf_priv.h"

/* A change under consideration. */
struct proposal {
	enum rf_kind kind;
	u32 r;
	u32 source;  /* SOURCE: the write */
	u64 value;   /* that r reads */
	bool rare;   /* r fails spuriously */
	/* REVERSE, TAKE: the other operation and its position; it reads r's source */
	const struct label *label;
	u32 thread, before, index; /* the event before it in its thread, its own index */
	u32 taken;		   /* its source */
	u32 nkept;  /* events after r, in rf_priv.kept */
	u32 nitems; /* of them, without the writes of RMWs */
	u64 key[2]; /* hashes: sums over the parts of the proposal */
};

/* --- events that are kept --------------------------------------------------------------------- */

/* Add a part of the proposal to its key, independent of the order of parts. */
static void add_key_part(struct proposal *p, u64 what, u64 source)
{
	u64 v = what << 36 | source;

	p->key[0] += rf_mix(v + 0x9e3779b97f4a7c15u);
	p->key[1] += rf_mix(v ^ 0xbf58476d1ce4e5b9u);
}

static bool is_excl_write(const struct gevent *e)
{
	return e->flags & E_WRITE && e->flags & E_EXCL;
}

/* Keep the events after r that this clock has. */
static void keep_past(struct rf *x, struct proposal *p, const u16 *clock)
{
	const struct graph *g = &x->trust->graph;
	u16 *kept = x->priv->kept;

	p->nkept = p->nitems = 0;
	for (u32 e = p->r + 1; e <= g->n; e++) {
		const struct gevent *ev = &g->event[e];

		if (!clock_has(g, clock, e))
			continue; /* marks, too: they have no successors */
		kept[p->nkept++] = (u16)e;
		if (is_excl_write(ev))
			continue;
		p->nitems++;
		add_key_part(p, rf_name(g, e),
			ev->type == LABEL_CHOOSE ? ev->value
			: ev->flags & E_READ	 ? rf_name(g, ev->rf) << 1 | !!(ev->flags & E_RARE)
						 : 0);
	}
}

/* The name of r's new source. */
static u32 source_name(const struct graph *g, const struct proposal *p)
{
	return p->kind == RF_SOURCE ? rf_name(g, p->source) : p->thread << 16 | (p->index + 1);
}

/* The causal past of the change. False: it is cyclic. */
static bool gather_causes(struct rf *x, struct proposal *p)
{
	const struct graph *g = &x->trust->graph;
	const u16 *clock = graph_cause(g, p->kind == RF_SOURCE ? p->source : p->before);
	u16 both[GRAPH_THREADS] __attribute__((aligned(16)));

	p->key[0] = p->key[1] = 0;
	if (p->kind != RF_SOURCE) {
		clock_copy(both, clock, g->lanes);
		clock_join(both, graph_cause(g, p->taken), g->lanes);
		clock = both;
		if (clock[p->thread] >= p->index)
			return false;
		add_key_part(p, (u64)p->thread << 16 | p->index, rf_name(g, p->taken) << 1);
	}
	if (clock_has(g, clock, p->r))
		return false;
	keep_past(x, p, clock);
	if (p->kind != RF_TAKE)
		add_key_part(p, rf_name(g, p->r), source_name(g, p) << 1 | p->rare);
	add_key_part(p, 0, p->r);
	return true;
}

/* --- feasibility -------------------------------------------------------------------------- */

/* The instance: all events before r, the new r, the kept events, the other operation. */
static void pose_instance(struct rf *x, const struct proposal *p, struct effect f)
{
	struct rf_priv *v = x->priv;
	const struct graph *g = &x->trust->graph;
	const struct gevent *r = &g->event[p->r];
	u32 read = 0, other = 0;

	rf_instance_before(x, p->r);
	if (p->kind != RF_TAKE)
		read = rf_push_changed(x, trust_label(x->trust, p->r), r->thread, r->index, f);
	for (u32 i = 0; i < p->nkept; i++)
		rf_push(x, v->kept[i]);
	if (p->kind != RF_SOURCE) {
		other = rf_push_changed(
			x, p->label, p->thread, p->index, (struct effect){.excl = true});
		verify_source(&v->verify, other, p->taken ? v->pushed[p->taken] : 0);
	}
	if (read)
		verify_source(&v->verify, read,
			other ? other + 1 : p->source ? v->pushed[p->source] : 0);
	for (u32 i = 0; i < p->nkept; i++)
		rf_connect(x, v->kept[i]);
}

/* --- keeping a proposal
 * ------------------------------------------------------------------------------- */

/* Have the events that the kept event e needs been added? Those have marks of this epoch. */
static bool sources_added(const struct graph *g, u32 e, u32 r)
{
	const struct gevent *ev = &g->event[e];

	if (ev->po_prev > r && g->mark[ev->po_prev] != g->epoch)
		return false;
	if (!(ev->flags & E_WRITE) && ev->rf > r && g->mark[ev->rf] != g->epoch)
		return false;
	for (u32 i = ev->type == LABEL_LEAVE ? g->place[ev->loc].reads : 0; i > r;
		i = g->event[i].loc_prev)
		if (g->event[i].type == LABEL_ARRIVE && g->event[i].round == ev->round &&
			clock_has(g, graph_cause(g, e), i) && g->mark[i] != g->epoch)
			return false;
	return true;
}

static struct rf_item item_of(const struct graph *g, u32 e)
{
	const struct gevent *ev = &g->event[e];

	return (struct rf_item){ev->thread | (ev->flags & E_RARE ? ITEM_RARE : 0),
		ev->type == LABEL_CHOOSE ? (u32)ev->value
		: ev->flags & E_READ	 ? rf_name(g, ev->rf)
					 : 0};
}

/* The kept events, sources first: a read with a replaced source is before it in the graph. */
static void fill_items(struct rf *x, const struct proposal *p, struct rf_recipe *recipe)
{
	struct graph *g = &x->trust->graph;
	const u16 *kept = x->priv->kept;
	u32 n = 0;

	visit_begin(g);
	for (u32 left = p->nkept, before; left; ) {
		before = left;
		for (u32 i = 0; i < p->nkept; i++) {
			u32 e = kept[i];

			if (g->mark[e] == g->epoch || !sources_added(g, e, p->r))
				continue;
			g->mark[e] = g->epoch;
			left--;
			if (!is_excl_write(&g->event[e]))
				rf_items(recipe)[n++] = item_of(g, e);
		}
		BUG_ON(left == before);
	}
	if (p->kind != RF_SOURCE)
		rf_items(recipe)[n++] =
			(struct rf_item){p->thread | ITEM_NEW, rf_name(g, p->taken)};
	BUG_ON(n != recipe->nitems);
}

static void keep_proposal(struct rf *x, const struct proposal *p)
{
	const struct graph *g = &x->trust->graph;
	u32 plain = rf_plain_order(x, p->r, p->nkept, NULL), n = plain + rf_witness_order(x, NULL);
	struct rf_recipe *recipe =
		rf_keep(x, p->r, p->key, p->nitems + (p->kind != RF_SOURCE), n);

	if (!recipe)
		return;
	recipe->kind = p->kind;
	recipe->rare = p->rare;
	recipe->value = p->value;
	recipe->source = source_name(g, p);
	fill_items(x, p, recipe);
	rf_plain_order(x, p->r, p->nkept, rf_co(recipe));
	rf_witness_order(x, rf_co(recipe) + plain);
}

/* Would too many weak CASes fail spuriously? */
static bool too_many_rare(struct rf *x, const struct proposal *p)
{
	const struct graph *g = &x->trust->graph;
	u64 rare = p->rare;

	if (!p->rare)
		return false;
	for (u32 e = 1; e < p->r; e++)
		rare += !!(g->event[e].flags & E_RARE);
	for (u32 i = 0; i < p->nkept; i++)
		rare += !!(g->event[x->priv->kept[i]].flags & E_RARE);
	if (rare <= x->trust->weak_cas)
		return false;
	x->trust->bounded |= TRUST_RARE;
	return true;
}

/* Must the write w, which is in this clock, have reached memory by then, or be `thread`'s own?
 * Under PSO this does not hold for all earlier writes. */
static bool has_arrived(const struct graph *g, u32 w, const u16 *clock, u32 thread)
{
	const struct gevent *ev = &g->event[w];

	if (!w || g->model->buffers != BUFFERS_BY_LOCATION || ev->flags & E_EXCL ||
		ev->thread == thread)
		return true;
	for (u32 r = ev->readers; r; r = g->event[r].reader_next)
		if (g->event[r].thread != ev->thread && clock_has(g, clock, r))
			return true;
	return false;
}

/* Is the write w of this location known to have been overwritten where this clock of `thread` ends?
 * Then no later event reads it. */
static bool is_source_overwritten(
	const struct graph *g, u32 loc, u32 w, const u16 *clock, u32 thread)
{
	for (u32 v = g->place[loc].co_first; v; v = g->event[v].co_next) {
		const u16 *before = graph_cause(g, v);

		if (v != w && clock_has(g, clock, v) && has_arrived(g, v, clock, thread) &&
			clock_has(g, before, w) && has_arrived(g, w, before, g->event[v].thread))
			return true;
	}
	return false;
}

/* Check the bounds of the search: a long execution has many questions. */
static bool is_enough(struct rf *x)
{
	struct program *p = x->trust->program;

	if (program_enough(p))
		x->trust->answer = ANSWER_STOP;
	return x->trust->answer != ANSWER_LABEL;
}

/* Keep the proposal if it is new and possible. f: the effect of the value on r. */
static void propose(struct rf *x, struct proposal *p, struct effect f)
{
	x->proposals++;
	if (!gather_causes(x, p) || rf_known(x, p->r, p->key) || too_many_rare(x, p) ||
		is_enough(x))
		return;
	pose_instance(x, p, f);
	x->asked++;
	switch (verify_decide(&x->priv->verify)) {
	case VERIFY_YES:
		keep_proposal(x, p);
		return;
	case VERIFY_NO:
		x->refused++;
		break;
	default:
		x->undecided++;
		x->trust->bounded |= TRUST_HARD;
	}
	rf_refuse(x, p->r, p->key);
}

/* --- changes without a question ------------------------------------------------------------ */

/* A proposal that keeps the events before r; r waits, or chooses v. */
static void keep_prefix(struct rf *x, u32 r, enum rf_kind kind, u32 v)
{
	const struct graph *g = &x->trust->graph;
	struct proposal p = {.kind = kind, .r = r};
	struct rf_recipe *recipe;
	u32 n = 0;

	add_key_part(&p, (u64)kind, v);
	add_key_part(&p, 0, r);
	if (rf_known(x, r, p.key))
		return;
	for (u32 e = 1; e < r; e++)
		n += !!(g->event[e].flags & E_WRITE);
	recipe = rf_keep(x, r, p.key, 0, n);
	if (!recipe)
		return;
	recipe->kind = kind;
	recipe->source = v;
	n = 0;
	for (u32 loc = 0; loc < g->nplaces; loc++)
		for (u32 w = g->place[loc].co_first; w; w = g->event[w].co_next)
			if (w < r)
				rf_co(recipe)[n++] = rf_name(g, w);
	BUG_ON(n != recipe->nco);
}

void rf_propose_wait(struct rf *x, u32 r)
{
	if (x->priv->set[r].waits)
		return;
	x->priv->set[r].waits = true;
	keep_prefix(x, r, RF_WAIT, 0);
}

static void propose_numbers(struct rf *x, u32 r)
{
	const struct gevent *e = &x->trust->graph.event[r];

	for (u32 v = 0; e->state & RF_NEW && v < trust_label(x->trust, r)->value; v++)
		if (v != e->value)
			keep_prefix(x, r, RF_CHOOSE, v);
}

/* --- proposals
 * ------------------------------------------------------------------------------------ */

/* Operations on objects that wait until they can be performed. */
static bool op_waits(const struct label *l)
{
	return l->type == LABEL_SYNC && object_op_has(l->op, OP_WAITS);
}

/* The last write of r's thread to its location before r, or 0. */
static u32 own_write(const struct graph *g, u32 r)
{
	u32 e = g->event[r].po_prev;

	while (e && !(g->event[e].flags & E_WRITE && g->event[e].loc == g->event[r].loc))
		e = g->event[e].po_prev;
	return e;
}

/* Is r, reading this value, known to block its thread without a trace? */
static bool is_blocked_read(
	struct rf *x, u32 r, const struct label *l, u64 value, struct effect f)
{
	const struct cache *c = &x->trust->cache;
	const struct gevent *ev = &x->trust->graph.event[r];
	u32 next = l->type == LABEL_SYNC ? 0 : cache_find(c, ev->node, f.key);

	return next && label_blocked_read(&c->node[next].label) &&
	       (!f.excl || written_value(&x->trust->graph, l, ev->thread, value) == value);
}

/* r reads w. */
static void propose_source(struct rf *x, u32 r, u32 w)
{
	struct graph *g = &x->trust->graph;
	const struct label *l = trust_label(x->trust, r);
	const struct gevent *ev = &g->event[r];
	u64 value = graph_write_value(g, w, ev->loc);
	struct effect f = effect_of(l, ev->thread, value, false);
	bool same = w == ev->rf && !(ev->flags & E_WAIT);
	struct proposal p = {.kind = RF_SOURCE, .r = r, .source = w, .value = value};

	if (!f.ready || ((!w || x->priv->set[r].waits) && is_blocked_read(x, r, l, value, f)))
		return;
	if (!same)
		propose(x, &p, f);
	if (l->flags & LABEL_WEAK && f.excl && !(same && ev->flags & E_RARE)) {
		p.rare = true;
		propose(x, &p, effect_of(l, ev->thread, value, true));
	}
}

static void propose_sources(struct rf *x, u32 r)
{
	const struct graph *g = &x->trust->graph;
	const struct gevent *ev = &g->event[r];
	const u16 *clock = graph_cause(g, ev->po_prev);
	u32 own = own_write(g, r);
	bool all = ev->state & RF_NEW;

	for (u32 w = g->place[ev->loc].co_first; w; w = g->event[w].co_next) {
		if (!all && !(g->event[w].state & RF_NEW))
			continue;
		if (g->event[w].thread == ev->thread && w != own)
			continue;
		if (!is_source_overwritten(g, ev->loc, w, clock, ev->thread))
			propose_source(x, r, w);
	}
	if (all && !own && !is_source_overwritten(g, ev->loc, 0, clock, ev->thread))
		propose_source(x, r, 0);
}

/* Another operation l, after the event `before` of its thread, reads the source of the RMW r in its
 * place. */
static void propose_reversal(
	struct rf *x, u32 r, u32 thread, u32 before, u32 index, const struct label *l)
{
	struct graph *g = &x->trust->graph;
	const struct gevent *ev = &g->event[r];
	const struct label *mine = trust_label(x->trust, r);
	u64 old = graph_write_value(g, ev->rf, ev->loc);
	struct proposal p = {.r = r, .label = l, .thread = thread, .before = before,
		.index = index, .taken = ev->rf};
	struct effect f = effect_of(l, thread, old, false);

	if (thread == ev->thread || l->loc != ev->loc || !f.ready || !f.excl ||
		is_source_overwritten(g, ev->loc, ev->rf, graph_cause(g, before), thread))
		return;
	if (op_waits(mine)) {
		p.kind = RF_TAKE;
		propose(x, &p, f);
		return;
	}
	p.kind = RF_REVERSE;
	p.value = written_value(g, l, thread, old);
	f = effect_of(mine, ev->thread, p.value, false);
	if (!f.ready || (x->priv->set[r].waits && is_blocked_read(x, r, mine, p.value, f)))
		return;
	propose(x, &p, f);
	if (mine->flags & LABEL_WEAK && f.excl) {
		p.rare = true;
		propose(x, &p, effect_of(mine, ev->thread, p.value, true));
	}
}

/* Propose for the RMW r that a later or a waiting operation reads its source. */
static void propose_reversals(struct rf *x, u32 r)
{
	struct trust *t = x->trust;
	struct graph *g = &t->graph;

	for (u32 e = g->place[g->event[r].loc].reads; e > r; e = g->event[e].loc_prev) {
		const struct gevent *ev = &g->event[e];

		if ((ev->flags & (E_READ | E_PLAIN)) == E_READ && ev->type != LABEL_READ)
			propose_reversal(
				x, r, ev->thread, ev->po_prev, ev->index, trust_label(t, e));
	}
	for (u32 u = 0; u < g->nthreads; u++) {
		const struct gthread *th = &g->thread[u];
		const struct label *l = &t->cache.node[th->node].label;

		if (graph_is_alive(g, u) && l->type == LABEL_SYNC)
			propose_reversal(x, r, u, th->last, th->n + 1u, l);
	}
}

void rf_propose(struct rf *x)
{
	const struct graph *g = &x->trust->graph;

	rf_note_accesses(x);
	rf_instance(x);
	for (u32 r = 1; r <= g->n && x->trust->answer == ANSWER_LABEL; r++) {
		const struct gevent *ev = &g->event[r];
		bool takes = ev->flags & E_EXCL;

		if (ev->state & RF_MARKED || !rf_decides(ev) ||
			(ev->flags & E_PLAIN && !rf_is_scheduled(x->priv, ev)))
			continue;
		if (ev->type == LABEL_CHOOSE) {
			propose_numbers(x, r);
			continue;
		}
		if (!takes || !op_waits(trust_label(x->trust, r)))
			propose_sources(x, r);
		if (takes)
			propose_reversals(x, r);
	}
}
