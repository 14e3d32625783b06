/* SPDX-License-Identifier: ISC */
/*
 * t_linearize.c - every execution graph of random programs as a schedule on store buffers: each
 * read gets its source in the graph.
 *
 * A write's value is its event's number, so that a value identifies its source.
 */
#include "base/prng.h"
#include "trust/trust.h"
#include "model/buffer.h"
#include "model/linearize.h"

#include "unit.h"

#include <stdlib.h>
#include <sys/mman.h>

#define THREADS	 3 /* besides main, which creates and joins them */
#define LENGTH	 4
#define PLACES	 2
#define PROGRAMS 150

static struct label code[THREADS][LENGTH];
static u32 location[PLACES];
static struct prng prng;

/* --- programs -------------------------------------------------------------------------------- */

static struct label random_label(void)
{
	static const u8 types[] = {LABEL_READ, LABEL_READ, LABEL_READ, LABEL_WRITE, LABEL_WRITE,
		LABEL_WRITE, LABEL_RMW, LABEL_CAS, LABEL_FENCE};
	static const u8 orders[] = {0, 0, 2, 3, 5};
	struct label l = {.type = types[prng_below(&prng, array_size(types))],
		.order = orders[prng_below(&prng, array_size(orders))], .size = 8, .op = 1};

	l.value = 1 + prng_below(&prng, 2);
	l.fail = prng_below(&prng, 2) ? 5 : 0;
	if (l.type != LABEL_FENCE)
		l.loc = location[prng_below(&prng, PLACES)];
	else if (!l.order)
		l.order = 4;
	return l;
}

static struct label label_at(u32 t, u32 i)
{
	if (t)
		return i == 0		 ? (struct label){.type = LABEL_START}
		       : i <= LENGTH ? code[t - 1][i - 1]
				     : (struct label){.type = LABEL_END};
	if (i < THREADS)
		return (struct label){.type = LABEL_CREATE, .other = (u16)(i + 1)};
	if (i < 2 * THREADS)
		return (struct label){.type = LABEL_JOIN, .other = (u16)(i - THREADS + 1)};
	return (struct label){.type = LABEL_END};
}

static enum answer next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	u32 n = 0;

	for (u32 e = g->thread[t].first; e; e = g->event[e].po_next)
		n += !(g->event[e].flags & E_WAIT) &&
		     !(g->event[e].flags & E_WRITE && g->event[e].flags & E_EXCL);
	*out = label_at(t, n);
	return ANSWER_LABEL;
}

/* --- carrying out a plan --------------------------------------------------------------------- */

static struct plan plan;
static struct cycle cycle;
static void *memory;
static u64 place[PLACES];
static struct buffer buffer[THREADS + 1];

static u32 place_of(u32 loc)
{
	return loc == location[0] ? 0 : 1;
}

static void commit(const struct graph *g, u32 e)
{
	struct buffer *b = &buffer[g->event[e].thread];
	u64 addr = 0x1000 + 64 * place_of(g->event[e].loc);
	struct store s = {.size = 0};
	u32 k = 0;

	if (!b->pso) {
		buffer_pop(b, &s);
	} else {
		while (k < b->nready && buffer_peek(b, k)->addr != addr)
			k++;
		CU_ASSERT_FATAL(k < b->nready);
		buffer_take(b, k, &s);
	}
	CU_ASSERT_EQUAL(s.value[0], e);
	place[place_of(g->event[e].loc)] = s.value[0];
}

static u64 load(const struct graph *g, u32 e)
{
	u32 at = place_of(g->event[e].loc);
	struct store s;

	return buffer_lookup(&buffer[g->event[e].thread], 0x1000 + 64 * at, 8, &s) == LOOKUP_HIT
		       ? s.value[0]
		       : place[at];
}

static void step(const struct graph *g, enum model_id m, u32 e)
{
	const struct gevent *x = &g->event[e];
	struct buffer *b = &buffer[x->thread];
	u64 value[2] = {e, 0};

	if (x->flags & E_FULL)
		CU_ASSERT(buffer_empty(b));
	if (x->flags & E_READ)
		CU_ASSERT_EQUAL(load(g, e), x->rf);
	if (x->flags & E_READ && x->flags & E_EXCL)
		place[place_of(x->loc)] = x->po_next;
	if (x->flags & E_STORES && m == MODEL_PSO)
		buffer_mark(b);
	if (x->flags & E_WRITE && m == MODEL_SC)
		place[place_of(x->loc)] = e;
	else if (x->flags & E_WRITE)
		buffer_push(b, 0x1000 + 64 * place_of(x->loc), 8, value, 0);
}

static void carry_out(const struct graph *g, enum model_id m)
{
	place[0] = place[1] = 0;
	for (u32 t = 0; t <= THREADS; t++)
		buffer_init(&buffer[t], m == MODEL_PSO);
	for (u32 i = 0; i < plan.n; i++) {
		if (plan_commits(plan.item[i]))
			commit(g, plan_event(plan.item[i]));
		else
			step(g, m, plan.item[i]);
	}
	for (u32 t = 0; t <= THREADS; t++)
		CU_ASSERT(buffer_empty(&buffer[t]));
	for (u32 i = 0; i < PLACES; i++)
		CU_ASSERT_EQUAL(place[i],
			location[i] < g->nplaces ? g->place[location[i]].co_last : 0);
}

/* --- what must hold -------------------------------------------------------------------------- */

static u32 graphs, weak;

/* Each event once, after its source. */
static void check_causal(const struct graph *g)
{
	static bool seen[256];

	for (u32 i = 0; i <= g->n; i++)
		seen[i] = i == 0;
	linearize_causal(g, 0, memory, &plan);
	for (u32 i = 0; i < plan.n; i++) {
		const struct gevent *x = &g->event[plan.item[i]];

		CU_ASSERT(!seen[plan.item[i]]);
		CU_ASSERT(seen[x->po_prev]);
		if (!(x->flags & E_WRITE))
			CU_ASSERT(seen[x->rf]);
		seen[plan.item[i]] = true;
		if (x->flags & E_READ && x->flags & E_EXCL)
			seen[x->po_next] = true;
	}
	for (u32 i = 1; i <= g->n; i++)
		CU_ASSERT(seen[i]);
}

static void check_cycle(const struct graph *g)
{
	u32 others = 0;

	CU_ASSERT_FATAL(cycle.n >= 2);
	for (u32 i = 0; i < cycle.n; i++) {
		const struct edge *a = &cycle.edge[i], *b = &cycle.edge[(i + 1) % cycle.n];

		CU_ASSERT_EQUAL(a->to, b->from);
		CU_ASSERT(a->relation == REL_PO
				  ? g->event[a->from].thread == g->event[a->to].thread
				  : g->event[a->from].loc == g->event[a->to].loc);
		others += a->relation != REL_PO;
	}
	CU_ASSERT(others);
}

static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	bool sc;

	CU_ASSERT_EQUAL(how, LEAF_COMPLETE);
	graphs++;
	check_causal(g);
	sc = linearize_plan(g, MODEL_SC, 0, memory, &plan, &cycle);
	if (sc)
		carry_out(g, MODEL_SC);
	else
		check_cycle(g);
	weak += !sc;
	if (g->model == &model_sc)
		CU_ASSERT(sc);
	if (model_has_machine(g->model) && g->model != &model_sc) {
		CU_ASSERT_FATAL(linearize_plan(g, g->model->id, 0, memory, &plan, &cycle));
		carry_out(g, g->model->id);
	}
	return true;
}

static void explore(enum model_id m)
{
	static struct trust x;
	struct program program = {.next = next, .leaf = leaf};
	void *own = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	u32 items[512], count = unit_count(PROGRAMS);

	CU_ASSERT_FATAL(own != MAP_FAILED);
	plan.item = items;
	memory = malloc(1 << 16);
	graphs = weak = 0;
	prng_seed(&prng, 1);
	for (u32 i = 0; i < count; i++) {
		x = (struct trust){.depth = 0};
		madvise(own, TRUST_MEMORY, MADV_DONTNEED);
		trust_init(&x, own, TRUST_MEMORY, m, &program);
		for (u32 k = 0; k < PLACES; k++)
			location[k] = place_intern(x.places, 0x1000 + 64 * k, 8, 0);
		for (u32 t = 0; t < THREADS; t++)
			for (u32 k = 0; k < LENGTH; k++)
				code[t][k] = random_label();
		trust_run(&x);
		CU_ASSERT(x.over);
	}
	free(memory);
	munmap(own, TRUST_MEMORY);
	CU_ASSERT(graphs > count * 10);
	CU_ASSERT(m == MODEL_SC ? !weak : weak > count || count < PROGRAMS);
}

static void sc(void)
{
	explore(MODEL_SC);
}

static void tso(void)
{
	explore(MODEL_TSO);
}

static void pso(void)
{
	explore(MODEL_PSO);
}

static void ra(void)
{
	explore(MODEL_SRA);
	explore(MODEL_RA);
}

static void rc11(void)
{
	explore(MODEL_RC11);
}

const struct unit_test linearize_tests[] = {
	{"sc: a graph is an interleaving", sc},
	{"tso: a graph is a schedule of buffers", tso},
	{"pso: a graph is a schedule of buffers", pso},
	{"ra: causal order, a cycle where sc has none", ra},
	{"rc11: likewise", rc11},
	{NULL, NULL},
};
