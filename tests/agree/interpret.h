/* SPDX-License-Identifier: ISC */
/* interpret.h - graph programs for the graph explorer: their labels and results. */
#ifndef AGREE_INTERPRET_H
#define AGREE_INTERPRET_H

#include "executions.h"
#include "model/graph.h"

struct manner {
	bool no_cache;
	bool rf;  /* TruSt, by reads-from */
	bool symmetric; /* equal threads are not named */
	bool alike; /* it has to find these out */
	bool smc; /* RF-SMC: sc, tso, pso */
	unsigned order; /* permutes the threads */
	unsigned walks; /* so many random executions instead */
	unsigned depth, history; /* by pctwm, if depth is not 0 */
};

struct exploration {
	struct executions complete;
	struct executions stuck;
	unsigned long leaves, duplicates;
	struct execution again; /* one that was a duplicate */
	bool race, failure;
	uint64_t different; /* threads that are no twins (trust_symmetry.h) */
	/* If not NULL: called with each complete execution. */
	void (*look)(const struct graph *g, const struct execution *x);
	void (*look_sc)(
		const struct graph *g, const struct execution *x); /* with co of SC, if any */
	void (*look_stuck)(const struct graph *g, const struct execution *x);
	const char *wrong; /* the error that ended it; NULL = none */
};

/* Explore p; most: give up after so many leaves. Stops at the first race. */
void interpret(const struct gprogram *p, enum gp_model m, struct manner how, unsigned long most,
	struct exploration *x);

struct trust;
struct program;

/* A fresh explorer, in the one memory that there is for it. */
struct trust *interpret_trust(enum model_id model, struct program *program);
/* Run it; returns NULL, or the bug, crash or time-out that ended it. */
const char *interpret_guarded(void (*run)(void));

#endif
