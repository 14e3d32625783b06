/* SPDX-License-Identifier: ISC */
/*
 * graph.h - execution graphs: events with po, rf and co, and clocks for their causal order.
 *
 * Events are numbered in the order in which they were added, 1 first; 0 is the initial write of
 * every location. A successful RMW is two events, a read and directly after it in po and co a
 * write, both E_EXCL. All links are numbers; a graph is a few flat arrays, saved by copying
 * (graph_save).
 *
 * Clocks. clock(e)[t] is the number of events of thread t that precede or equal e: one vector for
 * po|rf (causal order), and for models whose hb is smaller one for hb, computed when e is added
 * and valid for as long as it stays.
 *
 * M. Kokologiannakis, "Automated Reasoning under Weak Memory Consistency", PhD thesis, 2023: 2.2.
 */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "model/clock.h"
#include "model/label.h"
#include "model/model.h"
#include "model/place.h"

#define GRAPH_EVENTS  30000
#define GRAPH_THREADS 64
#define GRAPH_SC_MAX  1024 /* maximum seq_cst events if there are others as well */
#define MATRIX_EVENTS 1024 /* maximum events of a model that relates all with all */
#define MATRIX_BYTES  (96 * MATRIX_EVENTS * MATRIX_EVENTS / 8)
#define CYCLE_LISTS   3

enum gevent_flag {
	E_READ = 1 << 0,
	E_WRITE = 1 << 1,
	E_FENCE = 1 << 2,
	E_EXCL = 1 << 3,  /* half of a successful RMW */
	E_PLAIN = 1 << 4, /* not atomic */
	E_ACQUIRE = 1 << 5,
	E_RELEASE = 1 << 6,
	E_SC = 1 << 7,	       /* seq_cst, of an access or a fence */
	E_FULL = 1 << 8,       /* TSO, PSO: a full barrier, on both sides */
	E_FULL_AFTER = 1 << 9, /* TSO, PSO: a full barrier after it */
	E_STORES = 1 << 10,    /* PSO: orders earlier stores before itself and later ones */
	E_SYNC = 1 << 11,      /* of a synchronisation object */
	E_WAIT = 1 << 12, /* a read that waits for another write; not part of the execution */
	E_RARE = 1 << 13,  /* a weak CAS failed spuriously; an object with OP_INIT was in use */
	E_HEAP = 1 << 14,  /* of a whole block of the heap (LABEL_HEAP): not a memory access */
	E_PIECE = 1 << 15, /* of an access of several locations: model/pieces.h */
	E_NO_RESULT = E_STORES, /* of a read, if the model has_no_result */
};

struct gevent {
	u64 value; /* read, written, chosen; CREATE, JOIN: the thread; ARRIVE: 1 = too many came */
	u32 node;	/* cache: the label */
	u32 stamp;	/* a number that no other event ever had; new when rf or co is changed */
	u16 flags;
	u8 type; /* enum label_type */
	u8 thread;
	u16 index;	/* in its thread, 1 first */
	u16 loc;
	u16 po_prev, po_next;
	u16 rf;		/* reads: source. START: its CREATE; JOIN: the END */
	u16 readers;	/* writes, CREATE, END: the last added event with this as rf */
	u16 reader_next;
	u16 co_prev, co_next; /* writes; 0 = initial write, none */
	u16 loc_prev;	/* reads, ARRIVE, LEAVE: the one of the location added before */
	union {
		u16 round; /* ARRIVE, LEAVE: of the barrier, 1 first; 0: none, too many come */
		u16 deps; /* the others: of its label */
	};
	u16 cursor;	/* explorer: sources tried; holes: a source that comes later */
	u8 state;	/* explorer: likewise */
	u8 order;	/* of its label; above bit 4 that of a CAS that fails */
	u8 op;		/* of its label */
	u8 choices;	/* explorer: before it, of trust_cut.h */
};

/* A mark of an operation on an object that had to wait: not part of the execution
 * (trust/trust.c). */
static inline bool gevent_is_mark(const struct gevent *e)
{
	return (e->flags & (E_WAIT | E_SYNC)) == (E_WAIT | E_SYNC);
}

struct gthread {
	u16 first, last; /* events; 0 = none */
	u16 n;
	u16 create;	 /* its CREATE; 0 = none: exists only if it is thread 0 */
	u8 twin; /* explorer: the thread created before it that does the same, plus 1; 0: none */
	bool ended;
	u32 node;	 /* cache: its position */
	u32 node_after;	 /* graph_cut(): its position */
};

struct gplace {
	u16 co_first, co_last; /* writes, 0 = none but the initial one */
	u16 reads;	       /* last added read (or ARRIVE, LEAVE; of location 0: TIME) */
	u16 init_readers;      /* last added reader of the initial write */
	u16 nplain;	       /* plain accesses */
};

struct graph {
	const struct model *model;
	bool mixed;	 /* places->mixed, when graph_init() was called */
	bool holes; /* with cycles of po and rf: holes/holes.h */
	u16 counted;	 /* events with any of these flags are counted below */
	u32 n;		 /* events: 1..n */
	u32 nthreads;	 /* threads 0..nthreads-1 may exist */
	u32 nplaces;	 /* gplaces in use: 0..nplaces-1 */
	u32 lanes;	 /* u16 a clock */
	u32 nclocks;	 /* clocks an event: 1 or CLOCKS */
	u32 nsc;	 /* seq_cst events, if the model has_sc_events */
	u32 nmarks;	 /* events that are marks */
	u32 limit;	 /* events that it holds, or that its model can judge */
	u32 known; /* up to this event unchanged since last read (graph_changes) */
	u32 epoch, nmarked; /* of `mark` (visit.h); its entries that have been cleared */
	struct gevent *event;	/* [2 * GRAPH_EVENTS + 1]: room to copy in a cut */
	u32 *mark;		/* [GRAPH_EVENTS + 1]: visited in this epoch */
	u16 *todo;		/* [GRAPH_EVENTS + 1]: scratch */
	u64 *matrix;		/* [MATRIX_BYTES / 8] scratch of models, and */
	u16 *cycle;		/* [CYCLE_LISTS][GRAPH_EVENTS + 1] for events on cycles */
	u16 *clocks;		/* [event][nclocks][lanes] */
	struct gthread *thread; /* [GRAPH_THREADS] */
	struct gplace *place;	/* [PLACES_MAX] */
	struct places *places;
};

/*
 * Event e is removed, or its source, value, flags or stamp, or its thread's continuation changes. A
 * repeated reader of the graph (graph/execute.c) sets g->known, and then reads only events above
 * it.
 */
static inline void graph_changes(struct graph *g, u32 e)
{
	if (g->known >= e)
		g->known = e - 1;
}

/* Clocks of an event. Models with hb = po|rf (SC, TSO, RA) keep only the first. */
enum { CLOCK_CAUSE, CLOCK_HB, CLOCK_ACQUIRE, CLOCK_RELEASE, CLOCK_MESSAGE, CLOCKS };

static inline u16 *graph_clock(const struct graph *g, u32 e, u32 which)
{
	return g->clocks + (e * g->nclocks + which) * (size_t)g->lanes;
}

/* po|rf: is e a cause of the event with this clock, or that event? */
static inline bool clock_has(const struct graph *g, const u16 *clock, u32 e)
{
	const struct gevent *x = &g->event[e];

	return !e || x->index <= clock[x->thread];
}

static inline const u16 *graph_cause(const struct graph *g, u32 e)
{
	return graph_clock(g, e, CLOCK_CAUSE);
}

static inline const u16 *graph_hb(const struct graph *g, u32 e)
{
	return graph_clock(g, e, g->nclocks > 1 ? CLOCK_HB : CLOCK_CAUSE);
}

static inline u64 graph_write_value(const struct graph *g, u32 w, u32 loc)
{
	return w ? g->event[w].value : g->places->place[loc].init;
}

/* Does the thread exist? / Has it also not ended? t < g->nthreads. */
static inline bool graph_has_thread(const struct graph *g, u32 t)
{
	return !t || g->thread[t].create;
}

static inline bool graph_is_alive(const struct graph *g, u32 t)
{
	return graph_has_thread(g, t) && !g->thread[t].ended;
}

/* --- building (graph.c, graph_flags.c, graph_clocks.c, graph_copy.c) -------------------------- */

/* Bytes of memory that graph_init() takes from the front of its block. */
size_t graph_memory(u32 lanes, u32 nclocks);
/* An empty graph in memory of any contents; keeps places. */
void graph_init(
	struct graph *g, void *memory, const struct model *model, u32 lanes, struct places *places);
static inline u32 graph_clocks_of(const struct model *m)
{
	return m->has_clocks ? CLOCKS : 1;
}

/* The model's flags of a label's read (or only) event, and of its write. */
u16 graph_read_flags(const struct model *m, const struct label *l, bool excl);
u16 graph_write_flags(const struct model *m, const struct label *l, bool excl);
u16 graph_other_flags(const struct model *m, const struct label *l);

/* Append an event to its thread; its clocks are those of its thread until graph_clocks(). */
u32 graph_push(struct graph *g, u32 thread, const struct label *l, u32 node, u16 flags);
/* Remove the last event: no event refers to it. */
void graph_pop(struct graph *g);

void graph_set_flags(struct graph *g, u32 e, u16 flags);
/* Make the list of location loc, before its first event. */
static inline void graph_know_place(struct graph *g, u32 loc)
{
	while (unlikely(g->nplaces <= loc))
		g->place[g->nplaces++] = (struct gplace){.nplain = 0};
}
bool graph_in_co(const struct graph *g, u32 w);
/* Are there atomic accesses or fences that are not seq_cst? */
bool graph_has_weak(const struct graph *g);

/* e reads from (or starts after, joins) source, in place of its old one; last added reader. */
void graph_set_source(struct graph *g, u32 e, u32 source);
/* w enters co after the write `before` (0: the initial one). / leaves it. */
void graph_co_insert(struct graph *g, u32 w, u32 before);
void graph_co_remove(struct graph *g, u32 w);
/* Compute the clocks of e from its thread's previous event, its source and its flags. */
void graph_clocks(struct graph *g, u32 e);

/* The same of an event of LABEL_TIME, which also comes after these `n' events. */
void graph_clocks_after(struct graph *g, u32 e, const u16 *causes, u32 n);

/* Has time passed, in some event? */
static inline bool graph_has_time(const struct graph *g)
{
	return unlikely(g->place[0].reads);
}

/* The first event of LABEL_TIME that has e as a cause; 0: none. */
u32 graph_time_after(const struct graph *g, u32 e);
/* The first one at or after that time; 0: none. */
u32 graph_time_reached(const struct graph *g, u64 deadline);
/* The time after the events of the clock. */
u64 graph_time(const struct graph *g, const u16 *clock);

/* Is w, or a read of it, among the events of this clock? Later reads see nothing older than it. */
bool graph_known(const struct graph *g, const u16 *clock, u32 loc, u32 w);

#define CO_NONE 0xffff /* while cutting: a write that is not in co */

/* Keep events < from, those in the causal order before `cause`, `also` and `cause` itself, the
 * last; renumbered in their order. Returns the new number of `also`; `cause` is g->n. */
u32 graph_cut(struct graph *g, u32 from, u32 also, const u16 *clock);
/* Keep events < from and those of the clock, a causally closed set. */
void graph_keep(struct graph *g, u32 from, const u16 *clock);

/* Copies of a graph: bytes needed, save, restore. */
size_t graph_size(const struct graph *g);
void graph_save(const struct graph *g, void *to);
void graph_restore(struct graph *g, const void *from);
/* Do these `size` bytes of untrusted input hold a copy that fits into g's arrays? */
bool graph_restorable(const struct graph *g, const void *from, size_t size);

/*
 * graph_sound.c: returns the first violated invariant, or NULL, for any contents of the arrays.
 * graph_invariants.c: BUG unless clocks only grow. / BUG unless a copy equals the graph; memory:
 * two times graph_size().
 */
const char *graph_wrong(struct graph *g);
void graph_check_clocks(const struct graph *g);
void graph_check_copy(struct graph *g, void *memory);

/* As in struct model: g was consistent without e (and with another source of r). */
static inline bool graph_consistent(struct graph *g, u32 e, u32 r)
{
	return !g->model->consistent || g->model->consistent(g, e, r);
}

#endif
