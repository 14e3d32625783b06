/* SPDX-License-Identifier: ISC */
/* outcome.c - see outcome.h. */
#include "search/outcome/outcome.h"
#include "base/table.h"
#include "base/text.h"
#include "search/outcome/compare.h"
#include "machine/core.h"
#include "process/shared.h"
#include "machine/execution/clock.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS (4 * OUTCOMES)
#define RESERVE 2000000 /* microseconds */

struct observed {
	u32 has;
	i64 value[OUTCOME_NAMES];
};

/* In shared memory; created at the first observation. */
static struct outcome_table {
	struct status_outcomes all;
	u16 bucket[BUCKETS]; /* by hash: 1 + row; open addressing */
	u64 nameless;	     /* executions before the first name */
} *table;

static PER_EXECUTION u32 now_has = 0; /* other values are of an earlier execution */
static i64 now_value[OUTCOME_NAMES];

void outcome_begin(void)
{
	if (!table)
		table = shared_pages(sizeof *table);
	if (table && (table->all.nnames || table->all.n || table->nameless))
		memset(table, 0, sizeof *table);
}

void outcome_clear(void)
{
	if (table)
		table->nameless = 0;
	if (!outcome_wanted())
		return;
	if (!compare_seeking())
		for (u32 i = 0; i < table->all.n; i++)
			table->all.row[i].in_sc = 0;
	if (compare_marking() || compare_seeking())
		return;
	table->all.n = table->all.more = 0;
	memset(table->bucket, 0, sizeof table->bucket);
}

u64 outcome_reserve(void)
{
	u64 part = M.options->time / 8;

	return part < RESERVE ? part : RESERVE;
}

bool outcome_wanted(void)
{
	return table && table->all.nnames;
}

/* --- rows of the table ----------------------------------------------------------------------- */

static u64 hash_observed(const struct observed *o)
{
	u64 h = o->has;

	for (u32 i = 0; i < OUTCOME_NAMES; i++)
		if (o->has >> i & 1)
			h = prng_mix(h ^ (u64)o->value[i]);
	return h;
}

static bool is_row(const struct status_outcome *r, const struct observed *o)
{
	return r->has == o->has && !memcmp(r->value, o->value, sizeof r->value);
}

static struct status_outcome *find_row(const struct observed *o)
{
	struct status_outcomes *t = &table->all;
	struct status_outcome *r;
	u32 h;

	TABLE_FIND(h, hash_observed(o), BUCKETS,
		!table->bucket[h] || is_row(&t->row[table->bucket[h] - 1], o));
	if (table->bucket[h])
		return &t->row[table->bucket[h] - 1];
	if (t->n == OUTCOMES)
		return NULL;
	r = &t->row[t->n++];
	memset(r, 0, sizeof *r);
	r->has = o->has;
	memcpy(r->value, o->value, sizeof r->value);
	table->bucket[h] = (u16)t->n;
	return r;
}

/* --- observing ------------------------------------------------------------------------------- */

/* The executions before the first name have observed nothing. */
static void add_nameless(void)
{
	u64 n = __atomic_exchange_n(&table->nameless, 0, __ATOMIC_RELAXED);

	if (n)
		find_row(&(struct observed){0})->executions += n;
}

static u32 find_outcome_name(const char *name)
{
	struct status_outcomes *t = &table->all;
	char text[sizeof t->name[0]];
	u32 i;

	strncpy(text, name, sizeof text - 1);
	text[sizeof text - 1] = 0;
	shared_lock();
	for (i = 0; i < t->nnames && strcmp(t->name[i], text); i++)
		;
	if (i == t->nnames && i < OUTCOME_NAMES) {
		if (!i)
			add_nameless();
		memcpy(t->name[i], text, sizeof text);
		t->nnames++;
		clock_reserve(outcome_reserve());
	}
	shared_unlock();
	return i;
}

void outcome_observe(const char *name, i64 value)
{
	u32 i;

	if (!table)
		return;
	i = find_outcome_name(name);
	if (i == OUTCOME_NAMES)
		machine_fail(FINDING_MISUSE, NULL, 0, NULL,
			"heddle_observe(\"%s\"): there are %u other names already", name,
			OUTCOME_NAMES);
	if (M.engine->operation(LABEL_OBSERVED, i + 1, (u64)value))
		return;
	now_has |= 1u << i;
	now_value[i] = value;
}

/* --- counting -------------------------------------------------------------------------------- */

static void count_observed(const struct observed *o, const struct graph *g)
{
	struct status_outcome *r;

	if (compare_seeking())
		return;
	shared_lock();
	r = find_row(o);
	if (!r)
		table->all.more = 1;
	else if (compare_marking())
		r->in_sc = 1;
	else
		r->executions++;
	shared_unlock();
	if (!r && compare_marking())
		compare_unknown();
	if (r && !r->in_sc && compare_on() && compare_allows(g))
		r->in_sc = 1;
}

/* No name is known. Other processes count as well. */
static void count_nameless(void)
{
	if (!table)
		return;
	if (M.options->jobs == 1)
		table->nameless++;
	else
		__atomic_fetch_add(&table->nameless, 1, __ATOMIC_RELAXED);
}

void outcome_count(void)
{
	struct observed o = {.has = now_has};

	if (!outcome_wanted()) {
		count_nameless();
		return;
	}
	for (u32 i = 0; i < OUTCOME_NAMES; i++)
		if (o.has >> i & 1)
			o.value[i] = now_value[i];
	count_observed(&o, NULL);
}

static struct observed observed_in(const struct graph *g, const struct cache *cache)
{
	struct observed o = {0};

	for (u32 t = 0; t < g->nthreads; t++) {
		if (!graph_has_thread(g, t))
			continue;
		for (u32 e = g->thread[t].first; e; e = g->event[e].po_next) {
			const struct label *l = &cache->node[g->event[e].node].label;

			if (g->event[e].type != LABEL_CHOOSE || l->op != LABEL_OBSERVED ||
				!l->other)
				continue;
			o.has |= 1u << (l->other - 1);
			o.value[l->other - 1] = (i64)l->expected;
		}
	}
	return o;
}

void outcome_count_graph(const struct graph *g, const struct cache *cache)
{
	struct observed o;

	if (!outcome_wanted()) {
		count_nameless();
		return;
	}
	o = observed_in(g, cache);
	count_observed(&o, g);
}

/* --- new outcomes (compare.h) ---------------------------------------------------------------- */

u64 outcome_new(u64 *all, u32 *more)
{
	u64 n = 0;

	*all = 0;
	*more = table->all.more;
	for (u32 i = 0; i < table->all.n; i++) {
		const struct status_outcome *r = &table->all.row[i];

		*all += r->executions > 0;
		n += r->executions && !r->in_sc;
	}
	return n;
}

bool outcome_is_new(const struct graph *g, const struct cache *cache, char *words, size_t n,
	const char *from)
{
	struct observed o = observed_in(g, cache);
	const struct status_outcome *r = find_row(&o);
	struct text t = text_begin(words, n);
	const char *between = "outcome ";

	if (!r || r->in_sc || !r->executions)
		return false;
	for (u32 i = 0; i < OUTCOME_NAMES; i++) {
		if (!(o.has >> i & 1))
			continue;
		text_put(&t, between);
		text_put(&t, table->all.name[i]);
		text_put(&t, o.value[i] < 0 ? " = -" : " = ");
		text_number(&t, o.value[i] < 0 ? -(u64)o.value[i] : (u64)o.value[i]);
		between = ", ";
	}
	text_put(&t,
		between[1] == ' ' ? " is impossible under " : "no outcome is impossible under ");
	text_put(&t, from);
	return true;
}

/* --- the end --------------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
	const struct status_outcome *x = a, *y = b;

	if (x->executions != y->executions)
		return x->executions > y->executions ? -1 : 1;
	for (u32 i = 0; i < OUTCOME_NAMES; i++)
		if (x->value[i] != y->value[i])
			return x->value[i] < y->value[i] ? -1 : 1;
	return 0;
}

void outcome_end(bool known)
{
	struct status_outcomes *t = &table->all, *to = &M.status->outcomes;

	if (M.model == MODEL_SC && !compare_on())
		for (u32 i = 0; i < t->n; i++)
			t->row[i].in_sc = 1;
	t->sc_known = known;
	memcpy(to, t, sizeof *to);
	to->n = 0;
	for (u32 i = 0; i < t->n; i++) /* outcomes seen only under sc are left out */
		if (t->row[i].executions)
			to->row[to->n++] = t->row[i];
	qsort(to->row, to->n, sizeof *to->row, compare_rows);
}
