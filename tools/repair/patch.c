/* SPDX-License-Identifier: ISC */
/*
 * patch.c - see patch.h: where in the text a fence can stand, and which argument is an order.
 *
 * A fence stands beside the statement of its access where that means the same, else beside the call, joined
 * to it by a comma. All that is to stand around one statement is collected first, so that a body without
 * braces gets them once.
 */
#include "repair/patch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "report/csource.h"
#include "repair/diff.h"

/* What is to stand around a statement. */
struct around {
	const struct statement *of;
	char *before, *after; /* "fence(); " each; NULL: nothing */
	bool remove;
};

struct file {
	struct csource *source;
	struct change *change;
	u32 nchanges;
	struct around *around;
	u32 naround;
	bool fence; /* one has been put in by its C11 name */
};

struct patch {
	struct file *file;
	u32 nfiles;
	struct edit *done;
	u32 ndone;
	struct csource **sources, *own;
};

/* An access in the text. */
struct access {
	struct file *f;
	const struct csource *s;
	u32 token;
	u32 last; /* of a call: its ) ; else `token` */
	bool call, operator; /* set(&x, 1); x = 1; else an expression that begins here */
	const struct statement *in;
	bool condition; /* in the parentheses of `in` */
};

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

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && !strcmp(s + n - m, with);
}

/* An order, written as the one it replaces is (NULL: there was none). */
static char *order_like(const char *old, u8 order)
{
	static const char *const builtin[] = {"__ATOMIC_RELAXED", "__ATOMIC_CONSUME", "__ATOMIC_ACQUIRE",
		"__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};

	if (old && starts(old, "__ATOMIC_"))
		return xstrdup(builtin[order]);
	return xprintf("%s%s", old && starts(old, "std::") ? "std::" : "", order_words(order));
}

static bool is_cxx(const char *path)
{
	return ends(path, ".cc") || ends(path, ".cpp") || ends(path, ".cxx") || ends(path, ".hpp") ||
	       ends(path, ".C");
}

static char *fence_words(struct file *f, u8 order)
{
	f->fence = true;
	if (is_cxx(f->source->path))
		return xprintf("std::atomic_thread_fence(std::%s)", order_words(order));
	return xprintf("atomic_thread_fence(%s)", order_words(order));
}

/* Which of the changes at one place of the text comes first (struct change): a header, what stands behind statements that
 * end there (less their depth: the innermost first), what closes a call, what opens one or stands before a statement
 * (its depth: the outermost first), what is replaced. */
enum { RANK_HEADER = -2000, RANK_AFTER = -1000, RANK_REPLACED = 1000 };

/* --- changes --------------------------------------------------------------------------------- */

static void change(struct file *f, u32 at, u32 remove, i32 rank, char *insert)
{
	f->change = xgrow(f->change, (f->nchanges + 1) * sizeof(*f->change));
	f->change[f->nchanges] = (struct change){at, remove, rank, insert, f->nchanges};
	f->nchanges++;
}

static void replace(struct file *f, u32 first, u32 last, char *with)
{
	const struct token *a = &f->source->token[first], *b = &f->source->token[last];

	change(f, a->at, b->at + b->n - a->at, RANK_REPLACED, with);
}

static u32 end_at(const struct csource *s, u32 token)
{
	return s->token[token].at + s->token[token].n;
}

static struct around *around(struct file *f, const struct statement *of)
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
	struct around *a = around(f, of);

	a->before = xprintf("%s%s; ", a->before ? a->before : "", fence);
}

static void put_after(struct file *f, const struct statement *of, char *fence)
{
	struct around *a = around(f, of);

	a->after = xprintf("%s; %s", fence, a->after ? a->after : "");
}

/* (fence, CALL) or (CALL, fence) */
static void join(struct file *f, u32 first, u32 last, char *fence, bool before)
{
	const struct csource *s = f->source;

	change(f, s->token[first].at, 0, 1, before ? xprintf("(%s, ", fence) : xstrdup("("));
	change(f, end_at(s, last), 0, -1, before ? xstrdup(")") : xprintf(", %s)", fence));
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
	p->file[p->nfiles] = (struct file){.source = s};
	return &p->file[p->nfiles++];
}

static bool is_operator(const struct csource *s, u32 i)
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

static bool is_call(const struct csource *s, u32 i)
{
	return s->token[i].kind == TOKEN_WORD && token_is(s, i + 1, "(") && !token_is(s, i, "sizeof");
}

static bool is_asm(const struct csource *s, u32 i)
{
	return token_is(s, i, "asm") || token_is(s, i, "__asm__") || token_is(s, i, "__asm");
}

/* Debug information may name a line without a column. */
static const char *locate(struct patch *p, const struct edit *e, struct access *a)
{
	if (!e->file || e->line <= 0)
		return "its place in the source is not known (compile with -g)";
	a->f = open_file(p, e->file);
	if (!a->f)
		return xprintf("%s cannot be read", path_here(e->file));
	a->s = a->f->source;
	if (a->s->deep)
		return xprintf("%s:%d: too many statements in each other to be read", path_here(e->file), a->s->deep);
	a->token = csource_token(a->s, e->line, e->column);
	if (!a->token)
		return xprintf("%s:%d:%d is not where the text has an access: has it changed?",
			path_here(e->file), e->line, e->column);
	a->in = csource_statement(a->s, a->token);
	if (!a->in || a->in->kind == STATEMENT_BLOCK)
		return "its place is in no statement of a function";
	a->call = is_call(a->s, a->token);
	a->operator = is_operator(a->s, a->token);
	a->last = a->call ? a->s->token[a->token + 1].match : a->token;
	a->condition = a->in->kind != STATEMENT_SIMPLE && a->token > a->in->open &&
		       a->token < a->in->close;
	return NULL;
}

/* Does something there look like another access? */
static bool quiet(const struct csource *s, u32 from, u32 to)
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

/* A load whose value decides where to go on: behind all ways on from there. */
static const char *after_condition(const struct access *a, char *fence, struct edit *e)
{
	const struct statement *in = a->in;
	u32 body = in->kind == STATEMENT_DO ? in->first + 1 : in->close + 1;
	const struct statement *inner = csource_statement(a->s, body);

	if (in->kind == STATEMENT_OTHER)
		return "it is in the condition of a switch or macro";
	put_after(a->f, in, fence);
	if (inner != in && inner && inner->kind == STATEMENT_BLOCK && body + 1 < a->s->token[body].match)
		change(a->f, end_at(a->s, body), 0, 0, xprintf(" %s;", fence));
	e->note = "after the whole statement, and where its body begins";
	return NULL;
}

static const char *fence_after(const struct access *a, struct edit *e)
{
	char *fence = fence_words(a->f, e->order);
	bool last = a->operator || is_asm(a->s, a->token) || quiet(a->s, a->last + 1, a->in->last);

	if (a->condition && a->call && e->write) {
		join(a->f, a->token, a->last, fence, false);
		return NULL;
	}
	if (a->condition)
		return after_condition(a, fence, e);
	if (last && !is_jump(a)) {
		put_after(a->f, a->in, fence);
		return NULL;
	}
	if (a->call && e->write) {
		join(a->f, a->token, a->last, fence, false);
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
				  quiet(a->s, from, a->token - 1))) {
		put_before(a->f, in, fence);
		return NULL;
	}
	if (a->call) {
		join(a->f, a->token, a->last, fence, true);
		return NULL;
	}
	if (in->kind == STATEMENT_OTHER)
		return "it is in the parentheses of a switch or macro";
	join(a->f, from, to, fence, true);
	if (!quiet(a->s, from, a->token - 1))
		e->note = "before the whole condition";
	return NULL;
}

static const char *fence_before(const struct access *a, struct edit *e)
{
	char *fence = fence_words(a->f, e->order);
	u32 to = a->operator ? a->in->last : a->token - 1;

	if (a->condition)
		return before_condition(a, fence, e);
	if (!quiet(a->s, a->in->first, to) && a->call) {
		join(a->f, a->token, a->last, fence, true);
		return NULL;
	}
	if (!quiet(a->s, a->in->first, to))
		e->note = "before the whole statement";
	put_before(a->f, a->in, fence);
	return NULL;
}

static const char *fence_remove(const struct access *a)
{
	if (a->in->kind != STATEMENT_SIMPLE || a->token != a->in->first ||
		!(is_asm(a->s, a->token) || (a->call && a->last + 1 == a->in->last)))
		return "it is not a statement by itself";
	around(a->f, a->in)->remove = true;
	return NULL;
}

/* --- orders ---------------------------------------------------------------------------------- */

/* The order of a compare and exchange that fails, if nobody says it. */
static u8 fail_of(const struct edit *e)
{
	if (e->fail != FAIL_FITS)
		return e->fail;
	return e->order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : e->order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : e->order;
}

/* The i-th argument from the end (0: the last) of the call at a->token. */
static bool argument(const struct access *a, u32 from_end, u32 *first, u32 *last)
{
	u32 comma[16], n = 0, open = a->token + 1;

	comma[n++] = open;
	for (u32 i = open + 1; i < a->last; i++) {
		if (a->s->token[i].match > i)
			i = a->s->token[i].match;
		else if (token_is(a->s, i, ",") && n + 1 < array_size(comma))
			comma[n++] = i;
	}
	if (from_end >= n)
		return false;
	*first = comma[n - 1 - from_end] + 1;
	*last = (from_end ? comma[n - from_end] : a->last) - 1;
	return *first <= *last;
}

static void set_argument(const struct access *a, u32 from_end, u8 order)
{
	u32 first, last;

	if (argument(a, from_end, &first, &last))
		replace(a->f, first, last, order_like(csource_copy(a->s, first, last), order));
}

static bool is_order(const char *s)
{
	return starts(s, "memory_order") || starts(s, "std::memory_order") || starts(s, "__ATOMIC_");
}

static bool is_cas(const char *name)
{
	return strstr(name, "compare_exchange") != NULL;
}

/* One of the argument's names is known to be that of an order. */
static const char *order_of_macro(const struct access *a, const char *name, const struct edit *e)
{
	u32 first, last, n = 0, at = 0;

	for (u32 i = 0; argument(a, i, &first, &last); i++) {
		if (!is_order(csource_copy(a->s, first, last)))
			continue;
		n++;
		at = i;
	}
	if (n != 1)
		return xprintf("%s() does not say the order of the access there", name);
	set_argument(a, at, e->order);
	return NULL;
}

static const char *order_of_call(const struct access *a, const struct edit *e)
{
	static const char *const implicit[] = {"atomic_store", "atomic_load", "atomic_exchange",
		"atomic_fetch_", "atomic_compare_exchange_", "atomic_flag_"};
	char *name = csource_copy(a->s, a->token, a->token);
	const char *plain = starts(name, "std::") ? name + 5 : name;

	if (!strcmp(name, "__sync_synchronize")) {
		replace(a->f, a->token, a->last, fence_words(a->f, e->order));
		return NULL;
	}
	if (ends(name, "_explicit") || starts(name, "__atomic_") || starts(name, "__c11_atomic_") ||
		!strcmp(name, "atomic_thread_fence")) {
		set_argument(a, is_cas(name) ? 1 : 0, e->order);
		if (is_cas(name) && e->fail != FAIL_FITS)
			set_argument(a, 0, e->fail);
		return NULL;
	}
	for (u32 i = 0; i < array_size(implicit); i++) {
		if (!starts(plain, implicit[i]))
			continue;
		if (e->order == __ATOMIC_SEQ_CST)
			return NULL; /* so it is */
		change(a->f, end_at(a->s, a->token), 0, 0, xstrdup("_explicit"));
		change(a->f, a->s->token[a->last].at, 0, 0,
			is_cas(name) ? xprintf(", %s, %s", order_words(e->order), order_words(fail_of(e)))
				     : xprintf(", %s", order_words(e->order)));
		return NULL;
	}
	return order_of_macro(a, name, e);
}

/* `a = 1;`, `a += 2;`, `a++;` as a statement: the atomic operation it stands for. */
static const char *order_of_assignment(const struct access *a, const struct edit *e)
{
	static const struct {
		const char *operator, *function;
	} functions[] = {{"=", "atomic_store"}, {"+=", "atomic_fetch_add"}, {"-=", "atomic_fetch_sub"},
		{"|=", "atomic_fetch_or"}, {"&=", "atomic_fetch_and"}, {"^=", "atomic_fetch_xor"},
		{"++", "atomic_fetch_add"}, {"--", "atomic_fetch_sub"}};
	const struct statement *in = a->in;
	u32 first = in->first, last = in->last - 1;
	const char *function = NULL;
	char *value;

	if (a->condition || in->kind != STATEMENT_SIMPLE || !token_is(a->s, in->last, ";"))
		return "it is part of a larger expression";
	for (u32 i = first; i < a->token; i++)
		if (is_operator(a->s, i) || token_is(a->s, i, ",") ||
			(a->s->token[i].kind == TOKEN_WORD && a->s->token[i + 1].kind == TOKEN_WORD))
			return "it is part of a larger expression";
	for (u32 i = 0; i < array_size(functions); i++)
		if (token_is(a->s, a->token, functions[i].operator))
			function = functions[i].function;
	if (!function)
		return "there is no atomic function for it";
	if (a->token == last)
		value = xstrdup("1");
	else if (a->token == first)
		return "it is part of a larger expression";
	else
		value = csource_copy(a->s, a->token + 1, last);
	last = a->token - 1;
	replace(a->f, first, in->last,
		xprintf("%s_explicit(&%s, %s, %s);", function, csource_copy(a->s, first, last), value,
			order_words(e->order)));
	return NULL;
}

/* A use of an _Atomic variable: names, members, subscripts. */
static const char *order_of_use(const struct access *a, const struct edit *e)
{
	u32 last = a->token;

	while (token_is(a->s, last, "*"))
		last++;
	if (a->s->token[last].kind != TOKEN_WORD)
		return "it is part of a larger expression";
	for (;;) {
		if (token_is(a->s, last + 1, "["))
			last = a->s->token[last + 1].match;
		else if (token_is(a->s, last + 1, ".") || token_is(a->s, last + 1, "->"))
			last += 2;
		else
			break;
	}
	replace(a->f, a->token, last,
		xprintf("atomic_load_explicit(&%s, %s)", csource_copy(a->s, a->token, last),
			order_words(e->order)));
	return NULL;
}

static const char *change_order(const struct access *a, const struct edit *e)
{
	if (a->call)
		return order_of_call(a, e);
	if (is_asm(a->s, a->token))
		return "it is assembly";
	return a->operator ? order_of_assignment(a, e) : order_of_use(a, e);
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
	case EDIT_ORDER: return change_order(a, e);
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

/* Nothing but white space before the token in its line; *from: where the line begins, *indent: how long that is. */
static bool begins_line(const struct csource *s, u32 token, u32 *from, int *indent)
{
	*from = s->token[token].at;
	while (*from && s->text[*from - 1] != '\n')
		--*from;
	for (*indent = 0; strchr(" \t", s->text[*from + (u32)*indent]);)
		++*indent;
	return *from + (u32)*indent == s->token[token].at;
}

/* Nothing but comments behind the token in its line; *to: where the next line begins. */
static bool ends_line(const struct csource *s, u32 token, u32 *to)
{
	u32 next = token + 1 < s->ntokens ? s->token[token + 1].at : s->n;
	const char *end = memchr(s->text + end_at(s, token), '\n', s->n - end_at(s, token)), *open;

	if (!end || end >= s->text + next)
		return false;
	open = memmem(s->text + end_at(s, token), (size_t)(end - s->text) - end_at(s, token), "/*", 2);
	*to = (u32)(end - s->text) + 1;
	return !open || memmem(open, (size_t)(end - open), "*/", 2);
}

/* "a; b; " as lines with this indentation. */
static char *as_lines(const char *fences, const char *indent, int n)
{
	char *all = xstrdup("");

	while (*fences) {
		const char *end = strstr(fences, "; ");

		all = xprintf("%s%.*s%.*s\n", all, n, indent, (int)(end + 1 - fences), fences);
		fences = end + 2;
	}
	return all;
}

static int depth_of(const struct csource *s, const struct statement *x)
{
	int n = 0;

	for (; x->parent >= 0; x = &s->statement[x->parent])
		n++;
	return n;
}

static char *without_space(char *s)
{
	s[strlen(s) - 1] = 0;
	return s;
}

/* Around one statement, into the changes. */
static void place_around(struct file *f, const struct around *a)
{
	const struct csource *s = f->source;
	u32 start = s->token[a->of->first].at, end = end_at(s, a->of->last), line = 0, next = 0;
	int depth = depth_of(s, a->of), indent;
	bool braces = a->of->bare && (a->before || a->after);
	bool own = begins_line(s, a->of->first, &line, &indent);

	if (a->remove && own && ends_line(s, a->of->last, &next) && !a->of->bare && !a->before && !a->after) {
		change(f, line, next - line, 0, xstrdup(""));
		return;
	}
	if (a->remove)
		change(f, start, end - start, 0, xstrdup(a->of->bare ? ";" : ""));
	if (a->before && own && !braces)
		change(f, line, 0, depth, as_lines(a->before, s->text + line, indent));
	else if (a->before || braces)
		change(f, start, 0, depth, xprintf("%s%s", braces ? "{ " : "", a->before ? a->before : ""));
	if (a->after && !braces && ends_line(s, a->of->last, &next))
		change(f, next, 0, RANK_AFTER - depth, as_lines(a->after, s->text + line, indent));
	else if (a->after || braces) {
		change(f, end, 0, RANK_AFTER - depth,
			xprintf(" %s%s", a->after ? braces ? a->after : without_space(a->after) : "",
				braces ? "}" : ""));
	}
}

/* A fence by its C11 name wants the header. */
static void place_header(struct file *f)
{
	const struct csource *s = f->source;
	const char *include = s->text, *at = NULL;
	bool cxx = is_cxx(s->path);

	if (!f->fence || strstr(s->text, cxx ? "<atomic>" : "stdatomic.h") || strstr(s->text, "memory_order_"))
		return;
	while ((include = strstr(include, "#include")))
		at = include++;
	at = at ? strchr(at, '\n') : NULL;
	change(f, at ? (u32)(at + 1 - s->text) : 0, 0, RANK_HEADER,
		xstrdup(cxx ? "#include <atomic>\n" : "#include <stdatomic.h>\n"));
}

/* Without ".."; links stay. */
static const char *path_whole(const char *path)
{
	char whole[PATH_MAX];

	if (strncmp(path, "../", 3) && !strstr(path, "/../"))
		return path;
	return realpath(path, whole) ? xstrdup(whole) : path;
}

/* Is a file that is changed not below the current directory? Then all are named from the root. */
bool patch_is_from_root(const struct patch *p)
{
	for (u32 i = 0; i < p->nfiles; i++)
		if ((p->file[i].nchanges || p->file[i].naround) &&
			*path_here(path_whole(p->file[i].source->path)) == '/')
			return true;
	return false;
}

/* As patch(1) is to be told it. */
static const char *path_in_patch(const struct patch *p, const char *path)
{
	char whole[PATH_MAX];

	path = path_whole(path);
	if (!patch_is_from_root(p))
		return path_here(path);
	if (*path != '/' && realpath(path, whole))
		path = xstrdup(whole);
	return *path == '/' ? path + 1 : path;
}

unsigned patch_write(const struct patch *p, FILE *out)
{
	unsigned n = 0;

	for (u32 i = 0; i < p->nfiles; i++) {
		struct file f = p->file[i];

		f.change = xmalloc((f.nchanges + 1) * sizeof(*f.change));
		if (f.nchanges)
			memcpy(f.change, p->file[i].change, f.nchanges * sizeof(*f.change));
		for (u32 k = 0; k < f.naround; k++)
			place_around(&f, &f.around[k]);
		if (f.nchanges || f.naround)
			place_header(&f);
		n += diff_write(path_in_patch(p, f.source->path), f.source->text, f.source->n, f.change,
			f.nchanges, out);
	}
	return n;
}

char *patch_text(const struct patch *p)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		die("not enough memory");
	patch_write(p, f);
	fclose(f);
	return text;
}
