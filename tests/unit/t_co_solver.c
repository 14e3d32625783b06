/* SPDX-License-Identifier: ISC */
/*
 * t_co_solver.c - a co for a reads-from, against all orders.
 *
 * Random graphs grow event by event, like the explorer's; each question is also decided by brute
 * force, which tries the orders of each location's writes and uses only the axioms. After a yes, co
 * is a witness; after a no, it is unchanged.
 */
#include "base/prng.h"
#include "model/co_solver.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define PLACES	3
#define WRITES	4 /* of a place */
#define EVENTS	18

static struct prng prng;
static struct graph graph;
static struct co_solver coherence;
static u32 questions, noes, lies;

/* --- all orders ------------------------------------------------------------------------------- */

static struct lock_graph {
	u32 n;
	u16 w[WRITES];
} co[PLACES + 1]; /* by location: 1 first */

static bool is_write(u32 e)
{
	return graph.event[e].flags & E_WRITE;
}

/* Happens-before is po|rf, and no event may see older values than its clock has. */
static bool is_causal(enum model_id m)
{
	return m == MODEL_SRA || m == MODEL_RA;
}

/* Does a stay before b, later in its thread, on these machines? (RMWs and fences are full
 * barriers.) */
static bool stays(enum model_id m, u32 a, u32 b)
{
	const struct gevent *x = &graph.event[a], *y = &graph.event[b];

	if (m == MODEL_SC || is_causal(m) || x->flags & E_FULL || y->flags & E_FULL || !is_write(a))
		return true;
	return m == MODEL_TSO && is_write(b);
}

static void add_po(u32 *row, enum model_id m, bool same_place)
{
	for (u32 a = 1; a <= graph.n; a++)
		for (u32 b = a + 1; b <= graph.n; b++)
			if (graph.event[a].thread == graph.event[b].thread &&
				(same_place ? graph.event[a].loc == graph.event[b].loc
					    : stays(m, a, b)))
				row[a] |= 1u << b;
}

static void add_rf(u32 *row, bool internal)
{
	for (u32 e = 1; e <= graph.n; e++) {
		u32 w = graph.event[e].rf;

		if (w && (internal || graph.event[w].thread != graph.event[e].thread))
			row[w] |= 1u << e;
	}
}

/* co, and (but under SRA) fr: a read comes before all writes behind its source. */
static void add_co(u32 *row, bool fr)
{
	for (u32 loc = 1; loc <= PLACES; loc++)
		for (u32 i = 0; i < co[loc].n; i++) {
			u32 after = 0;

			for (u32 k = i; k < co[loc].n; k++)
				after |= 1u << co[loc].w[k];
			for (u32 e = 1; e <= graph.n; e++) {
				const struct gevent *x = &graph.event[e];
				u32 before = i ? co[loc].w[i - 1] : 0;

				if (fr && x->loc == loc && x->flags & E_READ && x->rf == before)
					row[e] |= after;
			}
			row[co[loc].w[i]] |= after & ~(1u << co[loc].w[i]);
		}
}

static void close(u32 *row)
{
	for (u32 k = 1; k <= graph.n; k++)
		for (u32 a = 1; a <= graph.n; a++)
			if (row[a] >> k & 1)
				row[a] |= row[k];
}

static bool is_acyclic(u32 *row)
{
	close(row);
	for (u32 e = 1; e <= graph.n; e++)
		if (row[e] >> e & 1)
			return false;
	return true;
}

static bool is_consistent(enum model_id m)
{
	u32 place[EVENTS + 1] = {0}, all[EVENTS + 1] = {0}, order[EVENTS + 1] = {0};

	add_po(place, m, true);
	add_rf(place, true);
	add_co(place, true);
	if (!is_acyclic(place))
		return false;
	add_po(all, m, false);
	add_rf(all, m == MODEL_SC || is_causal(m));
	if (!is_causal(m)) {
		add_co(all, true);
		return is_acyclic(all);
	}
	if (m == MODEL_SRA) {
		__builtin_memcpy(order, all, sizeof order);
		add_co(order, false);
		if (!is_acyclic(order))
			return false;
		__builtin_memset(order, 0, sizeof order);
	}
	close(all);
	add_co(order, true);
	for (u32 a = 1; a <= graph.n; a++)
		for (u32 b = 1; b <= graph.n; b++)
			if (order[a] >> b & 1 && all[b] >> a & 1)
				return false;
	return true;
}

static u32 takes(u32 w) /* the source of an RMW's write */
{
	return graph.event[graph.event[w].po_prev].rf;
}

/* May w come next? An RMW's write comes directly behind its source. */
static bool may_follow(u32 loc, u32 w)
{
	u32 last = co[loc].n ? co[loc].w[co[loc].n - 1] : 0;

	for (u32 i = 0; i < co[loc].n; i++)
		if (co[loc].w[i] == w)
			return false;
	for (u32 e = 1; e <= graph.n; e++) {
		const struct gevent *x = &graph.event[e];

		if (is_write(e) && x->loc == loc && x->flags & E_EXCL &&
			(takes(e) == last) != (e == w) && (e == w || takes(e) == last))
			return false;
	}
	return true;
}

/* Is there a consistent order, with these writes as the last ones (0: any)? The places from loc on
 * are not ordered. */
static bool brute(enum model_id m, u32 loc, const u16 *last)
{
	u32 n = 0;

	if (loc > PLACES)
		return is_consistent(m);
	for (u32 e = 1; e <= graph.n; e++)
		n += is_write(e) && graph.event[e].loc == loc;
	if (co[loc].n == n)
		return (!last[loc] || last[loc] == co[loc].w[n - 1]) && brute(m, loc + 1, last);
	for (u32 e = 1; e <= graph.n; e++) {
		bool found;

		if (!is_write(e) || graph.event[e].loc != loc || !may_follow(loc, e))
			continue;
		co[loc].w[co[loc].n++] = (u16)e;
		found = brute(m, loc, last);
		co[loc].n--;
		if (found)
			return true;
	}
	return false;
}

static bool exists(enum model_id m, u32 last)
{
	u16 wanted[PLACES + 1] = {0};

	memset(co, 0, sizeof co);
	if (last)
		wanted[graph.event[last].loc] = (u16)last;
	return brute(m, 1, wanted);
}

/* The co of the graph. */
static void take_co(void)
{
	memset(co, 0, sizeof co);
	for (u32 loc = 1; loc <= PLACES && loc < graph.nplaces; loc++)
		for (u32 w = graph.place[loc].co_first; w; w = graph.event[w].co_next)
			co[loc].w[co[loc].n++] = (u16)w;
}

/* --- questions -------------------------------------------------------------------------------- */

static u32 below(u32 n)
{
	return (u32)prng_below(&prng, n);
}

/* was: co before the question. */
static bool judge(bool yes, bool expected, enum model_id m, const struct lock_graph *was)
{
	questions++;
	noes += !yes;
	take_co();
	if (coherence.undecided) {
		lies += expected;
		coherence.undecided = false;
		CU_ASSERT(!yes);
	} else {
		CU_ASSERT_EQUAL(yes, expected);
	}
	CU_ASSERT(yes ? is_consistent(m) : !memcmp(co, was, sizeof co));
	return yes;
}

static void add_write(u32 thread, u32 loc)
{
	struct label l = {.type = LABEL_WRITE, .loc = loc, .size = 4};
	u32 w = graph_push(&graph, thread, &l, 0, graph_write_flags(graph.model, &l, false));

	graph_co_insert(&graph, w, graph.place[loc].co_last);
	graph_clocks(&graph, w);
}

static void add_read(u32 thread, u32 loc, u32 source, bool rmw)
{
	struct label l = {.type = rmw ? LABEL_RMW : LABEL_READ, .loc = loc, .size = 4};
	struct lock_graph was[PLACES + 1];
	u32 e = graph_push(&graph, thread, &l, 0, graph_read_flags(graph.model, &l, rmw)), w;

	graph_set_source(&graph, e, source);
	graph_clocks(&graph, e);
	take_co();
	memcpy(was, co, sizeof co);
	if (!judge(co_solver_read(&coherence, &graph, e, 0), exists(graph.model->id, 0),
		    graph.model->id, was)) {
		graph_pop(&graph);
		return;
	}
	if (!rmw)
		return;
	w = graph_push(&graph, thread, &l, 0, graph_write_flags(graph.model, &l, true));
	graph_co_insert(&graph, w, source);
	graph_clocks(&graph, w);
	take_co();
	memcpy(was, co, sizeof co);
	if (judge(co_solver_write(&coherence, &graph, w), exists(graph.model->id, 0),
		    graph.model->id, was))
		return;
	graph_pop(&graph);
	graph_pop(&graph);
}

static void add_some(void)
{
	u32 thread = below(THREADS), loc = 1 + below(PLACES), n = 0, source = 0;
	bool rmw = !below(5);

	for (u32 e = 1; e <= graph.n; e++)
		n += is_write(e) && graph.event[e].loc == loc;
	if (!below(8)) {
		struct label l = {.type = LABEL_FENCE, .order = __ATOMIC_SEQ_CST};

		graph_clocks(&graph, graph_push(&graph, thread, &l, 0, E_FENCE | E_FULL));
		return;
	}
	if (n < WRITES && below(2)) {
		add_write(thread, loc);
		return;
	}
	for (u32 e = 1, i = below(n + 1); e <= graph.n && i; e++)
		if (is_write(e) && graph.event[e].loc == loc && !--i)
			source = e;
	rmw &= n < WRITES && graph.n + 2 <= EVENTS;
	for (u32 e = 1; e <= graph.n; e++)
		rmw &= !is_write(e) || graph.event[e].loc != loc ||
		       !(graph.event[e].flags & E_EXCL) || takes(e) != source;
	add_read(thread, loc, source, rmw);
}

static void ask_of_all(void)
{
	struct lock_graph was[PLACES + 1];

	for (u32 w = 1; w <= graph.n; w++) {
		u16 last[] = {(u16)w};

		if (!is_write(w))
			continue;
		take_co();
		memcpy(was, co, sizeof co);
		if (judge(co_solver_last(&coherence, &graph, last, 1), exists(graph.model->id, w),
			    graph.model->id, was))
			CU_ASSERT_EQUAL(graph.place[graph.event[w].loc].co_last, w);
	}
	take_co();
	memcpy(was, co, sizeof co);
	if (graph.model != &model_sc)
		judge(co_solver_sc(&coherence, &graph, NULL, 0), exists(MODEL_SC, 0), MODEL_SC,
			was);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void random_graphs(enum model_id m, u32 n, u64 budget)
{
	struct places *places = calloc(1, sizeof *places);
	u32 lanes = (THREADS + CLOCK_LANES - 1) & ~(CLOCK_LANES - 1u);
	size_t size = graph_memory(lanes, graph_clocks_of(model_of(m)));
	void *memory = aligned_alloc(64, (size + 63) & ~(size_t)63),
	     *own = calloc(1, co_solver_memory());

	CU_ASSERT_FATAL(places && memory && own);
	co_solver_init(&coherence, own);
	coherence.budget = budget;
	prng_seed(&prng, 1);
	for (u32 i = 0; i < n && CU_get_number_of_failures() < 20; i++) {
		graph_init(&graph, memory, model_of(m), lanes, places);
		while (graph.n < EVENTS - 1)
			add_some();
		ask_of_all();
	}
	free(places);
	free(memory);
	free(own);
}

static void answers(void)
{
	static const enum model_id models[] = {MODEL_SC, MODEL_TSO, MODEL_PSO, MODEL_SRA, MODEL_RA};

	for (u32 i = 0; i < array_size(models); i++) {
		questions = noes = lies = 0;
		random_graphs(models[i], getenv("LONG") ? 4000 : 100, 1u << 20);
		CU_ASSERT(!lies && questions > 1000 && noes > questions / 10 &&
			  noes < questions * 9 / 10);
	}
}

/* A no because of the limit of attempts is reported. */
static void limits(void)
{
	questions = noes = lies = 0;
	random_graphs(MODEL_SC, 150, 0);
	CU_ASSERT(lies > 0);
}

const struct unit_test co_solver_tests[] = {
	{"as all orders say", answers},
	{"limits are reported", limits},
	{NULL, NULL},
};
