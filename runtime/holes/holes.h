/* SPDX-License-Identifier: ISC */
/*
 * holes.h - executions with load buffering: graphs in which a thread has events behind missing
 * ones.
 *
 * Models of hardware allow cycles of po and rf. TruSt (trust/trust.h) visits all executions without
 * one; this explorer visits the others, by the same revisits, but keeps less than po and rf when it
 * cuts a graph: the events before the new write in a causal order (holes_cause.c) that contains
 * only what the model keeps. Events that are missing in front of a kept one are a *hole*; the first
 * of them is the next step of the thread. It gets a value from its source, then the thread
 * continues to the kept events, which are the same as before, as they do not depend on it.
 *
 * A write is *issued*: its own thread can read it; then *propagated*: it is in co, and others can.
 * Both happen at once, but a cut may keep the first without the second: the write is *pending*, and
 * propagates later, as if it were new.
 *
 * After M. Kokologiannakis's thesis (model/graph.h), 5.7, with the largest possible causal order:
 * missing events are then not ordered before kept ones, and to read from the last write in co, or
 * to become the last one, is always consistent.
 */
#ifndef HOLES_HOLES_H
#define HOLES_HOLES_H

#include "model/cycle.h"
#include "model/hardware/dependency.h"
#include "trust/trust.h"

#define HOLES_EVENTS  512
#define HOLES_INDICES 128 /* of a thread */
#define HOLES_WORDS   (HOLES_INDICES / 64)

/* Sets of events of the own thread. By_PASSED: by the addresses of all earlier events. */
enum holes_set { HOLES_PASSED = DEPENDENCY_KINDS, HOLES_SETS };

struct hevent {
	u64 value;
	u64 set[HOLES_SETS][HOLES_WORDS]; /* by enum dependency: bit i, of index i */
	u64 late[HOLES_WORDS]; /* writes: of their propagation only */
	u32 node;			  /* cache: the label */
	u32 stamp;			  /* changes when its source or place does */
	u16 flags;			  /* of model/graph.h */
	u16 how; /* its orders, likewise, as the causal order has them: holes_order.h */
	u16 loc;
	u16 index; /* in its thread, 1 first; a CAS or operation on an object has two, always */
	u16 next;  /* in its thread */
	u16 rf;	   /* reads: source; START: the CREATE; JOIN: the END */
	u16 at;	   /* its place in co, 1 first; 0: pending */
	u16 issued, done; /* positions in the order of addition: write issued, propagated; others:
			   * both the same. done 0: not propagated */
	u16 record;	  /* its sets, in the table of dependencies, by indices */
	u8 type, thread;
	bool rare;  /* a weak CAS failed spuriously */
	bool stays; /* a read after which the thread waits: its object is not ready */
};

struct hthread {
	u16 first;
	u16 upto;  /* the last event that nothing is missing before */
	u16 index; /* the last index taken up to there */
	bool exists, ended;
	u32 node; /* cache: after it */
};

/* A graph, as it is saved: events 1..n; the model is to check those that are new. */
struct hgraph {
	u32 n, places; /* places: positions in the order of addition */
	u32 nthreads;
	u32 added,
		revisited; /* not checked yet: an event; the read that it has revisited. 0: none */
	bool filled;	   /* behind `added' there are events of its thread */
	struct hthread thread[GRAPH_THREADS];
	struct hevent event[HOLES_EVENTS + 1];
};

struct holes {
	struct trust *x;    /* its cache, places, program; its graph is for questions and leaves */
	struct graph check; /* the current graph, for the model */
	struct hgraph *g;
	const char *limit; /* why not all executions were visited; NULL: they were */
	bool all;	   /* report executions without load buffering, too (tests) */
	u64 visited, complete, blocked, failing;
	bool fails;  /* a CAS may fail for the time being: holes_must_fail() */
	bool no_sources; /* of reads, nor their values, are known: holes_scan.c */
	bool passes; /* the model lets a store come before an access whose address depends on a
		      * load, and such executions may have been left out */
	bool heap;   /* with load buffering, a use of memory may be an error: not judged */
	u64 stuck;   /* with load buffering, all threads wait for ever: not reported */
	/* internal */
	u32 stamp;
	struct hgraph *spare;
	u16 number[HOLES_EVENTS + 1]; /* of an event in the built graph */
};

/* Bytes for holes_init(), zeroed. */
size_t holes_memory(void);
/* x: explored, its saved graphs are not needed any more. */
void holes_init(struct holes *h, struct trust *x, void *memory);

/*
 * Can the program have load buffering at all? x has visited all other executions; h: before
 * holes_run(). It has none if each thread, before it makes a write that others depend on, has made
 * the reads that depend on them (holes_scan.c).
 */
bool holes_possible(struct holes *h);

/* Visit all executions. False: stopped by the program, see x->answer; or h->limit is set. */
bool holes_run(struct holes *h);

/*
 * A graph of model/graph.h with `holes'. For leaves, questions and replay files: a read that comes
 * before its source has it as cursor; its rf is 0, so clocks do not include its source. For models:
 * it has no clocks, and all sources.
 *
 * The source of e, a read of a graph with load buffering, or of any other. */
static inline u32 holes_source(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];

	return g->holes && x->flags & E_READ && x->cursor ? x->cursor : x->rf;
}

/* A shortest cycle of po and rf of such a graph. */
void holes_cycle(const struct graph *g, struct cycle *c);

/* --- holes_graph.c --------------------------------------------------------------------------- */

/* Does thread t have event e earlier than the index? In po order. */
static inline bool holes_in(const u64 *set, u32 index)
{
	return set[index / 64] >> index % 64 & 1;
}

static inline bool holes_is_write(const struct hevent *e)
{
	return e->flags & E_WRITE && !(e->flags & E_HEAP);
}

static inline bool holes_is_read(const struct hevent *e)
{
	return e->flags & E_READ && !(e->flags & E_HEAP);
}

/* The write of the RMW with this read, or the read of its write; 0: it is missing. */
u32 holes_half(const struct hgraph *g, u32 e);
/* The number of writes in co. */
u32 holes_writes(const struct hgraph *g, u32 loc);
/* w takes a place in co. */
void holes_place(struct hgraph *g, u32 w, u32 at);
/* Add e to its thread, at e.index, issued and (unless it is a write that is pending) done. */
u32 holes_add(struct hgraph *g, const struct hevent *e);
size_t holes_size(const struct hgraph *g);
void holes_copy(struct hgraph *to, const struct hgraph *from);

/* The events without a missing one before them, as a graph for questions to the program:
 * graph.holes. */
void holes_question(struct holes *h);
/* The same with clocks, of a graph without holes; false: po and rf have no cycle. */
bool holes_leaf(struct holes *h);
/* Is the current graph, which was consistent before its last event, coherent, atomic, and allowed
 * by the model? / Is all of g? */
bool holes_consistent(struct holes *h);
bool holes_allowed(struct holes *h, struct hgraph *g);
/* Is the current graph an execution of the model (model->completes)? */
bool holes_completes(struct holes *h);

/* --- holes_cause.c ---------------------------------------------------------------------------- */

/* For each event: issued, done. */
struct hmarks {
	bool issued[HOLES_EVENTS + 1], done[HOLES_EVENTS + 1];
};

/* Add the causes of the propagation of w, or of e. always: without the orders that need the
 * success of a CAS, or that the model does not have (h->passes). */
void holes_causes(struct holes *h, struct hmarks *m, u32 e, bool always);
/* Can the success of a CAS order events before it with events after it? */
bool holes_success_orders(const struct holes *h);
/*
 * Would y be after the CAS r, earlier in its thread, only because r succeeds? Then, if y is kept
 * and r is not, r must fail: it may do so with a value with which it succeeds, until it is
 * revisited. An execution that ends like that is none.
 */
bool holes_orders_success(const struct holes *h, const struct hevent *r, const struct hevent *y);
/* Is there such an event behind r? kept: among these only; NULL: all. */
bool holes_must_fail(
	const struct holes *h, const struct hgraph *g, u32 r, const struct hmarks *kept);
/* Note the events on which the propagation of w depends; w has been added behind all events of its
 * thread. They are the same when some of them become holes. */
void holes_find_late(const struct holes *h, u32 w);
/* Is one of these missing? */
bool holes_lacks_late(const struct hgraph *g, u32 w);

/* --- holes_revisit.c -------------------------------------------------------------------------- */

/* The write a, not in co yet, revisits reads: each new graph is saved. */
void holes_revisits(struct holes *h, u32 a);

/* --- holes_leaf.c ----------------------------------------------------------------------------- */

/* The next step of a thread: none is known (x->answer, or h->limit); the write of an RMW; a pending
 * write propagates; a label; it waits for others; for ever; is at a finding; has ended. */
enum hstep {
	STEP_NONE,
	STEP_HALF,
	STEP_PROPAGATE,
	STEP_NEW,
	STEP_WAITS,
	STEP_BLOCKED,
	STEP_FAILS,
	STEP_ENDED
};

struct hnext {
	enum hstep step;
	u32 thread;
	bool blocked, fails; /* some thread is or does */
	u32 failing;
};

/* The graph cannot be extended. False: the program stops. */
bool holes_visit_leaf(struct holes *h, const struct hnext *n);

/* --- holes_step.c ----------------------------------------------------------------------------- */

/* Two indices, whether or not it writes. */
static inline bool holes_has_two(const struct hevent *e)
{
	return e->type == LABEL_CAS || e->type == LABEL_RMW || e->type == LABEL_SYNC;
}

static inline const struct label *holes_label_of(const struct holes *h, const struct hevent *e)
{
	return &h->x->cache.node[e->node].label;
}

/* Is it a CAS that fails with a value with which it succeeds, and is not weak? */
static inline bool holes_fails_for_now(const struct holes *h, const struct hevent *r)
{
	return r->rare && !(holes_label_of(h, r)->flags & LABEL_WEAK && h->x->weak_cas);
}

static inline void holes_add_element(u64 *set, u32 index)
{
	set[index / 64] |= 1ull << index % 64;
}

/* The next label of thread t; NULL: x->answer. */
const struct label *holes_label(struct holes *h, u32 t);
/* The orders of a read, a write or another event, by hevent.how; flags: as the model has them. */
u16 holes_read_orders(const struct holes *h, const struct label *l, bool excl, u16 flags);
u16 holes_write_orders(const struct holes *h, const struct label *l, bool excl, u16 flags);
u16 holes_other_orders(const struct holes *h, const struct label *l, u16 flags);
/* The event of label l, the next one of thread t. / The write of the RMW with this read. */
struct hevent holes_event(struct holes *h, u32 t, const struct label *l);
struct hevent holes_half_event(struct holes *h, u32 r);
/* Why no label like it is explored; NULL: it is. */
const char *holes_unsupported(const struct label *l);
/* The next step of all threads together: the write of an RMW first. */
struct hnext holes_next(struct holes *h);

/* --- holes.c ---------------------------------------------------------------------------------- */

/* The read r has this source. rare: it is a CAS that fails spuriously. */
void holes_read(struct holes *h, struct hgraph *g, u32 r, u32 source, bool rare);
/* The next way in which r can read from that source, after `way' others; false: there is none. */
bool holes_read_next(struct holes *h, struct hgraph *g, u32 r, u32 source, u32 way);
/* Save g, to be visited. */
void holes_save(struct holes *h, const struct hgraph *g);

#endif
