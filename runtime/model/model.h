/* SPDX-License-Identifier: ISC */
/*
 * model.h - a memory model: its properties, and the graphs that it forbids.
 *
 * All models share the execution graphs (graph.h) and forbid some of them. To add one: a row in
 * base/models.h, a file with its `struct model model_NAME`, a row in tools/help/models.txt.
 * All other code uses the properties below.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/models.h"
#include "model/buffer.h"

struct graph;

enum sc_accesses { SC_ACCESSES_NONE, SC_ACCESSES_SEQ_CST, SC_ACCESSES_ALL };

struct model {
	enum model_id id;
	enum buffers buffers;
	/* Reports explain its executions by memory orders, or (false) by reordered stores and
	 * loads. */
	bool has_orders;
	/* Happens-before is smaller than po|rf: events have all clocks (graph.h). */
	bool has_clocks;
	/* For races, loads of any order acquire, and stores release behind a store
	 * fence. */
	bool has_store_fences;
	/* Consistency depends on which events are seq_cst: a graph maintains nsc. */
	bool has_sc_events;
	/* Programs without data races, whose threads communicate by objects and by the atomics
	 * below, are sequentially consistent. */
	bool is_drf_sc;
	/* The atomic accesses that are sequentially consistent with each other. */
	enum sc_accesses sc_accesses;
	/* In a file (model/file/cat_model.c): orders of accesses and fences order nothing else. */
	bool is_file;
	/* Of hardware: a store that reaches one other thread has reached all of them. */
	bool is_multicopy_atomic;
	/* Of hardware: a load stays after a load from which it has its address. */
	bool keeps_addresses;
	bool has_no_result; /* an RMW without a result does not count as a load */
	bool cas_picks; /* without --arch-rmw=llsc, a successful CAS may return the value that it
			 * expected: that it was read only picks it, like a conditional move */
	u32 max_events; /* of a graph; 0: no limit of its own */
	/* Bit 1 << m for every other model m that allows no graph which this one forbids. */
	u32 includes;

	/*
	 * Is g consistent, given that it was without the event e and (if not 0) with another source
	 * of r? Coherence and atomicity are ensured by the explorer. NULL: always consistent.
	 */
	bool (*consistent)(struct graph *g, u32 e, u32 r);
	/* Does this model allow the whole of g, a graph of another model? NULL: decided by the
	 * machine's schedules (linearize_plan()), or, without a machine, undecided. */
	bool (*allows)(const struct graph *g);
	/* Is g, a complete execution, consistent? NULL: it is, as all its prefixes are. */
	bool (*completes)(const struct graph *g);
	/* The order that must have no cycle: the events directly after e, into g->todo; returns
	 * their number. NULL: only coherence. */
	u32 (*after)(struct graph *g, u32 e);
	bool without_fr; /* that order has po, rf and co only; and fr of kernel objects */
	bool needs_sc;	 /* without seq_cst events it has no cycle */
	/* The enum fence_kind of each HEDDLE_FENCE_* (abi.h), MODEL_FENCES of them; NULL: all are
	 * fences by their memory orders. */
	const u8 *fences;
	/* Models of hardware: is b, a later event of a's thread, kept after a: by instructions,
	 * barriers, dependencies? */
	bool (*keeps)(struct graph *g, u32 a, u32 b);
	/*
	 * For a model that forbids only some cycles of `after`: such a cycle of g, given as the
	 * pairs of writes {a, b} of a location, a before b in co, without which it would not exist.
	 * Returns their number, or MODEL_ACYCLIC; pair has room for g->nsc of them. NULL: every
	 * cycle is forbidden.
	 */
	u32 (*cycle)(struct graph *g, u16 (*pair)[2]);

	/* For the tools. The relative costs of memory orders, and of fences, by C11 order: relaxed,
	 * consume, acquire, release, acq_rel, seq_cst. NULL: those of C. */
	const struct model_costs *costs;
	/* herd's name of the language whose model it is; NULL. */
	const char *language;
};

struct model_costs {
	u8 order[6], fence[6];
};

#define MODEL_ACYCLIC UINT32_MAX
#define MODEL_FENCES  7

/* The model with this number, never MODEL_AUTO. */
const struct model *model_of(enum model_id m);

/* The model of a replay file; NULL: no model has this name. */
const struct model *model_named(const char *name);

static inline bool model_has_machine(const struct model *m)
{
	return m->buffers != BUFFERS_UNDEFINED;
}

#define MODEL_DECLARE(name, NAME, traits) extern const struct model model_##name;
MODELS(MODEL_DECLARE)
#undef MODEL_DECLARE
extern const struct model model_cat;

/* Of a graph of model_cat: without an idle iteration it is allowed, too (cat/analysis.h). */
bool cat_shrinks(const struct graph *g);
/* The causal order of its executions with load buffering: enum map_causes of cat/map.h. */
u32 cat_causes(const struct graph *g);

#endif
