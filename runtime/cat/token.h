/* SPDX-License-Identifier: ISC */
/*
 * token.h - the words of a .cat file.
 *
 * Names: an optional `_', a letter, then letters, digits, `_', `.', `-', and primes. Comments:
 * (* *), which nest, slashes to the end of the line, and slash-star. A comment that begins with
 * `(* heddle' is a token: it has the tags of C's operations (map.h).
 */
#ifndef CAT_TOKEN_H
#define CAT_TOKEN_H

#include "base/base.h"

/* A character that is a token by itself has its own number. */
enum token_type {
	TOKEN_END = 0,
	TOKEN_NAME = 128,
	TOKEN_TAG,    /* 'name */
	TOKEN_STRING, /* "..." */
	TOKEN_MAP,    /* the text of a comment `(* heddle ... *)' */
	TOKEN_INVERSE, /* ^-1 */
	TOKEN_INSERT, /* ++ */
	TOKEN_BARS,   /* || */
	TOKEN_AND,    /* && */
	TOKEN_ARROW,  /* -> */
	TOKEN_ZERO,
	TOKEN_WRONG,  /* the message is that of the reader */
	/* keywords */
	TOKEN_LET, TOKEN_REC, TOKEN_WORD_AND, TOKEN_WHEN, TOKEN_AS, TOKEN_ACYCLIC,
	TOKEN_IRREFLEXIVE, TOKEN_EMPTY, TOKEN_FLAG, TOKEN_UNDEFINED, TOKEN_ASSERT, TOKEN_INCLUDE,
	TOKEN_SHOW, TOKEN_UNSHOW, TOKEN_FUN, TOKEN_IN, TOKEN_IF, TOKEN_THEN, TOKEN_ELSE, TOKEN_TRY,
	TOKEN_WITH, TOKEN_MATCH, TOKEN_WORD_END, TOKEN_BEGIN, TOKEN_FROM, TOKEN_FORALL, TOKEN_DO,
	TOKEN_PROCEDURE, TOKEN_CALL, TOKEN_ENUM, TOKEN_INSTRUCTIONS, TOKEN_DEFAULT, TOKEN_VARIANT,
	TOKEN_NOT, TOKEN_CATDEP,
};

struct token {
	u8 type;   /* enum token_type, or a character */
	u8 source; /* the number of its file */
	u16 n;	   /* bytes */
	u32 at;	   /* of the file */
};

/* One file. */
struct source {
	const char *name; /* as in messages */
	const char *text;
	u32 n;
	bool library; /* it is a file of ours */
};

/*
 * The token at or after *at, which becomes the place behind it. TOKEN_WRONG: the mistake,
 * with its reason in *why. Pure; any bytes are accepted.
 */
struct token token_next(const struct source *s, u32 *at, const char **why);

/* How a type is called in messages: "`;'", "a name". */
const char *token_words(u8 type, char words[8]);

#endif
