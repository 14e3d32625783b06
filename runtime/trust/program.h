/* SPDX-License-Identifier: ISC */
/*
 * program.h - the explored program, as the graph explorer uses it.
 *
 * The machine answers by running the program natively (graph/execute.c), a unit test by
 * interpreting a generated one.
 */
#ifndef TRUST_PROGRAM_H
#define TRUST_PROGRAM_H

#include "model/graph.h"

enum answer {
	ANSWER_LABEL,
	ANSWER_RESTART, /* locations or sizes have changed: discard everything and restart */
	ANSWER_STOP, /* stop (time, Ctrl-C, divergence, refusal): the machine knows the reason */
};

enum leaf {
	LEAF_COMPLETE,
	LEAF_BLOCKED,  /* a thread is at heddle_assume(false), or waits for a value that only an
			* older write has: the execution does not count */
	LEAF_STUCK,    /* no thread is enabled, all waits are co-maximal: deadlock or livelock */
	LEAF_FAIL,     /* a thread is at a finding */
	LEAF_RACE,     /* the last event races with `other` */
	LEAF_HEAP,     /* it and `other` contradict each other: see trust_heap.c */
};

struct program {
	void *context;
	/*
	 * The next label of thread t in g. Called if the cache does not have it. Each thread is
	 * after its last event in g; reads have the values in g.
	 */
	enum answer (*next)(struct program *p, struct graph *g, u32 t, struct label *out);
	/*
	 * An execution is over. t: the failing thread, for FAIL, RACE, HEAP; other: id of the event
	 * raced with. False: stop exploring. The execution continues after a race that passes()
	 * from now on, and after a failure whose label has become LABEL_BLOCK, or has
	 * LABEL_REPORTED: that thread stops there, the others continue.
	 */
	bool (*leaf)(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other);
	/*
	 * Is a race of two such accesses known and ignored? Called for every race; a race that was
	 * reported to leaf() may be ignored from then on. NULL: no race is.
	 */
	bool (*passes)(struct program *p, const struct label *a, const struct label *b);
	/* Two accesses of a region (graph/region.h) are not ordered: it is divided. The explorer
	 * restarts. */
	void (*refine)(struct program *p, u32 loc);
	/*
	 * Is the time up? Called from time to time in long computations without the program, if *up
	 * (NULL: never); if it returns true, the search stops.
	 */
	bool (*enough)(struct program *p);
	const volatile bool *up;
	/* next(), of a graph that is an execution only if some threads behave alike; if it is none,
	 * the label is LABEL_UNKNOWN. NULL: next() knows. */
	enum answer (*try)(struct program *p, struct graph *g, u32 t, struct label *out);
};

static inline bool program_enough(struct program *p)
{
	return unlikely(p->up && *p->up) && p->enough(p);
}

#endif
