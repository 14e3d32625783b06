/* SPDX-License-Identifier: ISC */
/* state.c - see state.h. */
#include "search/outcome/state.h"
#include "base/table.h"
#include "search/outcome/compare.h"
#include "graph/execute.h"
#include "machine/core.h"
#include "process/module.h"
#include "process/shared.h"

#include <stdlib.h>
#include <string.h>

#define STATES	(1 << 14)
#define BUCKETS (4 * STATES)

struct row {
	u64 hash[2]; /* of all items, including those without room */
	u32 in_from;
	struct end_state state;
};

static struct end_state_table {
	u32 n, more;
	u32 bucket[BUCKETS]; /* by hash: 1 + row; open addressing */
	struct row row[STATES];
} *table;

static bool wanted;

void state_begin(bool on)
{
	wanted = on;
	execute_know_variables(on);
	if (on && !table)
		table = shared_pages(sizeof *table);
	if (table)
		state_clear();
}

void state_clear(void)
{
	if (!table || !table->n || compare_seeking())
		return;
	for (u32 i = 0; i < table->n; i++)
		table->row[i].in_from = 0;
	if (compare_marking())
		return;
	memset(table->row, 0, table->n * sizeof *table->row);
	memset(table->bucket, 0, sizeof table->bucket);
	table->n = table->more = 0;
}

static bool is_compared(void)
{
	return wanted && table;
}

/* --- the state of a graph -------------------------------------------------------------------- */

static void add_item(struct row *r, u64 addr, u32 size, u64 value)
{
	struct end_state *s = &r->state;

	/* A sum, as the order of locations differs between executions. */
	r->hash[0] += prng_mix(prng_mix(addr ^ (u64)size << 56) ^ value);
	r->hash[1] += prng_mix(prng_mix(value + size) ^ addr << 1);
	if (s->n == STATE_ITEMS)
		s->more++;
	else
		s->item[s->n++] = (struct status_item){addr, value, size};
}

static u64 low(const struct places *p, u32 size, u64 value)
{
	return size == 16 ? (u64)wide_value(p, value) ^ prng_mix((u64)(wide_value(p, value) >> 64))
			  : value;
}

static int compare_items(const void *a, const void *b)
{
	const struct status_item *x = a, *y = b;

	if (!x->size != !y->size)
		return !x->size ? 1 : -1; /* results last */
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void read_state(const struct trust *x, struct row *r)
{
	const struct graph *g = &x->graph;

	memset(r, 0, sizeof *r);
	for (u32 loc = 1; loc < g->nplaces; loc++) {
		const struct place *p = &g->places->place[loc];
		u32 last = g->place[loc].co_last;

		if (p->size && last && g->event[last].value != p->init &&
			module_has_variable(p->addr))
			add_item(
				r, p->addr, p->size, low(g->places, p->size, g->event[last].value));
	}
	for (u32 t = 1; t < g->nthreads; t++) {
		const struct label *l = g->thread[t].ended
						? trust_label(x, g->thread[t].last)
						: &x->cache.node[g->thread[t].node].label;

		if (g->thread[t].create && l->type == LABEL_END && l->value)
			add_item(r, t, 0, l->value);
	}
	qsort(r->state.item, r->state.n, sizeof *r->state.item, compare_items);
}

/* --- the table ------------------------------------------------------------------------------- */

/* The row of this state, or the bucket where it would be. */
static struct row *find_state_row(const struct row *like, u32 *bucket)
{
	u32 h;

	TABLE_FIND(h, like->hash[0], BUCKETS, !table->bucket[h] ||
		!memcmp(table->row[table->bucket[h] - 1].hash, like->hash, sizeof like->hash));
	*bucket = h;
	return table->bucket[h] ? &table->row[table->bucket[h] - 1] : NULL;
}

static struct row *find_or_add(const struct row *like)
{
	u32 bucket;
	struct row *r = find_state_row(like, &bucket);

	if (r)
		return r;
	if (table->n == STATES)
		return NULL;
	r = &table->row[table->n++];
	*r = *like;
	table->bucket[bucket] = table->n;
	return r;
}

void state_count(const struct trust *x)
{
	struct row now, *r;

	if (!is_compared())
		return;
	read_state(x, &now);
	shared_lock();
	r = find_or_add(&now);
	if (!r && compare_marking())
		compare_unknown();
	else if (!r)
		table->more = 1;
	else if (compare_marking())
		r->in_from = 1;
	else
		r->state.executions++;
	shared_unlock();
	if (r && !r->in_from && compare_allows(&x->graph))
		r->in_from = 1;
}

bool state_is_new(const struct trust *x)
{
	struct row now;
	const struct row *r;
	u32 bucket;

	if (!is_compared())
		return false;
	read_state(x, &now);
	r = find_state_row(&now, &bucket);
	return r && !r->in_from;
}

void state_put(struct status_compare *c)
{
	c->states = c->new_states = 0;
	c->more = table ? table->more : 1;
	for (u32 i = 0; table && i < table->n; i++) {
		const struct row *r = &table->row[i];

		if (!r->state.executions)
			continue; /* only `from` has it */
		c->states++;
		if (r->in_from)
			continue;
		if (c->new_states < NEW_STATES)
			c->state[c->new_states] = r->state;
		c->new_states++;
	}
}
