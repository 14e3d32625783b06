/* SPDX-License-Identifier: ISC */
/*
 * cat.h - memory models as files: the language CAT of herdtools and Dat3M, read into expressions
 * over the events of an execution, and axioms about them.
 *
 * Alglave, Maranget, Tautschnig, "Herding cats", TOPLAS 2014, 8.3; Alglave, Cousot, Maranget,
 * "Syntax and semantics of the weak consistency model specification language cat", 2016. Supported:
 *
 *     let, let rec .. and, functions, let .. in, try .. with, if "variant", tuples, procedures
 *     | & \ ; * + ? ^-1 ~ [S] A*B domain range 0 _
 *     acyclic, irreflexive, empty, negated, flagged; undefined_unless, assert, show, include
 *     with NAME from linearisations(S, r), let rec .. when, catdep; enum, instructions (MODEL.bell)
 *
 * An expression is a node; equal ones are one, and a node comes after those that it is made of,
 * but for those of a `let rec'. Evaluation: model/file/cat_eval.h.
 */
#ifndef CAT_CAT_H
#define CAT_CAT_H

#include "base/arena.h"
#include "cat/map.h"
#include "cat/token.h"

#define CAT_NODES    2048
#define CAT_AXIOMS   64
#define CAT_SOURCES  24
#define CAT_TOKENS   24000
#define CAT_WARNINGS 16
#define CAT_SHOWN    64

enum cat_op {
	CAT_EMPTY,
	CAT_UNIVERSE,
	CAT_TAG,  /* events with tag a */
	CAT_BASE, /* the relation a (enum cat_base) */
	CAT_VAR,  /* a name of `let rec'; a: its definition */
	CAT_UNION,
	CAT_INTER,
	CAT_DIFF,
	CAT_NOT,
	CAT_SEQ,
	CAT_PLUS,
	CAT_STAR,
	CAT_OPT,
	CAT_INVERSE,
	CAT_ID,	     /* [a] */
	CAT_PRODUCT, /* a * b */
	CAT_DOMAIN,
	CAT_RANGE,
	CAT_FROM, /* [a];b */
	CAT_TO,	  /* a;[b] */
	CAT_ORDER, /* some total order of the set a that agrees with b: `with .. from' */
	CAT_OPS
};

/* The relations that come with an execution. */
#define CAT_BASES(ROW)                                                                             \
	ROW(po) ROW(rf) ROW(co) ROW(fr) ROW(loc) ROW(int) ROW(ext) ROW(id) ROW(addr) ROW(data)     \
		ROW(ctrl) ROW(rmw)
enum cat_base {
#define CAT_BASE_ID(name) CAT_BASE_##name,
	CAT_BASES(CAT_BASE_ID)
#undef CAT_BASE_ID
	CAT_BASE_COUNT
};

enum cat_type { CAT_ANY, CAT_SET, CAT_RELATION };

/* Facts about a node: analysis.h. */
enum cat_fact {
	CAT_STATIC = 1 << 0,   /* without rf, co, fr */
	CAT_MONOTONE = 1 << 1, /* of a prefix of an execution it is a part of that of all */
	CAT_EXACT = 1 << 2,    /* it is that of the execution, restricted to the prefix */
	CAT_CAUSAL = 1 << 3,   /* a part of (po|rf)* */
	CAT_NEW_LAST = 1 << 4, /* a new event, last in po and co, adds pairs to it only */
	CAT_NEW_ENDS = 1 << 5, /* or pairs with it, and members: it */
	CAT_NEW_IN = 1 << 6,   /* with CAT_NEW_LAST: and none from it */
	CAT_BOUNDED = 1 << 7,  /* a part of (po|rf|co|fr)* */
	CAT_STRICT = 1 << 8,   /* of (po|rf|co|fr)+ */
	CAT_IN_RMW = 1 << 9,   /* of rmw */
	CAT_IN_FR = 1 << 10,   /* of fr */
	CAT_IN_CO = 1 << 11,   /* of co */
	CAT_IN_BREAK = 1 << 12, /* of fr;co */
	CAT_CLOSED = 1 << 14, /* of events on cycles through one of po|rf|co|fr: from them alone */
	CAT_OF_ENDS = 1 << 15, /* events between those of a pair decide whether it has the pair */
	CAT_SHRINKS = 1 << 16, /* without an idle iteration it is a part: analysis.h */
	CAT_IN_PO = 1 << 17,
	CAT_IN_LOC = 1 << 18,
	CAT_IN_COHERENCE = 1 << 19, /* of (po-loc|rf|co|fr)+, */
	CAT_IN_CAUSE = 1 << 20,	    /* of (po|rf)+: acyclic in all graphs that are explored */
};

struct cat_node {
	u8 op;	 /* enum cat_op */
	u8 type; /* enum cat_type */
	u8 group; /* CAT_VAR, and what depends on it: of the `let rec', 1 first; else 0 */
	u16 a, b;
	u32 facts; /* enum cat_fact */
	u32 has;   /* atoms that are a part of it: analysis.h */
	u32 token; /* where it is written */
};

/* The nodes that it is made of; 0: there is none, or no second one. */
static inline void cat_operands(const struct cat_node *x, u16 operand[2])
{
	operand[0] = x->op >= CAT_VAR ? x->a : 0;
	operand[1] = x->op > CAT_VAR ? x->b : 0;
}

enum cat_test { CAT_ACYCLIC, CAT_IRREFLEXIVE, CAT_IS_EMPTY };
enum cat_kind { CAT_REQUIRED, CAT_FLAG, CAT_UNDEFINED, CAT_ASSERTED };

/* When an axiom is checked. */
enum cat_when {
	CAT_PRUNES,   /* of every graph */
	CAT_AT_END,   /* of complete executions */
	CAT_IMPLIED,  /* never: all explored graphs have the property */
};

struct cat_axiom {
	u8 test, kind, when;
	bool negated;
	u16 node;
	u32 token, name; /* 0: it has no name */
};

struct cat_warning {
	u32 token;
	const char *words; /* with the token's text before it */
};

/* A definition of the user's, for `show'. */
struct cat_name {
	u32 token;
	u16 node;
};

struct cat {
	struct arena arena;
	u32 nsources, ntokens, nnodes, naxioms, nwarnings, nnames, nshown, ngroups;
	struct source source[CAT_SOURCES];
	struct token *token; /* [CAT_TOKENS]; 0 is none */
	struct cat_node node[CAT_NODES];
	struct cat_axiom axiom[CAT_AXIOMS];
	struct cat_warning warning[CAT_WARNINGS];
	struct cat_name name[CAT_NODES]; /* top-level sets and relations, in order; the
					  * library's first */
	struct cat_name shown[CAT_SHOWN];
	struct cat_map map;
	/* The nodes of a `let rec', from its variables on. */
	u16 first[256], end[256];
	/* analysis.h */
	bool acyclic_porf; /* it excludes load buffering */
	bool coherent;	   /* it implies coherence */
	bool bounded;	   /* all axioms that prune hold in sequentially consistent graphs */
	bool shrinks;	   /* an idle iteration can be left out of its executions */
	u16 order;	       /* its CAT_ORDER; 0: none */
	bool has_dependencies; /* it depends on addr, data or ctrl */
	bool catdep; /* and defines them by registers: they are those of the execution */
};

/* A mistake in the model, with its place. */
struct cat_error {
	const struct source *source;
	u32 at;
	char message[200];
};

/*
 * Gives the text of a file to include, which stays, in *to. False: there is none. The model's own
 * file comes first, with `from' NULL.
 */
struct cat_files {
	bool (*read)(void *ctx, const char *from, const char *name, struct source *to);
	void *ctx;
	bool (*variant)(void *ctx, const char *name, u32 n); /* NULL: none is set */
};

#define CAT_MEMORY (1u << 20)

/*
 * Reads the model `name' with what it includes. memory: CAT_MEMORY zeroed bytes, which the result
 * keeps. False: *err. Pure; not for two threads with the same c.
 */
bool cat_read(struct cat *c, void *memory, const struct cat_files *files, const char *name,
	struct cat_error *err);

/* "FILE:LINE:COLUMN", and the line's text with its length; the column counts bytes. */
struct cat_where {
	const char *file, *line;
	u32 number, column, n;
};
struct cat_where cat_where(const struct source *s, u32 at);
struct cat_where cat_where_token(const struct cat *c, u32 token);

/* A token's text. */
static inline const char *cat_text(const struct cat *c, u32 token, u32 *n)
{
	*n = c->token[token].n;
	return c->source[c->token[token].source].text + c->token[token].at;
}

/* The name of an axiom into to[80]: its own, or test and number. */
void cat_axiom_name(const struct cat *c, u32 axiom, char to[80]);

/* A file of the library, which models include by name: stdlib.cat, cos.cat, ...; NULL: none.
 * *always: also if there is a file of that name beside the model. */
const char *cat_library(const char *name, bool *always);

const char *cat_base_name(enum cat_base b);

#endif
