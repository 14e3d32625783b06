/* SPDX-License-Identifier: ISC */
/*
 * enumerate.h - all executions of a graph program: every source for every read, every order of the
 * writes, as far as the axioms allow them.
 */
#ifndef AGREE_ENUMERATE_H
#define AGREE_ENUMERATE_H

#include "axioms.h"
#include "executions.h"

struct enumeration {
	struct executions complete[GP_MODELS]; /* consistent, all threads have ended */
	struct executions rf[GP_MODELS];       /* the same, without co */
	struct executions outcomes[GP_MODELS];
	struct executions stuck[GP_MODELS]; /* some thread waits for ever, for the newest write */
	struct executions stuck_rf[GP_MODELS];
	bool race[GP_MODELS];
	bool failure[GP_MODELS]; /* of an assertion */
	unsigned long candidates;
};

/* If not NULL: called with each reads-from function, and the models that have an order of writes
 * for it. */
extern void (*enumerate_look)(const struct ax_graph *g, const bool consistent[GP_MODELS]);

/* Returns false if there are more than `limit` candidates. */
bool enumerate(const struct gprogram *p, unsigned long limit, struct enumeration *e);

#endif
