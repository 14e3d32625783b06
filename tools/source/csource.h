/* SPDX-License-Identifier: ISC */
/*
 * csource.h - C source as tokens and statements, sufficient to insert statements.
 *
 * No types, no preprocessor: directives are white space, a use of a macro is parsed like a call or
 * a name. This is enough to find the statement and the call at a place of debug information.
 */
#ifndef SOURCE_CSOURCE_H
#define SOURCE_CSOURCE_H

#include "base/base.h"

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OTHER };

struct token {
	u32 at, n;     /* bytes of the text */
	int line, column; /* 1 first, columns in bytes, as compilers count */
	u8 kind;       /* enum token_kind */
	u32 match;     /* of ( [ { and ) ] }: its partner; else itself */
};

enum statement_kind {
	STATEMENT_SIMPLE, /* up to and with its ; */
	STATEMENT_BLOCK,
	STATEMENT_IF,
	STATEMENT_WHILE,
	STATEMENT_DO,
	STATEMENT_FOR,
	STATEMENT_OTHER, /* switch, and macros that look like a loop */
};

struct statement {
	enum statement_kind kind;
	u32 first, last; /* tokens; without labels before it */
	u32 open, close; /* parentheses of a condition; 0: there are none */
	i32 parent;	 /* statement, -1: the function itself */
	bool bare;	 /* the body of if, else, a loop, without braces */
};

struct csource {
	const char *path;
	char *text;
	u32 n;
	struct token *token; /* [0] is none */
	u32 ntokens;
	struct statement *statement;
	u32 nstatements;
	int deep; /* line from which on statements are nested too deeply to be parsed; 0: all are
		     parsed */
	u32 depth; /* while it is parsed */
	struct csource *next; /* of those that have been read */
};

/* Read a file. It joins those in *all (NULL: none yet), unless it is there, the same: then that is
 * returned. Not to be changed. NULL: it cannot be read. */
struct csource *csource_read(struct csource **all, const char *path);

/* The same, read once in this process, whether it changes or not. */
const struct csource *csource_once(const char *path);

/* Drop the files read by csource_once(); their memory is the caller's to free. */
void csource_forget(void);

/* Parse a text; for tests. */
struct csource *csource_parse(const char *path, char *text, u32 n);

/* The token that begins at a place; 0: none does. */
u32 csource_token(const struct csource *s, int line, int column);

/* The innermost statement with this token, NULL if it is in none. */
const struct statement *csource_statement(const struct csource *s, u32 token);

/* Is the word at a token a parameter of the function that it is in? */
bool csource_is_parameter(const struct csource *s, u32 token);

/* The offset behind a token. */
static inline u32 token_end(const struct csource *s, u32 token)
{
	return s->token[token].at + s->token[token].n;
}

bool token_is(const struct csource *s, u32 token, const char *text);

/* A copy of the text of the tokens from first to last. */
char *csource_copy(const struct csource *s, u32 first, u32 last);

#endif
