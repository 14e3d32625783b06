/* SPDX-License-Identifier: ISC */
/* native_given.c - see native_given.h. */
#include "native_given.h"

#include "enumerate.h"

#include <string.h>

#define CANDIDATES 3000

static struct gprogram now;
static uint64_t style;
static struct enumeration all;
static uint64_t digests[GP_MODELS][CANDIDATES];
static unsigned ndigests[GP_MODELS];

_Static_assert(sizeof(struct gp_op) > 8 && sizeof(struct gp_op) <= 16, "two words");

/* No spurious failures: `random` and `dfs` would need a bound. */
static void strengthen(void)
{
	for (int t = 0; t < now.nthreads; t++)
		for (int i = 0; i < now.nops[t]; i++)
			if (now.op[t][i].kind == GP_WEAK_CAS)
				now.op[t][i].kind = GP_CAS;
}

static uint64_t digest_of(const struct execution *x)
{
	uint8_t reg[GP_THREADS][GP_OPS] = {{0}};
	int memory[GP_MEMORY] = {0};

	for (int t = 0; t < now.nthreads; t++)
		for (int i = 0; i < now.nops[t]; i++)
			reg[t][i] = x->reg[gp_slot(t, i) - 1];
	for (int l = 0; l < GP_MEMORY; l++)
		memory[l] = x->memory[l];
	return given_digest(reg, memory);
}

static bool has(const uint64_t *digest, unsigned n, uint64_t d)
{
	for (unsigned i = 0; i < n; i++)
		if (digest[i] == d)
			return true;
	return false;
}

bool given_begin(uint64_t seed)
{
	static const enum gp_mode modes[] = {GP_OBJECTS, GP_OBJECTS, GP_OBJECTS, GP_OBJECTS,
		GP_THREADED, GP_THREADED, GP_AWAITS, GP_LOCKS};

	gprogram_generate(&now, modes[seed % 8], seed, 0);
	strengthen();
	style = (seed + 1) * 0x9e3779b97f4a7c15u;
	if (!enumerate(&now, CANDIDATES, &all))
		return false;
	for (int m = 0; m < GP_MODELS; m++) {
		if (all.race[m] && modes[seed % 8] == GP_THREADED)
			return false; /* see graphs.c */
		ndigests[m] = 0;
		for (unsigned i = 0; i < all.outcomes[m].n; i++) {
			uint64_t d = digest_of(&all.outcomes[m].x[i]);

			if (!has(digests[m], ndigests[m], d))
				digests[m][ndigests[m]++] = d;
		}
	}
	return true;
}

const struct gprogram *given(void)
{
	return &now;
}

int given_threads(void)
{
	return now.nthreads;
}

int given_length(int thread)
{
	return now.nops[thread];
}

uint64_t given_op(int thread, int i, int half)
{
	const struct gp_op *o = &now.op[thread][i];
	uint64_t word = 0;

	memcpy(&word, (const char *)o + 8 * half, half ? sizeof *o - 8 : 8);
	return word;
}

enum gp_object given_object(int place)
{
	enum gp_object what = GP_NO_OBJECT;

	for (int t = 0; t < now.nthreads; t++)
		for (int i = 0; i < now.nops[t]; i++) {
			const struct gp_op *o = &now.op[t][i];

			if (o->place != place || !gp_object_of(o->kind))
				continue;
			what = gp_object_of(o->kind);
			if (o->kind == GP_DIE || (o->kind == GP_UNLOCK && o->value))
				return GP_ROBUST;
		}
	return what;
}

unsigned given_initial(int place)
{
	return now.initial[place];
}

bool given_is_spawned(int thread)
{
	return gp_is_spawned(&now, thread);
}

bool given_is_joined(int thread)
{
	for (int t = 0; t < now.nthreads; t++)
		for (int i = 0; i < now.nops[t]; i++)
			if (now.op[t][i].kind == GP_JOIN && now.op[t][i].value == thread)
				return true;
	return false;
}

unsigned given_style(unsigned question, unsigned n)
{
	uint64_t z = style + question * 0xbf58476d1ce4e5b9u;

	z = (z ^ (z >> 30)) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ (z >> 31)) >> 33) % n;
}

bool given_has_race(enum gp_model m)
{
	return all.race[m];
}

bool given_is_stuck(enum gp_model m)
{
	return all.stuck[m].n;
}

unsigned given_outcomes(enum gp_model m)
{
	return ndigests[m];
}

bool given_has_outcome(enum gp_model m, uint64_t d)
{
	return has(digests[m], ndigests[m], d);
}

uint64_t given_digest(uint8_t reg[GP_THREADS][GP_OPS], const int memory[GP_MEMORY])
{
	uint64_t d = 14695981039346656037u;

	for (int t = 0; t < GP_THREADS; t++)
		for (int i = 0; i < GP_OPS; i++)
			d = (d ^ reg[t][i]) * 1099511628211u;
	for (int l = 0; l < GP_MEMORY; l++)
		d = (d ^ (uint64_t)memory[l]) * 1099511628211u;
	return d >> 1;
}
