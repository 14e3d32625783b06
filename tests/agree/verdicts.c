/* SPDX-License-Identifier: ISC */
/* verdicts.c - see verdicts.h. */
#include "verdicts.h"

#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>

struct verdicts verdicts;

static const enum buffers buffers[] = {BUFFERS_NONE, BUFFERS_FIFO, BUFFERS_BY_LOCATION};
static struct verify verify;

#define MEMORY	  ((size_t)64 << 20)
#define LOCATIONS 64

static void begin(void)
{
	void *memory;

	if (verify.priv)
		return;
	memory = aligned_alloc(64, MEMORY);
	if (!memory)
		exit(2);
	verify_init(&verify, memory, MEMORY, 2000, GRAPH_THREADS, LOCATIONS);
}

/* The fences of the hardware are events of their own here; their kind depends on the model. */
static u16 flags_of(const struct ax_event *e, enum gp_model m)
{
	static const u16 fence[] = {[BARRIER_NONE] = E_FENCE,
		[BARRIER_STORES] = E_FENCE | E_STORES,
		[BARRIER_FULL] = E_FENCE | E_FULL};

	switch (e->kind) {
	case EV_READ: return E_READ | (e->excl ? E_EXCL : 0);
	case EV_WRITE: return E_WRITE | (e->excl ? E_EXCL : 0);
	case EV_FENCE: return fence[e->barrier[m]];
	default: return E_FULL;
	}
}

static void push(const struct ax_graph *g, enum gp_model m)
{
	verify_begin(&verify, buffers[m]);
	for (int i = 0; i < g->n; i++)
		verify_push(&verify, g->e[i].thread, g->e[i].place, flags_of(&g->e[i], m));
	for (int i = 0; i < g->n; i++) {
		if (g->e[i].kind == EV_READ)
			verify_source(&verify, (u32)i + 1, (u32)(g->e[i].rf + 1));
		for (int k = 0; k < g->n && g->e[i].waits; k++)
			if (g->e[k].mark == g->e[i].mark && !g->e[k].waits)
				verify_order(&verify, (u32)k + 1, (u32)i + 1);
	}
}

/* Ask in the default way, and alternately by closure first or by search only. */
static void ask(bool expected, const char *what, enum gp_model m)
{
	u32 ways[] = {0, VERIFY_NO_PROBE | (verdicts.asked % 2 ? VERIFY_NO_CLOSURE : 0)};

	verdicts.asked++;
	verdicts.realisable += expected;
	for (size_t i = 0; i < array_size(ways); i++) {
		enum verify_answer a;

		verify.way = ways[i];
		a = verify_decide(&verify);
		if (a == (expected ? VERIFY_YES : VERIFY_NO))
			continue;
		if (!verdicts.wrong++)
			printf("# verify: %s, %s, way %u: answer %d by %s, but it is "
			       "%sconsistent\n",
				what, gp_model_names[m], ways[i], a,
				verify_stage_name(verify.stage), expected ? "" : "not ");
	}
}

void verdicts_check(const struct ax_graph *g, const bool consistent[GP_MODELS])
{
	begin();
	for (enum gp_model m = GP_SC; m <= GP_PSO; m++) {
		push(g, m);
		ask(consistent[m], "events", m);
	}
}

void verdicts_check_graph(const struct graph *g, const bool consistent[GP_MODELS])
{
	begin();
	for (enum gp_model m = GP_SC; m <= GP_PSO; m++) {
		verify_graph(&verify, g, buffers[m]);
		ask(consistent[m], "graph", m);
	}
}
