/* SPDX-License-Identifier: ISC */
/*
 * verify.h - is there a schedule of the SC, TSO or PSO machine for a given reads-from? The order of
 * the writes (co) is not given; the answer has a witness.
 *
 *     struct verify v;
 *     verify_init(&v, memory, size, events, threads, locations);    once
 *     for each question:
 *         verify_begin(&v, BUFFERS_FIFO);
 *         verify_push(&v, thread, loc, flags) ... verify_source(&v, read, write) ...
 *       or
 *         verify_graph(&v, graph, BUFFERS_FIFO);
 *         switch (verify_decide(&v)) ...   VERIFY_YES: v.witness
 *
 * Reads-from consistency is NP-hard in general and polynomial for a bounded number of threads: with
 * n events, k threads, d locations, SC O(k n^k), TSO O(k n^(k+1)), PSO O(k n^(k+1) min(n^(k(k-1)),
 * 2^(kd))). P. Bui, K. Chatterjee, T. Gautam, A. Pavlogiannis, V. Toman, "The Reads-From
 * Equivalence for the TSO and PSO Memory Models", OOPSLA 2021, sections 4 and A. verify.c
 * describes the differences, and why they are correct.
 *
 * Events mean what graph.h's flags say, so that the answer is whether some co makes the graph of
 * these events consistent: exactly the graphs that sc.c, tso.c and pso.c accept, with coherence and
 * atomicity.
 *
 *     E_READ, E_WRITE	an access of `loc`; both: an RMW in one event
 *     E_EXCL		halves of an RMW: a read, and next in its thread its write. The write's
 *			number is valid as a source and stands for the read in the witness. A
 *			read without such a write (not there yet) is a read.
 *     E_FULL		the thread's buffer is empty before the event: seq_cst fences, RMWs,
 *			failing CASes, start, end, create, join, barriers. A write with it
 *			reaches memory at once
 *     E_FULL_AFTER	and after it: seq_cst stores
 *     E_STORES		PSO: earlier stores of the thread reach memory before later ones,
 *			including this event's own write: release stores and fences
 *     none of these	an event with no effect but its place (heddle_choose)
 *
 * Other flags have no meaning here. (verify_graph() leaves out events for which gevent_is_mark();
 * other E_WAIT events are reads, as in tso.c, but not in the witness, as in linearize.h.) Locations
 * are numbers below `locations`, one for each range that is always accessed as a whole (place.h);
 * their initial writes are event 0. Locks and other objects are RMWs of their states (object.h).
 * Reads without a source read event 0.
 *
 * Not thread-safe: one struct verify a thread. Nothing is allocated.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "model/graph.h"
#include "model/plan.h"

#define VERIFY_EVENTS  20000 /* maximum of an instance */
#define VERIFY_THREADS GRAPH_THREADS

enum verify_answer {
	VERIFY_NO,     /* there is no such schedule */
	VERIFY_YES,    /* v->witness does */
	VERIFY_MEMORY, /* not decided: more events, threads or locations than given to
			* verify_init(), or the memory for visited states is used up */
	VERIFY_BUDGET, /* not decided: v->budget states have been visited */
};

/* How the answer was found, for statistics. */
enum verify_stage {
	VERIFY_BY_RULES,   /* a read and its own thread: no search; or no room for one */
	VERIFY_BY_PROBE,   /* one greedy schedule, without backtracking */
	VERIFY_BY_CLOSURE, /* the order implied by the sources has a cycle */
	VERIFY_BY_SEARCH,
	VERIFY_STAGES,
};

/* Ways to decide: all give the same answer. 0 is the fast one. */
enum verify_way {
	VERIFY_NO_PROBE = 1 << 0,   /* closure first */
	VERIFY_NO_CLOSURE = 1 << 1, /* search without the results of the closure */
	VERIFY_PLAIN =
		1 << 2, /* the paper's search, which does not take safe steps eagerly */
	VERIFY_NAIVE = 1 << 3, /* all schedules, up to equal states: for tests */
};

struct verify_priv;

struct verify {
	struct plan
		witness; /* after VERIFY_YES: items as in plan.h. Valid until the next question */
	u64 budget;	     /* states that a search may visit; 0: no limit */
	u32 way;	     /* enum verify_way, or-ed */

	/* Of the last question: */
	enum verify_stage stage;
	u64 states;  /* visited in the search */
	u32 edges;   /* added by the closure */
	u32 rounds;  /* of the closure */

	struct verify_priv *priv;
};

/*
 * Bytes for instances of so many events, threads and locations: the least that verify_init()
 * accepts. The rest is used for visited states of a search (about 100 bytes each) and for the
 * closure of large PSO instances, which is left out without room; 1 MiB more is plenty for
 * instances below 100 events.
 */
size_t verify_memory(u32 events, u32 threads, u32 locations);

/* In memory, 64-byte aligned, of any content. way and budget are 0. */
void verify_init(
	struct verify *v, void *memory, size_t size, u32 events, u32 threads, u32 locations);

/* Start an instance, without events, of the machine with these buffers. Cheap: clears only memory
 * in use. */
void verify_begin(struct verify *v, enum buffers buffers);

/*
 * Append an event to its thread; returns its number, 1 first. Events of different threads may come
 * in any order. Where the search has a choice it prefers the event pushed first: push in the order
 * of a similar schedule (the parent's witness, in RF-SMC), and it rarely backtracks.
 */
u32 verify_push(struct verify *v, u32 thread, u32 loc, u16 flags);

/* Read `read`, which has been pushed, reads from `write` (0: the initial one), which may come
 * later. */
void verify_source(struct verify *v, u32 read, u32 write);

/* Event a of one thread comes before b of another: start after create, join after end. Both have
 * been pushed; a is no store (store or commit would be ambiguous). */
void verify_order(struct verify *v, u32 a, u32 b);

/*
 * Save the position, and return to it: for questions with a common beginning. Sources of remaining
 * events that were changed in between have to be set again.
 */
struct verify_mark {
	u32 n, norders, nthreads;
	bool overflow;
};
struct verify_mark verify_mark(const struct verify *v);
void verify_cut(struct verify *v, struct verify_mark mark);

/*
 * Begin, and push all events of g under their own numbers, with their sources and the order of
 * threads and barriers. co of g and g->model are not used: only flags.
 */
void verify_graph(struct verify *v, const struct graph *g, enum buffers buffers);

/* The answer for the current instance. May be called again after verify_source(), or with another
 * way. */
enum verify_answer verify_decide(struct verify *v);

const char *verify_stage_name(enum verify_stage s);

#endif
