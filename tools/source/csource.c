/* SPDX-License-Identifier: ISC */
/* csource.c - see csource.h: a scanner, and a parser by recursive descent that knows statements
 * only. */
#include "source/csource.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "die.h"

/* --- tokens ---------------------------------------------------------------------------------- */

struct scan {
	struct csource *s;
	u32 at, line, start; /* start: of the line */
	bool fresh;	     /* nothing but white space on this line so far */
};

static char peek(const struct scan *c, u32 ahead)
{
	return c->at + ahead < c->s->n ? c->s->text[c->at + ahead] : 0;
}

static void step(struct scan *c)
{
	if (c->s->text[c->at++] == '\n') {
		c->line++;
		c->start = c->at;
		c->fresh = true;
	}
}

/* To the end of the line, or of the lines that a backslash joins to it. */
static void skip_directive(struct scan *c)
{
	while (c->at < c->s->n && peek(c, 0) != '\n') {
		if (peek(c, 0) == '\\' && peek(c, 1) == '\n')
			step(c);
		if (peek(c, 0) == '/' && peek(c, 1) == '*')
			return; /* which may go on */
		step(c);
	}
}

static void skip_c_comment(struct scan *c)
{
	bool line = peek(c, 1) == '/';

	while (c->at < c->s->n) {
		if (line ? peek(c, 0) == '\n' : peek(c, 0) == '*' && peek(c, 1) == '/')
			break;
		step(c);
	}
	for (int i = 0; !line && i < 2 && c->at < c->s->n; i++)
		step(c);
}

static void skip_c_literal(struct scan *c)
{
	char quote = peek(c, 0);

	do {
		if (peek(c, 0) == '\\' && c->at + 1 < c->s->n)
			step(c);
		step(c);
	} while (c->at < c->s->n && peek(c, 0) != quote && peek(c, 0) != '\n');
	if (peek(c, 0) == quote)
		step(c);
}

static u32 punctuation(const struct scan *c)
{
	static const char *const longer[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
		"<=", ">=", "==", "!=", "&&", "||",
		"+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "::", "##"};

	for (u32 i = 0; i < array_size(longer); i++) {
		u32 n = (u32)strlen(longer[i]);

		if (c->at + n <= c->s->n && !memcmp(c->s->text + c->at, longer[i], n))
			return n;
	}
	return 1;
}

static enum token_kind scan_token(struct scan *c)
{
	unsigned char x = (unsigned char)peek(c, 0);
	u32 n;

	if (isalpha(x) || x == '_' || x >= 0x80 || x == '$') {
		while (isalnum((unsigned char)peek(c, 0)) ||
			strchr("_$", peek(c, 0) ? peek(c, 0) : ' ') ||
			(unsigned char)peek(c, 0) >= 0x80)
			step(c);
		return TOKEN_WORD;
	}
	if (isdigit(x)) {
		while (isalnum((unsigned char)peek(c, 0)) || peek(c, 0) == '.')
			step(c);
		return TOKEN_NUMBER;
	}
	if (x == '"' || x == '\'') {
		skip_c_literal(c);
		return TOKEN_STRING;
	}
	n = punctuation(c);
	while (n--)
		step(c);
	return TOKEN_OTHER;
}

static void add_token(struct csource *s, struct token t)
{
	if ((s->ntokens & (s->ntokens - 1)) == 0)
		s->token = xgrow(s->token, 2 * (s->ntokens + 1) * sizeof(*s->token));
	t.match = s->ntokens;
	s->token[s->ntokens++] = t;
}

static void scan_all(struct csource *s)
{
	struct scan c = {s, 0, 1, 0, true};

	add_token(s, (struct token){0});
	while (c.at < s->n) {
		struct token t = {
			.at = c.at, .line = (int)c.line, .column = (int)(c.at - c.start) + 1};

		if (isspace((unsigned char)peek(&c, 0)) || peek(&c, 0) == '\\') {
			step(&c);
		} else if (peek(&c, 0) == '/' && (peek(&c, 1) == '*' || peek(&c, 1) == '/')) {
			skip_c_comment(&c);
		} else if (peek(&c, 0) == '#' && c.fresh) {
			skip_directive(&c);
		} else {
			c.fresh = false;
			t.kind = (u8)scan_token(&c);
			t.n = c.at - t.at;
			add_token(s, t);
		}
	}
}

bool token_is(const struct csource *s, u32 token, const char *text)
{
	const struct token *t = &s->token[token];

	return token && token < s->ntokens && t->n == strlen(text) &&
	       !memcmp(s->text + t->at, text, t->n);
}

static void match_brackets(struct csource *s)
{
	u32 *open = xmalloc((s->ntokens + 1) * sizeof(*open)), n = 0;

	for (u32 i = 1; i < s->ntokens; i++) {
		const char *x = s->text + s->token[i].at;

		if (s->token[i].n != 1 || s->token[i].kind != TOKEN_OTHER)
			continue;
		if (strchr("([{", *x))
			open[n++] = i;
		if (!strchr(")]}", *x) || !n)
			continue;
		s->token[i].match = open[--n];
		s->token[open[n]].match = i;
	}
	free(open);
}

/* --- statements ------------------------------------------------------------------------------ */

/* Maximum nesting; the parser stops beyond it: csource.deep. */
#define DEEPEST 1000

static u32 parse_statement(struct csource *s, u32 i, i32 parent, bool bare);

static u32 matching_token(const struct csource *s, u32 i)
{
	return s->token[i].match > i ? s->token[i].match : i;
}

static i32 add_statement(struct csource *s, struct statement x)
{
	u32 n = s->nstatements;

	if ((n & (n - 1)) == 0)
		s->statement = xgrow(s->statement, (n ? 2 * n : 1) * sizeof(*s->statement));
	s->statement[n] = x;
	s->nstatements++;
	return (i32)n;
}

/* Enter a level at token i; false: too deep. s->depth-- leaves it. */
static bool descend(struct csource *s, u32 i)
{
	if (s->depth == DEEPEST && !s->deep)
		s->deep = s->token[i].line;
	if (s->deep)
		return false;
	s->depth++;
	return true;
}

/* The statements between braces, the first of which is token i. Returns the next token. */
static u32 parse_block(struct csource *s, u32 i, i32 parent)
{
	u32 close = matching_token(s, i);
	i32 me = add_statement(
		s, (struct statement){STATEMENT_BLOCK, i, close, 0, 0, parent, false});

	if (!descend(s, i))
		return close + 1;
	for (i++; i < close;) {
		u32 next = parse_statement(s, i, me, false);

		i = next > i ? next : i + 1;
	}
	s->depth--;
	return close + 1;
}

/* The last token before i, without words between a function's parameters and its body. */
static u32 before_words(const struct csource *s, u32 i)
{
	static const char *const words[] = {
		"const", "noexcept", "mutable", "override", "final", "constexpr"};

	for (u32 k = 0; k < array_size(words); k++)
		if (token_is(s, i - 1, words[k]))
			return before_words(s, i - 1);
	if (s->token[i - 1].kind == TOKEN_WORD && token_is(s, i - 2, "->"))
		return before_words(s, i - 2);
	return i - 1;
}

/* Does a brace begin the body of a lambda? [&] {, [=](int x) mutable { */
static bool is_lambda(const struct csource *s, u32 i)
{
	u32 k = before_words(s, i);

	if (token_is(s, k, ")"))
		k = before_words(s, s->token[k].match);
	return token_is(s, k, "]");
}

/* Statements within an expression: ({ ... }), and lambdas. */
static void parse_inner(struct csource *s, u32 from, u32 to, i32 parent)
{
	for (u32 i = from; i < to; i++) {
		if (token_is(s, i, "(") && token_is(s, i + 1, "{"))
			i = parse_block(s, i + 1, parent) - 1;
		else if (token_is(s, i, "{") && is_lambda(s, i))
			i = parse_block(s, i, parent) - 1;
	}
}

static u32 parse_body(struct csource *s, u32 i, i32 parent)
{
	u32 next;

	if (i >= s->ntokens || !descend(s, i))
		return i;
	next = parse_statement(s, i, parent, !token_is(s, i, "{"));
	s->depth--;
	return next;
}

/* Word, parentheses, body: if, while, for, switch, and macros that are used like these. */
static u32 parse_control(struct csource *s, u32 i, i32 parent, bool bare, enum statement_kind kind)
{
	u32 open = i + 1, close = matching_token(s, open), next;
	i32 me = add_statement(s, (struct statement){kind, i, close, open, close, parent, bare});

	parse_inner(s, open + 1, close, me);
	next = parse_body(s, close + 1, me);
	if (kind == STATEMENT_IF && token_is(s, next, "else"))
		next = parse_body(s, next + 1, me);
	s->statement[me].last = next - 1;
	return next;
}

static u32 parse_do(struct csource *s, u32 i, i32 parent, bool bare)
{
	i32 me = add_statement(s, (struct statement){STATEMENT_DO, i, i, 0, 0, parent, bare});
	u32 next = parse_body(s, i + 1, me);

	if (token_is(s, next, "while") && token_is(s, next + 1, "(")) {
		s->statement[me].open = next + 1;
		s->statement[me].close = matching_token(s, next + 1);
		next = s->statement[me].close + 1;
	}
	if (token_is(s, next, ";"))
		next++;
	s->statement[me].last = next - 1;
	return next;
}

static u32 parse_simple(struct csource *s, u32 i, i32 parent, bool bare)
{
	u32 k = i;
	i32 me = add_statement(s, (struct statement){STATEMENT_SIMPLE, i, i, 0, 0, parent, bare});

	while (k < s->ntokens && !token_is(s, k, ";") && !token_is(s, k, "}")) {
		if (token_is(s, k, "(") && token_is(s, k + 1, "{"))
			parse_inner(s, k, k + 1, me);
		else if (token_is(s, k, "("))
			parse_inner(s, k + 1, matching_token(s, k), me);
		else if (token_is(s, k, "{") && is_lambda(s, k))
			parse_block(s, k, me);
		k = matching_token(s, k) + 1;
	}
	s->statement[me].last = token_is(s, k, ";") ? k : k - 1;
	return k < s->ntokens && !token_is(s, k, "}") ? k + 1 : k;
}

/* Skip the labels of a statement: `name:', `case 1:', `default:'. */
static u32 skip_labels(const struct csource *s, u32 i)
{
	for (;;) {
		u32 k = i + 1;

		if (token_is(s, i, "case"))
			while (k < s->ntokens && !token_is(s, k, ":") && !token_is(s, k, ";"))
				k++;
		if (s->token[i].kind != TOKEN_WORD || !token_is(s, k, ":"))
			return i;
		i = k + 1;
		if (i >= s->ntokens)
			return i;
	}
}

static u32 parse_statement(struct csource *s, u32 i, i32 parent, bool bare)
{
	i = skip_labels(s, i);
	if (i >= s->ntokens || token_is(s, i, "}"))
		return i;
	if (token_is(s, i, "{"))
		return parse_block(s, i, parent);
	if (token_is(s, i, "do"))
		return parse_do(s, i, parent, bare);
	if (s->token[i].kind != TOKEN_WORD || !token_is(s, i + 1, "("))
		return parse_simple(s, i, parent, bare);
	if (token_is(s, i, "if"))
		return parse_control(s, i, parent, bare, STATEMENT_IF);
	if (token_is(s, i, "while"))
		return parse_control(s, i, parent, bare, STATEMENT_WHILE);
	if (token_is(s, i, "for"))
		return parse_control(s, i, parent, bare, STATEMENT_FOR);
	if (token_is(s, i, "switch") || token_is(s, matching_token(s, i + 1) + 1, "{"))
		return parse_control(s, i, parent, bare, STATEMENT_OTHER);
	return parse_simple(s, i, parent, bare);
}

/* Outside functions: a brace after a parenthesis, or `const' and the like after one, begins a
 * body. */
static void parse_file(struct csource *s, u32 i, u32 end)
{
	while (i < end) {
		if (!token_is(s, i, "{")) {
			i = token_is(s, i, "(") ? matching_token(s, i) + 1 : i + 1;
			continue;
		}
		if (token_is(s, before_words(s, i), ")"))
			i = parse_block(s, i, -1);
		else {
			if (descend(s, i)) { /* extern "C", namespace, struct */
				parse_file(s, i + 1, matching_token(s, i));
				s->depth--;
			}
			i = matching_token(s, i) + 1;
		}
	}
}

/* --- all of it ------------------------------------------------------------------------------- */

struct csource *csource_parse(const char *path, char *text, u32 n)
{
	struct csource *s = xmalloc(sizeof(*s));

	s->path = path;
	s->text = text;
	s->n = n;
	scan_all(s);
	match_brackets(s);
	parse_file(s, 1, s->ntokens);
	return s;
}

/* An equal one that was read before, or this one. */
static struct csource *kept(struct csource **all, const char *path, char *text, u32 n)
{
	struct csource *s;

	for (s = *all; s; s = s->next)
		if (s->n == n && !strcmp(s->path, path) && !memcmp(s->text, text, n)) {
			free(text);
			return s;
		}
	s = csource_parse(xstrdup(path), text, n);
	s->next = *all;
	return *all = s;
}

/* Debug information may name anything: no pipe, no device. */
static bool is_regular_file(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

struct csource *csource_read(struct csource **all, const char *path)
{
	FILE *f = is_regular_file(path) ? fopen(path, "r") : NULL;
	char *text = NULL;
	size_t n = 0;

	if (!f)
		return NULL;
	for (size_t got = 1; got; n += got) {
		text = xgrow(text, n + 65536 + 1);
		got = fread(text + n, 1, 65536, f);
	}
	fclose(f);
	text[n] = 0;
	if (n < UINT32_MAX / 4)
		return kept(all, path, text, (u32)n);
	free(text);
	return NULL;
}

/* The files read by csource_once(). */
static struct known {
	char *path;
	const struct csource *source;
	struct known *next;
} *known;
static struct csource *read_once;

void csource_forget(void)
{
	known = NULL;
	read_once = NULL;
}

const struct csource *csource_once(const char *path)
{
	struct known *k;

	for (k = known; k; k = k->next)
		if (!strcmp(k->path, path))
			return k->source;
	k = xmalloc(sizeof(*k));
	*k = (struct known){xstrdup(path), csource_read(&read_once, path), known};
	known = k;
	return k->source;
}

u32 csource_token(const struct csource *s, int line, int column)
{
	for (u32 i = 1; i < s->ntokens; i++)
		if (s->token[i].line == line && s->token[i].column == column)
			return i;
	return 0;
}

const struct statement *csource_statement(const struct csource *s, u32 token)
{
	const struct statement *best = NULL;

	for (u32 i = 0; i < s->nstatements; i++) {
		const struct statement *x = &s->statement[i];

		if (x->first <= token && token <= x->last &&
			(!best || (x->first >= best->first && x->last <= best->last)))
			best = x;
	}
	return best;
}

bool csource_is_parameter(const struct csource *s, u32 token)
{
	for (u32 i = 0; i < s->nstatements && s->token[token].kind == TOKEN_WORD; i++) {
		const struct statement *x = &s->statement[i];
		u32 close, open;

		if (x->parent >= 0 || token < x->first || token > x->last)
			continue;
		close = before_words(s, x->first);
		open = token_is(s, close, ")") ? s->token[close].match : close;
		for (u32 k = open + 1; k < close; k++)
			if (s->token[k].kind == TOKEN_WORD && s->token[k].n == s->token[token].n &&
				!memcmp(s->text + s->token[k].at, s->text + s->token[token].at,
					s->token[k].n))
				return true;
	}
	return false;
}

char *csource_copy(const struct csource *s, u32 first, u32 last)
{
	const struct token *a = &s->token[first], *b = &s->token[last];

	return xprintf("%.*s", (int)(b->at + b->n - a->at), s->text + a->at);
}
