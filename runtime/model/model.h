/* SPDX-License-Identifier: ISC */
/*
 * model.h - a memory model: what it has, and what it forbids.
 *
 * All models share the execution graphs (graph.h) and forbid some of them. To add one: a row in
 * base/models.h, a file with its `struct model model_NAME`, a row in tools/help/models.txt.
 * Everything else asks for the properties below.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/models.h"
#include "model/buffer.h"

struct graph;

struct model {
	enum model_id id;
	enum buffers buffers;
	/* What its executions are explained by: memory orders, or (false) stores and loads that
	 * were reordered. */
	bool has_orders;
	/* Happens-before is smaller than po|rf: events have all clocks (graph.h). */
	bool has_clocks;
	/* Loads acquire whatever their order, stores release behind a store fence: races are judged
	 * so. */
	bool has_store_fences;
	/* Consistency depends on which events are seq_cst: nsc and nweak of a graph are kept. */
	bool has_sc_events;
	/* Bit 1 << m for every other model m that allows no graph which this one forbids. */
	u32 includes;

	/*
	 * Is g consistent, given that it was without the event e and (if not 0) with another source
	 * of r? Coherence and atomicity are the explorer's: it offers nothing else. NULL: then it
	 * always is.
	 */
	bool (*consistent)(struct graph *g, u32 e, u32 r);
	/* Is the whole of g, a graph of another model, one of this model, too? NULL: the machine's
	 * schedules tell (linearize_plan()), or, without a machine, nothing does. */
	bool (*allows)(const struct graph *g);
	/* The order that must have no cycle: the events directly after e, into g->todo; returns
	 * their number. NULL: there is none but coherence. */
	u32 (*after)(struct graph *g, u32 e);
	bool without_fr; /* that order has po, rf and co only */
	/*
	 * Of a model that forbids some cycles of `after` only: such a cycle of g, as those pairs of
	 * writes {a, b} of a location, a before b in co, without which it would not exist. Returns
	 * their number, or MODEL_ACYCLIC; pair has room for g->nsc of them. NULL: every cycle is
	 * forbidden.
	 */
	u32 (*cycle)(struct graph *g, u16 (*pair)[2]);
};

#define MODEL_ACYCLIC UINT32_MAX

/* The model with this number, never MODEL_AUTO. */
const struct model *model_of(enum model_id m);

/* The model of a replay file; NULL: no model has this name. */
const struct model *model_named(const char *name);

static inline bool model_has_machine(const struct model *m)
{
	return m->buffers != BUFFERS_UNDEFINED;
}

#define MODEL_DECLARE(name, NAME) extern const struct model model_##name;
MODELS(MODEL_DECLARE)
#undef MODEL_DECLARE

#endif
