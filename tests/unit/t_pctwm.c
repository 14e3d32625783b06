/* SPDX-License-Identifier: ISC */
/*
 * t_pctwm.c - guided walks on straight-line programs find bugs of a known number of communications
 * as often as theory says.
 *
 * Thread 1 reads X a number of times, thread 2 writes 1, 2 and 3 to it, by relaxed accesses under
 * RC11. A walk is a hit if certain reads see certain values.
 */
#include "trust/random/random_graph.h"

#include "unit.h"

#include <sys/mman.h>

#define WALKS  40000
#define READS  20
#define WRITES 3

static u32 seen[READS]; /* values, in the last walk */

/* main creates two threads, and ends. */
static enum answer next(struct program *p, struct graph *g, u32 t, struct label *out)
{
	static const u32 threads = 2;
	u32 loc = *(const u32 *)p->context, n = 0;

	for (u32 e = g->thread[t].first; e; e = g->event[e].po_next)
		n += !(g->event[e].flags & E_WAIT);
	if (!t)
		*out = n < threads ? (struct label){.type = LABEL_CREATE, .other = (u16)(n + 1)}
				   : (struct label){.type = LABEL_END};
	else if (!n)
		*out = (struct label){.type = LABEL_START};
	else if (n > (t == 1 ? READS : WRITES))
		*out = (struct label){.type = LABEL_END};
	else
		*out = (struct label){.type = t == 1 ? LABEL_READ : LABEL_WRITE,
			.loc = loc,
			.size = 8,
			.value = t == 1 ? 0 : n};
	return ANSWER_LABEL;
}

static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	u32 n = 0;

	CU_ASSERT_EQUAL(how, LEAF_COMPLETE);
	for (u32 e = g->thread[1].first; e; e = g->event[e].po_next)
		if (g->event[e].flags & E_READ)
			seen[n++] = (u32)graph_write_value(g, g->event[e].rf, g->event[e].loc);
	CU_ASSERT_EQUAL(n, READS);
	return true;
}

/* Of WALKS, those in which read `first' sees `value', the reads before it nothing, and the last one
 * `last'. depth: 0: all choices are equally likely. */
static u32 hits(u32 depth, u32 history, u32 first, u32 value, u32 last)
{
	static struct trust x;
	u32 loc, n = 0;
	struct program program = {.context = &loc, .next = next, .leaf = leaf};
	struct prng prng;
	struct pctwm guide;
	void *memory = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	CU_ASSERT_FATAL(memory != MAP_FAILED);
	x = (struct trust){.depth = 0};
	trust_init(&x, memory, TRUST_MEMORY, MODEL_RC11, &program);
	loc = place_intern(x.places, 0x1000, 8, 0);
	prng_seed(&prng, 1);
	pctwm_init(&guide, depth, history);
	for (u32 i = 0; i < WALKS; i++) {
		CU_ASSERT(walk(&x, &prng, depth ? &guide : NULL));
		n += (!first || !seen[first - 1]) && seen[first] == value &&
		     seen[READS - 1] == last;
	}
	munmap(memory, TRUST_MEMORY);
	return n;
}

/* All reads have their local view: the initial value. */
static void nothing_is_drawn(void)
{
	CU_ASSERT_EQUAL(hits(1, 2, 0, 0, 0), WALKS);
}

/* In one of two walks a read is drawn, 1/20: read 7. It sees one of the newest writes, and so do
 * those after it. With two writes, 2 has a chance of 1/2: 500 are expected, deviation 22; with one,
 * it is 3: 1000, 31. */
static void one_is_drawn(void)
{
	u32 n = hits(2, 2, 7, 2, 2);

	CU_ASSERT(n > 430 && n < 570);
	n = hits(2, 1, 7, 3, 3);
	CU_ASSERT(n > 900 && n < 1100);
	CU_ASSERT_EQUAL(hits(0, 0, 7, 2, 2), 0);
}

/* In one of three walks two reads are drawn, 12/190: read 7 and a later one. They see 1 and 2, each
 * with a chance of 1/3: 94 are expected, deviation 10. */
static void two_are_drawn(void)
{
	u32 n = hits(3, 3, 7, 1, 2);

	CU_ASSERT(n > 64 && n < 124);
	CU_ASSERT_EQUAL(hits(2, 3, 7, 1, 2), 0);
}

const struct unit_test pctwm_tests[] = {
	{"nothing is drawn", nothing_is_drawn},
	{"one is drawn", one_is_drawn},
	{"two are drawn", two_are_drawn},
	{NULL, NULL},
};
