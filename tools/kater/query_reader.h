/* SPDX-License-Identifier: ISC */
/* query_reader.h - the state of reading a file of claims: tokens, models. Private to query.c. */
#ifndef KATER_QUERY_READER_H
#define KATER_QUERY_READER_H

#include "die.h"
#include "kater/query.h"

#define NAMES  256
#define MODELS 64
#define DEPTH  100

struct name {
	const char *text;
	bool is_set;
	kinds set;
	const struct term *relation;
};

/* A set, or a relation. */
struct operand {
	bool is_set;
	kinds set;
	const struct term *relation;
};

struct query_reader {
	struct source source;
	u32 at; /* behind the current token */
	struct token token;
	u32 before; /* the end of the one before */
	struct query query;
	struct claim state; /* assumptions so far */
	struct name name[NAMES];
	u32 nnames;
	struct kater_model model[MODELS];
	u32 nmodels, depth;
	struct cat_map c11;
	struct kind_view view;
};

void query_fail_at(const struct query_reader *r, u32 at, const char *format, ...) PRINTF(3, 4);
void query_advance(struct query_reader *r);
const char *query_token_text(const struct query_reader *r);
bool query_is_word(const struct query_reader *r, const char *word);
bool query_take(struct query_reader *r, const char *word);
void query_want(struct query_reader *r, const char *word);
bool query_take_pair(struct query_reader *r, const char *pair);
const char *query_take_name(struct query_reader *r, const char *what);
struct kater_model *query_find_model(struct query_reader *r, const char *name);
struct kater_model *query_add_model(
	struct query_reader *r, const char *name, const struct cat *c, const char *path);
bool query_is_model(struct query_reader *r);
struct kater_model query_model_named(struct query_reader *r);
struct kater_model query_read_model(struct query_reader *r);

#endif
