/* SPDX-License-Identifier: ISC */
/* verify_brute.c - see verify_brute.h. */
#include "verify_brute.h"

#include <stdlib.h>
#include <string.h>

struct instance I;

/* --- the machine ----------------------------------------------------------------------------- */

bool machine_pending(const struct state *s, u32 e)
{
	const struct access *x = &I.e[e];

	return x->flags & E_WRITE && x->index < s->pos[x->thread] && !(s->committed & 1ull << e);
}

static bool is_empty(const struct state *s, u32 t)
{
	for (u32 i = 0; i < s->pos[t]; i++)
		if (machine_pending(s, I.thread[t][i]))
			return false;
	return true;
}

bool machine_may_pop(const struct state *s, u32 e)
{
	const struct access *x = &I.e[e];
	bool fenced = x->flags & E_STORES;

	for (u32 i = x->index; i-- > 0;) {
		u32 w = I.thread[x->thread][i];

		if (machine_pending(s, w) &&
			(I.model == MODEL_TSO || fenced || I.e[w].loc == x->loc))
			return false;
		fenced |= I.e[w].flags & E_STORES;
	}
	return true;
}

static u32 value_of(const struct state *s, const struct access *x)
{
	for (u32 i = s->pos[x->thread]; i-- > 0;) {
		u32 w = I.thread[x->thread][i];

		if (machine_pending(s, w) && I.e[w].loc == x->loc)
			return w;
	}
	return s->mem[x->loc];
}

void machine_put(struct state *s, u32 e)
{
	s->mem[I.e[e].loc] = (u8)e;
	s->committed |= 1ull << e;
}

bool machine_step(struct state *s, u32 t, u8 *source)
{
	u32 e = I.thread[t][s->pos[t]], before = s->pos[t] ? I.thread[t][s->pos[t] - 1] : 0;
	const struct access *x = &I.e[e];
	bool direct = I.model == MODEL_SC || x->flags & E_FULL;

	if (x->after && I.e[x->after].index >= s->pos[I.e[x->after].thread])
		return false;
	if ((x->flags & E_FULL || (before && I.e[before].flags & E_FULL_AFTER)) && !is_empty(s, t))
		return false;
	if (x->flags & E_READ) {
		u32 w = value_of(s, x);

		if (source)
			*source = (u8)w;
		else if (w != x->source)
			return false;
	}
	s->pos[t]++;
	if (x->flags & E_WRITE && direct)
		machine_put(s, e);
	return true;
}

/* --- everything ------------------------------------------------------------------------------ */

#define STATES (1u << 20)

static struct state *seen;
static u32 *used, nused;
bool too_many;

static bool is_new(const struct state *s)
{
	u64 h = (s->committed + 1) * 0x9e3779b97f4a7c15ull;
	u32 i;

	for (u32 k = 0; k < THREADS; k++)
		h = (h ^ s->pos[k]) * 0xff51afd7ed558ccdull;
	for (u32 k = 0; k < LOCATIONS; k++)
		h = (h ^ s->mem[k]) * 0xc4ceb9fe1a85ec53ull;
	for (i = (u32)(h >> 40) & (STATES - 1); seen[i].pad[0]; i = (i + 1) & (STATES - 1))
		if (!memcmp(&seen[i], s, sizeof *s))
			return false;
	too_many |= nused == STATES / 2;
	if (too_many)
		return false;
	seen[i] = *s;
	used[nused++] = i;
	return true;
}

static bool search(const struct state *s)
{
	struct state next;
	bool all = true;

	if (!is_new(s))
		return false;
	for (u32 t = 0; t < I.nthreads; t++) {
		if (s->pos[t] == I.length[t])
			continue;
		all = false;
		next = *s;
		if (machine_step(&next, t, NULL) && search(&next))
			return true;
	}
	for (u32 e = 1; e <= I.n; e++) {
		if (!machine_pending(s, e) || !machine_may_pop(s, e))
			continue;
		next = *s;
		machine_put(&next, e);
		if (search(&next))
			return true;
	}
	return all;
}

bool brute(void)
{
	struct state s = {.pad[0] = 1};
	bool found;

	nused = 0;
	too_many = false;
	found = search(&s);
	while (nused)
		seen[used[--nused]].pad[0] = 0;
	return found;
}

bool brute_begin(void)
{
	seen = calloc(STATES, sizeof *seen);
	used = calloc(STATES, sizeof *used);
	return seen && used;
}

void brute_end(void)
{
	free(seen);
	free(used);
}
