/* SPDX-License-Identifier: ISC */
/* twins.c - see twins.h: of all permutations of the threads with equal operations, the least
 * execution. */
#include "twins.h"

#include "base/prng.h"

#include <stdio.h>
#include <string.h>

static bool names_threads(const struct gprogram *p)
{
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->nops[t]; i++)
			if (p->op[t][i].kind == GP_SPAWN || p->op[t][i].kind == GP_JOIN)
				return true;
	return false;
}

bool twins_make(struct gprogram *p, uint64_t seed)
{
	struct prng prng;
	int n;

	prng_seed(&prng, seed);
	if (p->nthreads < 2 || names_threads(p))
		return false;
	n = 2 + (int)prng_below(&prng, (u32)(p->nthreads < 3 ? 1 : 2));
	for (int t = 1; t < n; t++) {
		memcpy(p->op[t], p->op[0], sizeof p->op[0]);
		p->nops[t] = p->nops[0];
	}
	if (prng_below(&prng, 4))
		p->detached = 0;
	return true;
}

bool twins_are(const struct gprogram *p, int t, int u)
{
	char a[120], b[120];

	for (int i = 0; i < p->nops[t] && i < p->nops[u]; i++) {
		gp_op_text(p, t, i, a, sizeof a);
		gp_op_text(p, u, i, b, sizeof b);
		if (p->op[t][i].kind != p->op[u][i].kind || strcmp(a, b))
			return false;
	}
	return p->nops[t] == p->nops[u];
}

static uint8_t rename_slot(uint8_t slot, const int *to)
{
	if (slot == SLOT_INIT || slot == SLOT_NONE)
		return slot;
	return (uint8_t)gp_slot(to[(slot - 1) / GP_OPS], (slot - 1) % GP_OPS);
}

static void rename_threads(const struct gprogram *p, const struct execution *x, const int *to,
	struct execution *y)
{
	execution_clear(y);
	memcpy(y->memory, x->memory, GP_MEMORY);
	for (int l = 0; l < GP_PLACES; l++)
		for (int i = 0; i < CO_MAX && x->co[l][i]; i++)
			y->co[l][i] = rename_slot(x->co[l][i], to);
	for (int t = 0; t < p->nthreads; t++) {
		for (int i = 0; i < GP_OPS; i++) {
			int from = gp_slot(t, i) - 1, slot = gp_slot(to[t], i) - 1;

			y->rare[slot] = x->rare[from];
			y->reg[slot] = x->reg[from];
			for (int k = 0; k < GP_PIECES; k++)
				y->rf[slot][k] = p->op[t][i].kind == GP_CHOOSE
							 ? x->rf[from][k]
							 : rename_slot(x->rf[from][k], to);
		}
	}
}

static struct execution least;
static uint64_t twins; /* of twins_are() */

/* All ways in which the threads from t on become twins of theirs. */
static void permute(
	const struct gprogram *p, const struct execution *x, int *to, unsigned taken, int t)
{
	struct execution y;

	if (t == p->nthreads) {
		rename_threads(p, x, to, &y);
		if (memcmp(&y, &least, sizeof y) < 0)
			least = y;
		return;
	}
	for (int u = 0; u < p->nthreads; u++) {
		if (taken >> u & 1 || !(twins >> (GP_THREADS * t + u) & 1))
			continue;
		to[t] = u;
		permute(p, x, to, taken | 1u << u, t + 1);
	}
}

/* All executions of `from', each with names such that those that differ in names only are equal.
 * Returns how many of them were there already. */
static unsigned without_names(
	const struct gprogram *p, const struct executions *from, struct executions *to)
{
	int names[GP_THREADS];
	unsigned again = 0;

	twins = 0;
	for (int t = 0; t < p->nthreads; t++)
		for (int u = 0; u < p->nthreads; u++)
			twins |= (uint64_t)twins_are(p, t, u) << (GP_THREADS * t + u);
	executions_clear(to);
	for (unsigned i = 0; i < from->n; i++) {
		memset(&least, 0xff, sizeof least);
		permute(p, &from->x[i], names, 0, 0);
		again += !executions_add(to, &least, PART_ALL);
	}
	return again;
}

/* --- the comparison --------------------------------------------------------------------------- */

static struct {
	unsigned long all, orbits, explored, apart;
} figures;

void twins_print(void)
{
	printf("# twins: %lu executions, %lu up to names, %lu explored; distinguished %lu times\n",
		figures.all, figures.orbits, figures.explored, figures.apart);
}

static bool within(const struct executions *a, const struct executions *b)
{
	for (unsigned i = 0; i < a->n; i++)
		if (!executions_have(b, &a->x[i]))
			return false;
	return true;
}

/* Are equal threads numbered consecutively? Others are not created one after the other. */
static bool in_turn(const struct gprogram *p)
{
	for (int t = 0; t < p->nthreads; t++)
		for (int u = t + 2; u < p->nthreads; u++)
			if (twins_are(p, t, u) && !twins_are(p, t, t + 1))
				return false;
	return true;
}

const char *twins_wrong(const struct gprogram *p, const struct executions *complete,
	const struct executions *stuck, const struct exploration *found)
{
	static struct executions all, some;
	unsigned again;

	without_names(p, stuck, &all);
	without_names(p, &found->stuck, &some);
	if (!within(&all, &some))
		return "twins: executions that are stuck are missing";
	without_names(p, complete, &all);
	again = without_names(p, &found->complete, &some);
	figures.all += complete->n;
	figures.orbits += all.n;
	figures.explored += found->complete.n;
	figures.apart += found->different != 0;
	if (found->duplicates || !within(&found->complete, complete) ||
		!within(&found->stuck, stuck))
		return "twins: executions that there are not, or twice";
	if (!within(&all, &some))
		return "twins: executions are missing";
	if (again && !found->different && !p->weak_cas && in_turn(p))
		return "twins: executions that differ in names only";
	return NULL;
}
