/* SPDX-License-Identifier: ISC */
/*
 * comparison.h - does one model allow only executions that another one allows?
 *
 * Each axiom of the weaker model forbids cycles; the stronger model has to forbid each of these:
 * inclusion.h. Only executions that are explored count: coherent ones, with atomic
 * read-modify-writes. The axioms are taken in their order; once one is proved, it counts as an
 * axiom of the stronger model for the next ones.
 */
#ifndef KATER_COMPARISON_H
#define KATER_COMPARISON_H

#include "kater/execution.h"
#include "kater/inclusion.h"
#include "kater/theory.h"
#include "kater/translate.h"

enum verdict { VERDICT_HOLDS, VERDICT_FAILS, VERDICT_UNKNOWN };

struct axiom_result {
	u32 axiom; /* of the weaker model */
	enum verdict verdict;
	struct event_word word; /* FAILS, UNKNOWN: the shortest that is missing; n = 0: none */
	u32 nstates, nright; /* of the search; of the stronger model's automaton */
	double seconds;
};

struct comparison {
	struct kater_model stronger, weaker;
	/* In place of the weaker model: cycles of this, which are to be forbidden; NULL: it is a
	 * model */
	const struct term *cycles;
	/* Is the word's circle in an execution of the stronger model that the weaker one forbids?
	 * NULL: words are not looked at, and verdicts FAILS are of words. */
	bool (*confirm)(void *ctx, const struct comparison *c, const struct event_word *w);
	void *ctx;
	/* the result */
	enum verdict verdict;
	u32 nresults;
	struct axiom_result result[CAT_AXIOMS];
	struct translator above, below; /* with their approximations */
	const char *wrong;		/* refused: why */
};

/* False: c->wrong. */
bool comparison_run(struct comparison *c);

#endif
