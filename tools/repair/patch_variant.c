/* SPDX-License-Identifier: ISC */
/*
 * patch_variant.c - copies of wrappers of one access, with another order: see patch.h.
 *
 * The copy follows the original, with the order in its name; the call gets the new name. One copy
 * for all calls with the same order.
 */
#include "repair/patch_priv.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

/* The body of the function that contains an access; NULL: none. */
static const struct statement *enclosing_body(const struct access *a)
{
	const struct statement *x = a->in;

	while (x->parent >= 0)
		x = &a->s->statement[x->parent];
	return x->kind == STATEMENT_BLOCK ? x : NULL;
}

static bool is_token_word(const struct csource *s, u32 token, const char *word)
{
	return s->token[token].kind == TOKEN_WORD && token_is(s, token, word);
}

/* The token of the function's name, and the first one of its definition. 0: it cannot be copied. */
static u32 find_definition(
	const struct access *a, const struct statement *body, const char *function, u32 *first)
{
	const struct csource *s = a->s;
	u32 i = body->first;

	while (i > 1 && !(is_token_word(s, i, function) && token_is(s, i + 1, "(")) &&
		!token_is(s, i - 1, ";") && !token_is(s, i - 1, "}"))
		i--;
	if (!is_token_word(s, i, function) || token_is(s, i - 1, "::"))
		return 0;
	for (*first = i; *first > 1 && !token_is(s, *first - 1, ";") &&
			 !token_is(s, *first - 1, "}") && !token_is(s, *first - 1, "{") &&
			 !token_is(s, *first - 1, ":");)
		--*first;
	return i;
}

static bool is_known_word(const struct csource *s, const char *word)
{
	for (u32 i = 1; i < s->ntokens; i++)
		if (is_token_word(s, i, word))
			return true;
	return false;
}

static int compare_places(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : x->rank - y->rank;
}

/* The text from one byte to another with these changes. */
static char *changed(const struct csource *s, u32 from, u32 to, struct change *c, u32 n)
{
	char *text = xstrdup("");

	qsort(c, n, sizeof(*c), compare_places);
	for (u32 i = 0; i < n; i++) {
		text = xprintf(
			"%s%.*s%s", text, (int)(c[i].at - from), s->text + from, c[i].insert);
		from = c[i].at + c[i].remove;
	}
	return xprintf("%s%.*s", text, (int)(to - from), s->text + from);
}

/* The indentation of the line that contains a byte. */
static int indent_of(const struct csource *s, u32 at)
{
	int n = 0;

	while (at && s->text[at - 1] != '\n')
		at--;
	while (s->text[at + (u32)n] == ' ' || s->text[at + (u32)n] == '\t')
		n++;
	return n;
}

/* Insert the copy after the definition: on its own lines if the definition has some. */
static void put_copy(const struct access *a, const struct statement *body, u32 first, char *copy)
{
	const struct csource *s = a->s;
	u32 start = s->token[first].at, end = token_end(s, body->last), line = start;
	const char *stop = strchr(s->text + end, '\n');
	int indent = indent_of(s, start);
	bool lines = memchr(s->text + start, '\n', end - start);

	while (line && s->text[line - 1] != '\n')
		line--;
	if (!stop || line + (u32)indent != start ||
		strspn(s->text + end, " \t") != (size_t)(stop - (s->text + end)))
		patch_change(a->f, end, 0, 0, xprintf(" %s", copy));
	else
		patch_change(a->f, (u32)(stop - s->text) + 1, 0, 0,
			xprintf("%s%.*s%s\n", lines ? "\n" : "", indent, s->text + line, copy));
}

/* Is the variant new, not made for another call? */
static bool is_new_variant(struct file *f, const char *name)
{
	for (u32 i = 0; i < f->nvariants; i++)
		if (!strcmp(f->variant[i], name))
			return false;
	f->variant = xgrow(f->variant, (f->nvariants + 1) * sizeof(*f->variant));
	f->variant[f->nvariants++] = name;
	return true;
}

const char *patch_variant(const struct access *call, const struct access *a,
	const struct edit *order, const char *function, char **name)
{
	const char *problem;
	const struct statement *body = enclosing_body(a);
	struct file copy = {.source = a->f->source, .cxx = a->f->cxx};
	struct access in = *a;
	u32 first, at = body ? find_definition(a, body, function, &first) : 0;
	u32 from = at ? a->s->token[first].at : 0, to = at ? token_end(a->s, body->last) : 0;

	if (!at || memchr(a->s->text + from, '#', to - from) ||
		!is_token_word(call->s, call->token, function))
		return "its definition cannot be copied";
	*name = xprintf("%s_%s", function, order_words(order->order) + strlen("memory_order_"));
	if (order->fail != FAIL_FITS && order->fail)
		*name = xprintf("%s_%s", *name, order_words(order->fail) + strlen("memory_order_"));
	in.f = &copy;
	problem = patch_order(&in, order);
	if (problem)
		return problem;
	if (is_known_word(a->s, *name))
		return xprintf("there is a %s already", *name);
	if (is_new_variant(a->f, *name)) {
		patch_replace(&copy, at, at, *name);
		put_copy(a, body, first, changed(a->s, from, to, copy.change, copy.nchanges));
	}
	patch_replace(call->f, call->token, call->token, *name);
	return NULL;
}
