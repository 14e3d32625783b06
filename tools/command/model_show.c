/* SPDX-License-Identifier: ISC */
/*
 * model_show.c - see model_show.h.
 *
 * The time is that of one evaluation over a graph of four threads, whose accesses of four locations
 * have all orders: from no value computed to the axiom's. Shared parts count for each axiom.
 */
#include "command/model_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cat/words.h"
#include "clock.h"
#include "die.h"
#include "model/file/cat_model.h"
#include "option/model_file.h"

/* --- the graph -------------------------------------------------------------------------------- */

#define THREADS	 4
#define EVENTS	 12 /* of a thread */
#define PLACES	 4
#define LANES	 64
#define ROUNDS	 200

static void push_shown_access(struct graph *g, u32 thread, u32 i)
{
	static const u8 orders[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE,
		__ATOMIC_SEQ_CST};
	u32 loc = 1 + (thread + i / 2) % PLACES, newest = g->place[loc].co_last;
	struct label l = {.loc = (u16)loc, .order = orders[(thread + i) % 4]};
	bool reads = (thread + i) % 2;
	u32 e;

	l.type = i % 6 == 5 ? LABEL_FENCE : reads ? LABEL_READ : LABEL_WRITE;
	l.loc = l.type == LABEL_FENCE ? 0 : l.loc;
	e = graph_push(g, thread, &l, 0,
		l.type == LABEL_FENCE ? graph_other_flags(g->model, &l)
		: reads		      ? graph_read_flags(g->model, &l, false)
				      : graph_write_flags(g->model, &l, false));
	if (l.type == LABEL_READ)
		graph_set_source(g, e, newest);
	if (l.type == LABEL_WRITE)
		graph_co_insert(g, e, newest);
	graph_clocks(g, e);
}

/* Takes turns: each read has the newest write. */
static struct graph *make_shown_graph(struct cat_model *m)
{
	static struct places places;
	static struct graph g;
	void *memory = xmalloc(graph_memory(LANES, CLOCKS));

	places.place = xmalloc((PLACES + 1) * sizeof(*places.place));
	places.cat = m;
	memset(memory, 0, graph_memory(LANES, CLOCKS));
	graph_init(&g, memory, &model_cat, LANES, &places);
	for (u32 i = 1; i <= PLACES; i++)
		graph_know_place(&g, i);
	g.nthreads = THREADS;
	for (u32 i = 0; i < EVENTS; i++)
		for (u32 t = 0; t < THREADS; t++)
			push_shown_access(&g, t, i);
	return &g;
}

/* --- time ------------------------------------------------------------------------------------- */

/* The shortest of some rounds, in microseconds; negative: the graph is too large for its
 * relations. */
static double time_axiom(struct cat_model *m, const struct graph *g, const struct cat_plan *p)
{
	double best = -1;

	for (u32 i = 0; i < ROUNDS; i++) {
		struct cat_run run = {&m->view, &m->cat, p, 0, 0, NULL};
		double begin = seconds_now(), took;
		u32 axiom;

		if (!cat_model_view(m, g, p, NULL))
			return -1;
		axiom = cat_next(&run);
		if (axiom < m->cat.naxioms)
			cat_holds(&run, axiom);
		cat_view_close(&m->view);
		took = (seconds_now() - begin) * 1e6;
		best = best < 0 || took < best ? took : best;
	}
	return best;
}

/* --- printing --------------------------------------------------------------------------------- */

static const char *growth_words(const struct cat_node *x)
{
	return x->facts & CAT_STATIC	 ? "does not change"
	       : x->facts & CAT_MONOTONE ? "grows"
					 : "may lose pairs";
}

/* Definitions of the model's own, once each. */
static void show_names(const struct cat *c)
{
	char words[200];

	for (u32 i = 0; i < c->nnames; i++) {
		const struct cat_name *x = &c->name[i];
		struct text to = text_begin(words, sizeof words);
		u32 n;
		const char *name = cat_text(c, x->token, &n);

		if (cat_name_of(c, x->node, true) != x)
			continue;
		cat_words(c, c->node[x->node].op == CAT_VAR ? c->node[x->node].a : x->node, true,
			&to);
		printf("  %-14.*s %-9s %-16s %s\n", (int)n, name,
			c->node[x->node].type == CAT_SET ? "set" : "relation",
			growth_words(&c->node[x->node]), words);
	}
}

static void show_axiom(struct cat_model *m, const struct graph *g, u32 i)
{
	static const char *const tests[] = {"acyclic", "irreflexive", "empty"};
	static struct cat_plan p;
	const struct cat *c = &m->cat;
	const struct cat_axiom *x = &c->axiom[i];
	bool flag = x->kind == CAT_FLAG || x->kind == CAT_UNDEFINED;
	char name[80], words[200];
	struct text to = text_begin(words, sizeof words);
	double took;

	cat_axiom_name(c, i, name);
	cat_words(c, x->node, true, &to);
	cat_plan_axiom(&p, c, i);
	took = time_axiom(m, g, &p);
	printf("  %-14s %s%s%s %s\n", name, flag ? "flag " : "", x->negated ? "~" : "",
		tests[x->test], words);
	printf("  %-14s %u expressions, ", "", p.n);
	if (took < 0)
		printf("too large\n");
	else
		printf("%.1f us\n", took);
}

int model_show(const char *path)
{
	struct cat_model *m = xmalloc(sizeof(*m));
	const struct graph *g;

	memset(m, 0, sizeof(*m));
	m->cat = *model_file_read(path);
	cat_model_prepare(m);
	g = make_shown_graph(m);
	printf("%s: sets and relations\n", path);
	show_names(&m->cat);
	printf("axioms, and the time of each over a graph of %u events\n", g->n);
	for (u32 i = 0; i < m->cat.naxioms; i++)
		show_axiom(m, g, i);
	return 0;
}
