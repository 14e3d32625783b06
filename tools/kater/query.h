/* SPDX-License-Identifier: ISC */
/*
 * query.h - claims about memory models, in .kat files: `heddle help kater' is their manual.
 *
 * Words, names and comments are those of CAT (cat/token.h). A file is read as a whole; a mistake
 * ends the tool with FILE:LINE:COLUMN and a caret.
 */
#ifndef KATER_QUERY_H
#define KATER_QUERY_H

#include "kater/comparison.h"

enum claim_type {
	CLAIM_WITHIN, /* model a within model b */
	CLAIM_EQUALS,
	CLAIM_REORDERS, /* under model a, events of `from' and `to' may be exchanged */
	CLAIM_FORBIDS,	/* model a: cycles of left */
	CLAIM_PREFIX,	/* model a is prefix-closed */
	CLAIM_EXTENSIBLE,
	CLAIM_PATHS, /* left <= right */
	CLAIM_SAME_PATHS,
	CLAIM_IMPLIES, /* left has no cycle => right has none */
	CLAIM_SAME_CYCLES,
};

#define QUERY_OWN     LETTERS_FREE
#define QUERY_ASSUMED 32

/* The assumptions of a file, for the claims after them. */
struct assumption {
	enum { ASSUME_EMPTY, ASSUME_IDENTITY, ASSUME_WITHIN } type;
	const struct term *a, *b;
};

struct claim {
	enum claim_type type;
	bool refute; /* it is to fail */
	struct kater_model a, b;
	const struct term *left, *right;
	bool left_acyclic, right_acyclic;
	kinds from, to;
	struct cat_where where;
	const char *text;
	/* what has been assumed */
	u32 nassumed;
	struct assumption assumed[QUERY_ASSUMED];
	bool coherent, total;
	u32 nown;
	const char *own[QUERY_OWN]; /* names of the file's own letters */
};

struct query {
	u32 nclaims;
	struct claim *claim;
};

/* Reads a file; or, with text, one claim that is not in a file. */
struct query query_read(const char *path, const char *text);

#endif
