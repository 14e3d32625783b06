/* SPDX-License-Identifier: ISC */
/* poll.c - see poll.h. */
#include "source/poll.h"

#include <ctype.h>
#include <string.h>

#include "source/csource.h"

static bool is_loop(const struct statement *x)
{
	return x->kind == STATEMENT_WHILE || x->kind == STATEMENT_DO || x->kind == STATEMENT_FOR;
}

static const struct statement *loop_around(const struct csource *s, const struct statement *x)
{
	while (x && !is_loop(x))
		x = x->parent >= 0 ? &s->statement[x->parent] : NULL;
	return x;
}

/* if (...) break; */
static bool leaves_loop(const struct csource *s, const struct statement *x)
{
	u32 body = x->close + 1;

	if (x->kind != STATEMENT_IF)
		return false;
	body += token_is(s, body, "{");
	return token_is(s, body, "break") || token_is(s, body, "return") ||
	       token_is(s, body, "goto");
}

static bool ends_part(const struct csource *s, u32 i)
{
	return token_is(s, i, "&&") || token_is(s, i, "||") || token_is(s, i, ";");
}

/* NULL, true, MAX: a name that stands for a number */
static bool is_constant(const struct csource *s, u32 i)
{
	const struct token *t = &s->token[i];

	if (token_is(s, i, "true") || token_is(s, i, "false") || token_is(s, i, "nullptr"))
		return true;
	for (u32 k = 0; k < t->n; k++)
		if (islower((unsigned char)s->text[t->at + k]))
			return false;
	return true;
}

/* s->list[i].flag: does a word belong to the expression of which the token is the last name? */
static bool is_of_chain(const struct csource *s, u32 i, u32 token)
{
	for (; i < token; i++)
		if (!(s->token[i].kind == TOKEN_WORD || s->token[i].kind == TOKEN_NUMBER ||
			    token_is(s, i, ".") || token_is(s, i, "->") || token_is(s, i, "[") ||
			    token_is(s, i, "]") || token_is(s, i, "(") || token_is(s, i, ")")))
			return false;
	return true;
}

/* Has the part of a condition between && and || no other variable, and no call? */
static bool is_alone(const struct csource *s, const struct statement *x, u32 token)
{
	u32 from = token, to = token;

	while (from - 1 > x->open && !ends_part(s, from - 1))
		from--;
	while (to + 1 < x->close && !ends_part(s, to + 1))
		to++;
	for (u32 i = from; i <= to; i++) {
		bool word = s->token[i].kind == TOKEN_WORD;

		if (word && i > token && (token_is(s, i - 1, ".") || token_is(s, i - 1, "->")))
			continue;
		if (word && (token_is(s, i + 1, "(") ||
				    (i > token ? !is_constant(s, i)
					       : !is_of_chain(s, i, token) && !is_constant(s, i))))
			return false;
	}
	return true;
}

static bool is_assignment(const struct csource *s, u32 i)
{
	const struct token *t = &s->token[i];

	return token_is(s, i, "=") || token_is(s, i, "++") || token_is(s, i, "--") ||
	       (t->n > 1 && s->text[t->at + t->n - 1] == '=' && !strchr("=!<>", s->text[t->at]));
}

static bool is_assigned(const struct csource *s, const struct statement *loop, u32 token)
{
	const struct token *t = &s->token[token];

	for (u32 i = loop->first; i < loop->last; i++) {
		const struct token *x = &s->token[i];

		if (x->n == t->n && !memcmp(s->text + x->at, s->text + t->at, t->n) &&
			(is_assignment(s, i + 1) || token_is(s, i - 1, "++") ||
				token_is(s, i - 1, "--")))
			return true;
	}
	return false;
}

/* Compilers locate an access at its name, at the operator before it (*p), or at the comparison
 * after it. */
static u32 name_token(const struct csource *s, u32 i)
{
	if (i > 1 && s->token[i].kind == TOKEN_OTHER && s->token[i - 1].kind == TOKEN_WORD)
		return i - 1;
	while (i && i + 1 < s->ntokens && s->token[i].kind == TOKEN_OTHER)
		i++;
	return i;
}

/* The token of the last name of s.flag in the line; 0: none. */
static u32 name_in_line(const struct csource *s, int line, const char *name)
{
	size_t n = strlen(name), k = n;

	while (k && (isalnum((unsigned char)name[k - 1]) || name[k - 1] == '_'))
		k--;
	for (u32 i = 1; i < s->ntokens && n > k; i++)
		if (s->token[i].line == line && s->token[i].n == n - k &&
			!memcmp(s->text + s->token[i].at, name + k, n - k))
			return i;
	return 0;
}

bool poll_is_at(const struct frame *f, const char *name)
{
	const struct csource *s = f->file && f->line ? csource_once(f->file) : NULL;
	u32 token = !s		? 0
		    : f->column ? name_token(s, csource_token(s, f->line, f->column))
				: name_in_line(s, f->line, name);
	const struct statement *x = token ? csource_statement(s, token) : NULL,
			       *loop = loop_around(s, x);

	if (!loop || token <= x->open || token >= x->close || !(x == loop || leaves_loop(s, x)))
		return false;
	return is_alone(s, x, token) && !is_assigned(s, loop, token);
}
