/* SPDX-License-Identifier: ISC */
/*
 * reader.h - the state of reading a model: tokens, names in scope, the first mistake.
 *
 * Expressions are evaluated to nodes as they are read. A function is a place in the tokens with the
 * scope around it: its body is read once with unknown arguments, for mistakes, and again at each
 * call. Private to cat/.
 */
#ifndef CAT_READER_H
#define CAT_READER_H

#include "cat/node.h"

#define READER_BINDINGS 8192
#define READER_ITEMS	4096
#define READER_DEPTH	100 /* of nested expressions, calls and includes */
#define READER_CALLS	20000

enum value_kind {
	VALUE_UNKNOWN, /* an argument of a body that is only checked */
	VALUE_NODE,
	VALUE_TUPLE,	/* items first .. first + n */
	VALUE_FUNCTION, /* its parameters begin at token `first', in scope `n' */
	VALUE_PROCEDURE,
	VALUE_PRIMITIVE,
	VALUE_TAG, /* token `first' */
};

struct reader_value {
	u8 kind;  /* enum value_kind */
	u16 node; /* VALUE_NODE; VALUE_PRIMITIVE: enum cat_op */
	u32 first, n;
};

/* A name in scope; scopes are linked lists that share their tails. */
struct binding {
	u32 token;
	u32 below;
	struct reader_value value;
	bool used;
	bool silent; /* not reported if it is not used */
};

struct cat_reader {
	struct cat *c;
	const struct cat_files *files;
	struct cat_error *err;
	struct cat_nodes nodes;
	struct binding *binding; /* [READER_BINDINGS], 0 is none */
	struct reader_value *item;	 /* [READER_ITEMS] */
	u32 nbindings, nitems, scope;
	u32 at;	   /* the current token */
	u32 depth, calls;
	u32 own;   /* the source of the model itself */
	u32 quiet; /* names may be unknown: in `try', and in branches not chosen */
	u32 unchosen; /* instructions have no effect */
	u32 inside; /* a body of a function or procedure */
	bool missed; /* one was */
	u64 tags; /* of its table that are named, a bit each */
	const char *wanted; /* the table of a tag that its own has not; NULL: none */
	bool failed;
};

/* --- reader.c: tokens and mistakes ----------------------------------------------------------- */

static inline u8 reader_type(const struct cat_reader *r)
{
	return r->failed ? TOKEN_END : r->c->token[r->at].type;
}

/* A mistake at this token; "%" stands for its text. Only the first one counts. */
void reader_refuse(struct cat_reader *r, u32 token, const char *message);
/* The current token is of this type, and is passed? */
bool reader_accept(struct cat_reader *r, u8 type);
/* The same, else a mistake: "wanted ... TYPE". Returns the token; 0 if there is none. */
u32 reader_expect(struct cat_reader *r, u8 type);
/* One level deeper; false: too deep. */
bool reader_enter(struct cat_reader *r);
static inline void reader_leave(struct cat_reader *r)
{
	r->depth--;
}

/* Read a file's tokens, to c->token from c->ntokens on. False: a mistake. */
bool reader_tokens(struct cat_reader *r, const char *from, const char *name, u32 token);

/* --- scope.c: names --------------------------------------------------------------------------- */

void scope_bind(struct cat_reader *r, u32 token, struct reader_value v);
struct reader_value scope_find(struct cat_reader *r, u32 token);
/* Names of the model that are bound and not used, as warnings. */
void scope_warn(struct cat_reader *r);

/* --- expression.c ----------------------------------------------------------------------------- */

struct reader_value expression_read(struct cat_reader *r);
/* An expression of a type; NODE_WRONG with a mistake, or an unknown value: VALUE_UNKNOWN. */
struct reader_value expression_typed(struct cat_reader *r, enum cat_type type);
/* One without operators, as the argument of a procedure. */
struct reader_value expression_simple(struct cat_reader *r);

/* `let' and `let rec', from the token behind these. Bindings are in scope afterwards. */
void binding_read(struct cat_reader *r, bool recursive);
/* A pattern NAME or (NAME, ...) gets the value's parts. False: they do not fit. */
bool binding_pattern(struct cat_reader *r, struct reader_value v);
/* Skip a pattern, and bind its names to unknown values. */
void binding_unknown(struct cat_reader *r);

/* Of a `let rec' whose variables are defined: an operator through which none of its names has a
 * solution; 0: iteration finds one. */
u16 recursion_unsolved(const struct cat *c, const u16 *var, u32 n);

static inline struct reader_value value_node(u16 node)
{
	return (struct reader_value){.kind = node ? VALUE_NODE : VALUE_UNKNOWN, .node = node};
}

/* --- instruction.c ---------------------------------------------------------------------------- */

/* Instructions up to `end', `else' or the end of the file. */
void instructions_read(struct cat_reader *r);
/* A file, with its instructions; token: the name's, 0 for the model itself. */
void instructions_file(struct cat_reader *r, const char *from, const char *name, u32 token);
/* "variant" conditions. */
bool condition_read(struct cat_reader *r);

#endif
