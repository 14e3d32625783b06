/* SPDX-License-Identifier: ISC */
/*
 * execution.h - a small execution: events with po, rf, co and dependencies; whether it is coherent,
 * and whether a model in a file allows it.
 *
 * Independent of the explorer's graphs (model/graph.h), and of its evaluation of models: claims are
 * checked by other code than that which runs programs.
 */
#ifndef KATER_EXECUTION_H
#define KATER_EXECUTION_H

#include "cat/cat.h"
#include "kater/letter.h"

#define EXECUTION_EVENTS 40
#define EXECUTION_INIT	 0xff /* the source of a read: the initial write */

struct execution {
	u32 n, nthreads, nlocs; /* locations are 1 .. nlocs, 0 is none */
	struct execution_event {
		u8 kind, thread, loc;
		u8 rf;	  /* reads: the event, or EXECUTION_INIT */
		u8 place; /* writes: in the order of the location's writes, 1 first */
		u8 half;  /* of a successful read-modify-write: the other half + 1; 0: it is none */
		u32 depends[3];	   /* sets of earlier reads: by address, data, control */
	} event[EXECUTION_EVENTS]; /* po is the order here, of one thread */
};

static inline bool execution_is(const struct execution *x, u32 e, u32 ops)
{
	return ops >> kind_table[x->event[e].kind].op & 1;
}

/* po-loc, rf, co and fr have no cycle, and nothing comes between the halves of a
 * read-modify-write. */
bool execution_is_coherent(const struct execution *x);

/* A model, and the axioms of it that count. */
struct kater_model {
	const char *name;
	const struct cat *c;
	u64 without;	  /* bits: axioms left out */
	const char *path; /* its file, for heddle run */
	/* Program order from one of these to one of those, of another location, does not count. */
	kinds drop_from, drop_to;
};

/* The first of the model's required axioms that forbids it; c->naxioms: none does. */
u32 execution_forbidden(const struct execution *x, const struct kater_model *m);

/* Is there an edge of this letter from a to b? */
bool execution_has(const struct execution *x, u32 letter, u32 a, u32 b);

#endif
