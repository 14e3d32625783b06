/* SPDX-License-Identifier: ISC */
/*
 * t_random_graph.c - random walks reach exactly the executions of the exhaustive search; guided
 * ones (pctwm.h) reach no others, and with various parameters together all.
 */
#include "trust/random/random_graph.h"

#include "unit.h"

#include <sys/mman.h>

#define THREADS	 2 /* besides main */
#define LENGTH	 3
#define PROGRAMS 16
#define WALKS	 4000
#define DEPTHS	 7 /* the largest draws all reads */
#define SEEN	 4096

static struct label code[THREADS][LENGTH];
static struct prng prng;
static struct trust x;

/* --- programs -------------------------------------------------------------------------------- */

static void make_program(void)
{
	static const u8 types[] = {LABEL_READ, LABEL_READ, LABEL_WRITE, LABEL_WRITE, LABEL_RMW,
		LABEL_CAS, LABEL_FENCE};
	static const u8 orders[] = {0, 0, 2, 3, 5};
	u32 loc[2];

	for (u32 i = 0; i < 2; i++)
		loc[i] = place_intern(x.places, 0x1000 + 64 * i, 8, 0);
	for (u32 t = 0; t < THREADS; t++) {
		for (u32 i = 0; i < LENGTH; i++) {
			struct label *l = &code[t][i];

			*l = (struct label){
				.type = types[prng_below(&prng, array_size(types))],
				.order = orders[prng_below(&prng, array_size(orders))],
				.size = 8,
				.op = 1,
				.value = 1 + prng_below(&prng, 2),
				.expected = prng_below(&prng, 2),
			};
			if (l->type != LABEL_FENCE)
				l->loc = loc[prng_below(&prng, 2)];
			else if (!l->order)
				l->order = 4;
		}
	}
}

static enum answer next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	u32 n = 0;

	for (u32 e = g->thread[t].first; e; e = g->event[e].po_next)
		n += !(g->event[e].flags & E_WAIT) &&
		     !(g->event[e].flags & E_WRITE && g->event[e].flags & E_EXCL);
	if (!t)
		*out = n < THREADS ? (struct label){.type = LABEL_CREATE, .other = (u16)(n + 1)}
				   : (struct label){.type = LABEL_END};
	else if (!n || n > LENGTH)
		*out = (struct label){.type = n ? LABEL_END : LABEL_START};
	else
		*out = code[t - 1][n - 1];
	return ANSWER_LABEL;
}

/* --- executions ------------------------------------------------------------------------------ */

static u64 seen[SEEN];
static u32 nseen;
static bool closed; /* all are known: no new one may appear */

static u64 name(const struct graph *g, u32 e)
{
	return e ? (u64)g->event[e].thread << 16 | g->event[e].index : 1;
}

/* A number for the graph, independent of the order in which its events were added. */
static u64 signature(const struct graph *g)
{
	u64 s = 0;

	for (u32 t = 0; t < g->nthreads; t++) {
		for (u32 e = g->thread[t].first; e; e = g->event[e].po_next) {
			const struct gevent *ev = &g->event[e];

			if (ev->flags & E_WRITE)
				s = prng_mix(s ^ name(g, ev->co_prev) ^ 1ull << 40);
			else if (ev->flags & E_READ)
				s = prng_mix(s ^ name(g, ev->rf) ^ 1ull << 41);
		}
	}
	return s;
}

static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	u64 s = signature(g);
	u32 i = 0;

	CU_ASSERT_EQUAL(how, LEAF_COMPLETE);
	while (i < nseen && seen[i] != s)
		i++;
	if (i < nseen)
		return true;
	CU_ASSERT_FATAL(nseen < SEEN);
	CU_ASSERT_FALSE(closed);
	seen[nseen++] = s;
	return true;
}

static void walk_freely(void)
{
	for (u32 k = 0; k < WALKS; k++)
		CU_ASSERT(walk(&x, &prng, NULL));
}

static void walk_guided(void)
{
	for (u32 depth = 1; depth <= DEPTHS; depth++) {
		struct pctwm guide;

		pctwm_init(&guide, depth, depth);
		for (u32 k = 0; k < WALKS / 4; k++)
			CU_ASSERT(walk(&x, &prng, &guide));
	}
}

static void compare(enum model_id m, void (*walks)(void))
{
	struct program program = {.next = next, .leaf = leaf};
	void *memory = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	u32 missed = 0, count = unit_count(PROGRAMS);

	CU_ASSERT_FATAL(memory != MAP_FAILED);
	prng_seed(&prng, 7);
	for (u32 i = 0; i < count; i++) {
		u32 all;

		madvise(memory, TRUST_MEMORY, MADV_DONTNEED);
		x = (struct trust){.depth = 0};
		trust_init(&x, memory, TRUST_MEMORY, m, &program);
		make_program();
		nseen = 0;
		closed = false;
		trust_run(&x);
		all = nseen;
		closed = true;
		walks();
		CU_ASSERT_EQUAL(nseen, all);
		nseen = 0; /* once more, to see that they are all there */
		closed = false;
		walks();
		missed += nseen != all;
	}
	munmap(memory, TRUST_MEMORY);
	CU_ASSERT_EQUAL(missed, 0);
}

static void sc(void)
{
	compare(MODEL_SC, walk_freely);
}

static void tso(void)
{
	compare(MODEL_TSO, walk_freely);
}

static void pso(void)
{
	compare(MODEL_PSO, walk_freely);
}

static void ra(void)
{
	compare(MODEL_SRA, walk_freely);
	compare(MODEL_RA, walk_freely);
}

static void rc11(void)
{
	compare(MODEL_RC11, walk_freely);
}

static void guided_ra(void)
{
	compare(MODEL_SRA, walk_guided);
	compare(MODEL_RA, walk_guided);
}

static void guided_rc11(void)
{
	compare(MODEL_RC11, walk_guided);
}

static void guided_buffers(void)
{
	compare(MODEL_SC, walk_guided);
	compare(MODEL_TSO, walk_guided);
	compare(MODEL_PSO, walk_guided);
}

const struct unit_test random_graph_tests[] = {
	{"sc", sc},
	{"tso", tso},
	{"pso", pso},
	{"ra", ra},
	{"rc11", rc11},
	{"pctwm: ra", guided_ra},
	{"pctwm: rc11", guided_rc11},
	{"pctwm: sc, tso, pso", guided_buffers},
	{NULL, NULL},
};
