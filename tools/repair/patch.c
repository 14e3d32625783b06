/* SPDX-License-Identifier: ISC */
/*
 * patch.c - see patch.h: positions of accesses in the text, and of fences.
 *
 * A fence is placed next to the statement of its access if that is equivalent, else next to the
 * call, joined by a comma. Insertions around one statement are collected first, so that a body
 * without braces gets them once.
 */
#include "repair/patch.h"

#include <string.h>

#include "die.h"
#include "path.h"
#include "repair/patch_priv.h"

struct patch *patch_new(struct csource **sources)
{
	struct patch *p = xmalloc(sizeof(*p));

	p->sources = sources ? sources : &p->own;
	return p;
}

/* --- words ----------------------------------------------------------------------------------- */

const char *order_words(u8 order)
{
	static const char *const names[] = {"memory_order_relaxed", "memory_order_consume",
		"memory_order_acquire", "memory_order_release", "memory_order_acq_rel",
		"memory_order_seq_cst"};

	return order < array_size(names) ? names[order] : "?";
}

bool text_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

bool text_ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && !strcmp(s + n - m, with);
}

static bool is_cxx(const char *path)
{
	return text_ends(path, ".cc") || text_ends(path, ".cpp") || text_ends(path, ".cxx") ||
	       text_ends(path, ".hpp") || text_ends(path, ".C");
}

char *fence_words(struct file *f, u8 order)
{
	f->fence = true;
	if (f->cxx)
		return xprintf("std::atomic_thread_fence(std::%s)", order_words(order));
	return xprintf("atomic_thread_fence(%s)", order_words(order));
}

/* --- changes --------------------------------------------------------------------------------- */

void patch_change(struct file *f, u32 at, u32 remove, i32 rank, char *insert)
{
	f->change = xgrow(f->change, (f->nchanges + 1) * sizeof(*f->change));
	f->change[f->nchanges] = (struct change){at, remove, rank, insert, f->nchanges};
	f->nchanges++;
}

bool patch_is_replaced(const struct file *f, u32 first, u32 last)
{
	const struct token *a = &f->source->token[first], *b = &f->source->token[last];

	for (const struct change *c = f->change; c < f->change + f->nchanges; c++)
		if (c->at < b->at + b->n && a->at < c->at + c->remove)
			return true;
	return false;
}

void patch_replace(struct file *f, u32 first, u32 last, char *with)
{
	const struct token *a = &f->source->token[first], *b = &f->source->token[last];

	patch_change(f, a->at, b->at + b->n - a->at, RANK_REPLACED, with);
}

static struct around *change_around(struct file *f, const struct statement *of)
{
	for (u32 i = 0; i < f->naround; i++)
		if (f->around[i].of == of)
			return &f->around[i];
	f->around = xgrow(f->around, (f->naround + 1) * sizeof(*f->around));
	f->around[f->naround] = (struct around){of, NULL, NULL, false};
	return &f->around[f->naround++];
}

static void put_before(struct file *f, const struct statement *of, char *fence)
{
	struct around *a = change_around(f, of);

	a->before = xprintf("%s%s; ", a->before ? a->before : "", fence);
}

static void put_after(struct file *f, const struct statement *of, char *fence)
{
	struct around *a = change_around(f, of);

	a->after = xprintf("%s; %s", fence, a->after ? a->after : "");
}

/* (fence, CALL) or (CALL, fence) */
static void join_call(struct file *f, u32 first, u32 last, char *fence, bool before)
{
	const struct csource *s = f->source;

	patch_change(f, s->token[first].at, 0, 1, before ? xprintf("(%s, ", fence) : xstrdup("("));
	patch_change(f, token_end(s, last), 0, -1, before ? xstrdup(")") : xprintf(", %s)", fence));
}

/* --- where an access is ---------------------------------------------------------------------- */

static struct file *open_file(struct patch *p, const char *path)
{
	struct csource *s;

	for (u32 i = 0; i < p->nfiles; i++)
		if (!strcmp(p->file[i].source->path, path))
			return &p->file[i];
	s = csource_read(p->sources, path);
	if (!s)
		return NULL;
	p->file = xgrow(p->file, (p->nfiles + 1) * sizeof(*p->file));
	p->file[p->nfiles] = (struct file){.source = s, .cxx = is_cxx(path)};
	return &p->file[p->nfiles++];
}

bool is_operator(const struct csource *s, u32 i)
{
	const struct token *t = &s->token[i];
	const char *x = s->text + t->at;

	if (t->kind != TOKEN_OTHER)
		return false;
	if (token_is(s, i, "++") || token_is(s, i, "--") || token_is(s, i, "="))
		return true;
	return t->n > 1 && x[t->n - 1] == '=' && !token_is(s, i, "==") && !token_is(s, i, "!=") &&
	       !token_is(s, i, "<=") && !token_is(s, i, ">=");
}

bool is_call(const struct csource *s, u32 i)
{
	return s->token[i].kind == TOKEN_WORD && token_is(s, i + 1, "(") &&
	       !token_is(s, i, "sizeof");
}

bool is_asm(const struct csource *s, u32 i)
{
	return token_is(s, i, "asm") || token_is(s, i, "__asm__") || token_is(s, i, "__asm");
}

/* Compilers locate a call at its name, at the beginning of its name (std::atomic_load) or at its
 * parenthesis (g++). */
static u32 name_of_call(const struct csource *s, u32 i)
{
	if (token_is(s, i, "(") && s->token[i - 1].kind == TOKEN_WORD)
		return i - 1;
	for (u32 k = i; token_is(s, k + 1, "::") && s->token[k + 2].kind == TOKEN_WORD;) {
		k += 2;
		if (is_call(s, k))
			return k;
	}
	return i;
}

/* The beginning of the expression that ends with the name: `s->list[i].x.' or `std::' before it. */
static u32 begin_of_name(const struct csource *s, u32 i)
{
	while (token_is(s, i - 1, ".") || token_is(s, i - 1, "->") || token_is(s, i - 1, "::")) {
		bool of = token_is(s, i - 1, "::");

		i -= 2;
		while (!of && (token_is(s, i, "]") || token_is(s, i, ")"))) {
			i = s->token[i].match;
			if (token_is(s, i, "[") || s->token[i - 1].kind == TOKEN_WORD)
				i--;
			else
				break;
		}
	}
	return i;
}

/*
 * A use of an operator of std::atomic: `x++', `x = 1' or, where x is converted to its value, `x'.
 * Compilers locate it at the beginning of the expression or at the operator; g++ locates a
 * conversion at any token nearby.
 */
static const char *locate_operator(const struct edit *e, struct access *a)
{
	const char *symbol = e->callee + strlen("operator");
	u32 i = a->token;

	if (*symbol == ' ')
		return token_is(a->s, i - 1, ".") || token_is(a->s, i - 1, "->")
			       ? "the position of the read is ambiguous"
			       : NULL;
	while (i < a->in->last && !token_is(a->s, i, symbol) && !token_is(a->s, i, ";"))
		i = a->s->token[i].match > i ? a->s->token[i].match + 1 : i + 1;
	if (!token_is(a->s, i, symbol))
		return xprintf("%s was not found there", e->callee);
	a->token = i;
	return NULL;
}

/* Debug information may have a line without a column. */
static const char *locate(struct patch *p, const struct edit *e, struct access *a)
{
	if (!e->file || e->line <= 0)
		return "its source line is unknown (compile with -g)";
	if (e->system)
		return "it is in a system header, in a function that is not inlined (compile with "
		       "-O1)";
	a->f = open_file(p, e->file);
	if (!a->f)
		return xprintf("%s cannot be read", path_here(e->file));
	a->s = a->f->source;
	if (a->s->deep)
		return xprintf(
			"%s:%d: statements are nested too deeply", path_here(e->file), a->s->deep);
	a->f->cxx |= e->cxx;
	a->token = name_of_call(a->s, csource_token(a->s, e->line, e->column));
	if (!a->token)
		return xprintf("%s:%d:%d: no access there: has the file changed?",
			path_here(e->file), e->line, e->column);
	a->in = csource_statement(a->s, a->token);
	if (!a->in || a->in->kind == STATEMENT_BLOCK)
		return "it is not in a statement of a function";
	if (e->callee && text_starts(e->callee, "operator")) {
		const char *problem = locate_operator(e, a);

		if (problem)
			return problem;
	}
	a->call = is_call(a->s, a->token);
	a->first = a->call ? begin_of_name(a->s, a->token) : a->token;
	a->operator = is_operator(a->s, a->token);
	a->last = a->call ? a->s->token[a->token + 1].match : a->token;
	a->condition = a->in->kind != STATEMENT_SIMPLE && a->token > a->in->open &&
		       a->token < a->in->close;
	return NULL;
}

/* Are the tokens without a call? */
static bool has_no_call(const struct csource *s, u32 from, u32 to)
{
	for (u32 i = from; i <= to; i++)
		if (is_call(s, i))
			return false;
	return true;
}

static bool is_jump(const struct access *a)
{
	return token_is(a->s, a->in->first, "return") || token_is(a->s, a->in->first, "goto");
}

/* --- fences ---------------------------------------------------------------------------------- */

/* A load in a condition: fences go after the statement, and to the beginning of its body. */
static const char *after_condition(const struct access *a, char *fence, struct edit *e)
{
	const struct statement *in = a->in;
	u32 body = in->kind == STATEMENT_DO ? in->first + 1 : in->close + 1;
	const struct statement *inner = csource_statement(a->s, body);

	if (in->kind == STATEMENT_OTHER)
		return "it is in the condition of a switch or macro";
	put_after(a->f, in, fence);
	if (inner != in && inner && inner->kind == STATEMENT_BLOCK &&
		body + 1 < a->s->token[body].match)
		patch_change(a->f, token_end(a->s, body), 0, 0, xprintf(" %s;", fence));
	e->note = "after the whole statement, and where its body begins";
	return NULL;
}

static const char *fence_after(const struct access *a, struct edit *e)
{
	char *fence = fence_words(a->f, e->order);
	bool last = a->operator || is_asm(a->s, a->token) ||
		    has_no_call(a->s, a->last + 1, a->in->last);

	if (a->condition && a->call && e->write) {
		join_call(a->f, a->first, a->last, fence, false);
		return NULL;
	}
	if (a->condition)
		return after_condition(a, fence, e);
	if (last && !is_jump(a)) {
		put_after(a->f, a->in, fence);
		return NULL;
	}
	if (a->call && e->write) {
		join_call(a->f, a->first, a->last, fence, false);
		return NULL;
	}
	if (is_jump(a))
		return "the function returns there";
	put_after(a->f, a->in, fence);
	e->note = "after the whole statement";
	return NULL;
}

/* The part of a for statement's parentheses with the token; *which: 0, 1, 2. */
static void section(const struct access *a, u32 *from, u32 *to, int *which)
{
	*from = a->in->open + 1;
	*which = 0;
	for (u32 i = *from; i < a->token; i++) {
		if (!token_is(a->s, i, ";"))
			continue;
		*from = i + 1;
		++*which;
	}
	for (*to = a->token; *to + 1 < a->in->close && !token_is(a->s, *to + 1, ";");)
		++*to;
}

static const char *before_condition(const struct access *a, char *fence, struct edit *e)
{
	const struct statement *in = a->in;
	u32 from = in->open + 1, to = in->close - 1;
	int which = 1;

	if (in->kind == STATEMENT_FOR)
		section(a, &from, &to, &which);
	if (which == 0 || ((in->kind == STATEMENT_IF || in->kind == STATEMENT_OTHER) &&
				  has_no_call(a->s, from, a->first - 1))) {
		put_before(a->f, in, fence);
		return NULL;
	}
	if (a->call) {
		join_call(a->f, a->first, a->last, fence, true);
		return NULL;
	}
	if (in->kind == STATEMENT_OTHER)
		return "it is in the parentheses of a switch or macro";
	join_call(a->f, from, to, fence, true);
	if (!has_no_call(a->s, from, a->first - 1))
		e->note = "before the whole condition";
	return NULL;
}

static const char *fence_before(const struct access *a, struct edit *e)
{
	char *fence = fence_words(a->f, e->order);
	u32 to = a->operator ? a->in->last : a->first - 1;

	if (a->condition)
		return before_condition(a, fence, e);
	if (!has_no_call(a->s, a->in->first, to) && a->call) {
		join_call(a->f, a->first, a->last, fence, true);
		return NULL;
	}
	if (!has_no_call(a->s, a->in->first, to))
		e->note = "before the whole statement";
	put_before(a->f, a->in, fence);
	return NULL;
}

static const char *fence_remove(const struct access *a)
{
	if (a->in->kind != STATEMENT_SIMPLE || a->first != a->in->first ||
		!(is_asm(a->s, a->token) || (a->call && a->last + 1 == a->in->last)))
		return "it is not a statement by itself";
	change_around(a->f, a->in)->remove = true;
	return NULL;
}

/* --- all of it ------------------------------------------------------------------------------- */

static bool same_edit(const struct edit *a, const struct edit *b)
{
	return !strcmp(a->file, b->file) && a->line == b->line && a->column == b->column &&
	       a->kind == b->kind && a->order == b->order && a->fail == b->fail;
}

static const char *apply(const struct access *a, struct edit *e)
{
	switch (e->kind) {
	case EDIT_ORDER: return patch_order(a, e);
	case EDIT_FENCE_BEFORE: return fence_before(a, e);
	case EDIT_FENCE_AFTER: return fence_after(a, e);
	case EDIT_FENCE_REMOVE: return fence_remove(a);
	}
	return "no such edit";
}

bool patch_add(struct patch *p, struct edit *e)
{
	struct access a = {NULL};

	e->note = NULL;
	e->problem = locate(p, e, &a);
	e->lost = e->problem != NULL;
	for (u32 i = 0; !e->problem && i < p->ndone; i++)
		if (same_edit(&p->done[i], e))
			return true;
	if (!e->problem)
		e->problem = apply(&a, e);
	if (e->problem)
		return false;
	p->done = xgrow(p->done, (p->ndone + 1) * sizeof(*p->done));
	p->done[p->ndone++] = *e;
	return true;
}

bool patch_add_variant(
	struct patch *p, struct edit *call, const struct edit *order, const char *function)
{
	struct access c = {NULL}, a = {NULL};
	char *name = NULL;

	call->problem = locate(p, call, &c);
	if (!call->problem)
		call->problem = locate(p, order, &a);
	if (!call->problem && c.f != a.f) { /* the array of files may have moved */
		c = (struct access){NULL};
		call->problem = locate(p, call, &c);
	}
	if (!call->problem)
		call->problem = patch_variant(&c, &a, order, function, &name);
	if (!call->problem)
		call->note = xprintf("%s(), a copy of %s(), is called", name, function);
	return !call->problem;
}

bool patch_passes_order(struct csource **sources, struct edit *e)
{
	struct access a = {NULL};

	return !locate(patch_new(sources), e, &a) && patch_order_is_passed(&a);
}
