/* SPDX-License-Identifier: ISC */
/* answer.h - is a claim (query.h) true? */
#ifndef KATER_ANSWER_H
#define KATER_ANSWER_H

#include "kater/query.h"

#define ANSWER_NOTES 8

struct answer {
	enum verdict verdict;
	double seconds;
	/* FAILS, UNKNOWN: a shortest word of the left side that is not one of the right side */
	struct event_word word;
	/* FAILS, of models: an execution with it */
	bool has_execution;
	struct execution execution;
	const struct kater_model *allows, *forbids; /* forbids NULL: no model does */
	const char *axiom;			    /* of the one that forbids it, or "" */
	/* the approximations, or the reason */
	u32 nnotes;
	const char *note[ANSWER_NOTES];
	const char *refused; /* NULL, or why the claim is not decided at all */
};

void answer_find(const struct claim *c, struct answer *a);

/* "W rlx -po-> R rlx -fre-> ..." */
char *answer_word(const struct claim *c, const struct event_word *w);

#endif
