/* SPDX-License-Identifier: ISC */
/*
 * program.h - what the graph explorer asks of the program that it explores.
 *
 * The machine answers by running the program natively (graph/execute.c), a unit test by
 * interpreting a generated one.
 */
#ifndef TRUST_PROGRAM_H
#define TRUST_PROGRAM_H

#include "model/graph.h"

enum answer {
	ANSWER_LABEL,
	ANSWER_RESTART, /* locations or sizes have changed: forget everything, begin again */
	ANSWER_STOP, /* cannot go on (time, Ctrl-C, divergence, refused): the machine knows why */
};

enum leaf {
	LEAF_COMPLETE,
	LEAF_BLOCKED,  /* a thread stands at heddle_assume(false), or waits for something that the
			* execution has in an older write only: it does not count */
	LEAF_STUCK,    /* no thread is enabled, all waits are co-maximal: deadlock or livelock */
	LEAF_FAIL,     /* a thread stands at a finding */
	LEAF_RACE,     /* the last event races with `other` */
	LEAF_HEAP,     /* it and `other` cannot both be right: see trust_heap.c */
};

struct program {
	void *context;
	/*
	 * What does thread t do next in g? Called when the cache does not know. Each thread stands
	 * behind its last event in g; reads have the values in g.
	 */
	enum answer (*next)(struct program *p, const struct graph *g, u32 t, struct label *out);
	/*
	 * An execution is over. t: the failing thread, for FAIL, RACE, HEAP; other: id of the event
	 * raced with. False: stop exploring. Two things are not over: a race that passes() from now
	 * on, and a failure whose label has become LABEL_BLOCK, or has LABEL_TOLD: that thread
	 * stands there, the others go on.
	 */
	bool (*leaf)(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other);
	/*
	 * Is a race of two such accesses known and passed over? Asked of every race; what leaf()
	 * has been told of once may be passed from then on. NULL: none is.
	 */
	bool (*passes)(struct program *p, const struct label *a, const struct label *b);
	/*
	 * Is there no time for more? Asked now and then where much is to be done without a word
	 * to the program, if *up (NULL: never); if so, the search stops.
	 */
	bool (*enough)(struct program *p);
	const volatile bool *up;
};

static inline bool program_enough(struct program *p)
{
	return unlikely(p->up && *p->up) && p->enough(p);
}

#endif
