/* SPDX-License-Identifier: ISC */
/* patch_order.c - another memory order in the text of an access: see patch.h. */
#include "repair/patch_priv.h"

#include <string.h>

#include "die.h"

/* An order, in the style of the one it replaces (NULL: none). */
static char *order_like(const char *old, u8 order)
{
	static const char *const builtin[] = {"__ATOMIC_RELAXED", "__ATOMIC_CONSUME",
		"__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};

	if (old && text_starts(old, "__ATOMIC_"))
		return xstrdup(builtin[order]);
	if (old && text_starts(old, "std::memory_order::"))
		return xprintf(
			"std::memory_order::%s", order_words(order) + strlen("memory_order_"));
	return xprintf("%s%s", old && text_starts(old, "std::") ? "std::" : "", order_words(order));
}

/* --- arguments -------------------------------------------------------------------------------- */

/* The order of a compare and exchange that fails, if none is given. */
static u8 fail_of(const struct edit *e)
{
	if (e->fail != FAIL_FITS)
		return e->fail;
	return e->order == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
	       : e->order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
					      : e->order;
}

/* The i-th argument from the end (0: the last) of the call at a->token. */
static bool find_argument(const struct access *a, u32 from_end, u32 *first, u32 *last)
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

static u32 arguments(const struct access *a)
{
	u32 first, last, n = 0;

	while (find_argument(a, n, &first, &last))
		n++;
	return n;
}

static char *argument_text(const struct access *a, u32 from_end)
{
	u32 first, last;

	return find_argument(a, from_end, &first, &last) ? csource_copy(a->s, first, last) : NULL;
}

static void set_argument(const struct access *a, u32 from_end, u8 order)
{
	u32 first, last;

	if (find_argument(a, from_end, &first, &last))
		patch_replace(
			a->f, first, last, order_like(csource_copy(a->s, first, last), order));
}

static bool is_order_word(const char *s)
{
	return text_starts(s, "memory_order") || text_starts(s, "std::memory_order") ||
	       text_starts(s, "__ATOMIC_");
}

static bool is_cas(const char *name)
{
	return strstr(name, "compare_exchange") != NULL;
}

/* --- calls ----------------------------------------------------------------------------------- */

enum call_kind {
	CALL_EXPLICIT, /* atomic_load_explicit(p, order): the order is the last argument, or the
			  last two are */
	CALL_IMPLICIT, /* atomic_load(p): seq_cst */
	CALL_METHOD,   /* x.load(order), x.load() */
	CALL_SYNC,     /* __sync_synchronize() */
	CALL_OTHER,    /* a macro or function of the program: an argument may be an order */
};

static enum call_kind call_kind_of(const struct access *a, const char *name)
{
	static const char *const implicit[] = {"atomic_store", "atomic_load", "atomic_exchange",
		"atomic_fetch_", "atomic_compare_exchange_", "atomic_flag_"};

	if (!strcmp(name, "__sync_synchronize"))
		return CALL_SYNC;
	if (text_ends(name, "_explicit") || text_starts(name, "__atomic_") ||
		text_starts(name, "__c11_atomic_") || !strcmp(name, "atomic_thread_fence"))
		return CALL_EXPLICIT;
	for (u32 i = 0; i < array_size(implicit); i++)
		if (text_starts(name, implicit[i]))
			return CALL_IMPLICIT;
	return token_is(a->s, a->token - 1, ".") || token_is(a->s, a->token - 1, "->") ? CALL_METHOD
										       : CALL_OTHER;
}

/* The number of arguments of a member of std::atomic before its orders; -1: no such member. */
static int method_arguments(const char *name)
{
	static const struct {
		const char *name;
		int n;
	} methods[] = {{"load", 0}, {"store", 1}, {"exchange", 1}, {"fetch_add", 1},
		{"fetch_sub", 1}, {"fetch_and", 1}, {"fetch_or", 1}, {"fetch_xor", 1},
		{"compare_exchange_weak", 2}, {"compare_exchange_strong", 2}, {"test_and_set", 0},
		{"clear", 0}, {"test", 0}};

	for (u32 i = 0; i < array_size(methods); i++)
		if (!strcmp(methods[i].name, name))
			return methods[i].n;
	return -1;
}

/* The order argument of a call, from the end; false: it has none. */
static bool order_argument(const struct access *a, const char *name, u32 *from_end)
{
	u32 n = arguments(a), found = 0;
	int before = method_arguments(name);

	switch (call_kind_of(a, name)) {
	case CALL_EXPLICIT: *from_end = is_cas(name) ? 1 : 0; return n > *from_end;
	case CALL_METHOD:
		if (before >= 0) {
			*from_end = n - (u32)before - 1;
			return n > (u32)before;
		}
		break;
	case CALL_OTHER: break;
	default: return false;
	}
	for (u32 i = 0; i < n; i++) {
		if (!is_order_word(argument_text(a, i)))
			continue;
		found++;
		*from_end = i;
	}
	return found == 1;
}

bool patch_order_is_passed(const struct access *a)
{
	char *name = a->call ? csource_copy(a->s, a->token, a->token) : NULL;
	u32 at, first, last;

	if (!name || !order_argument(a, name, &at) || !find_argument(a, at, &first, &last))
		return false;
	for (u32 i = first; i <= last; i++)
		if (csource_is_parameter(a->s, i))
			return true;
	return false;
}

static char *order_in(const struct access *a, u8 order)
{
	return xprintf("%s%s", a->f->cxx ? "std::" : "", order_words(order));
}

/* A call without an order gets one more argument, or two. */
static void add_call_orders(const struct access *a, const char *name, const struct edit *e)
{
	char *orders = order_in(a, e->order);

	if (is_cas(name))
		orders = xprintf("%s, %s", orders, order_in(a, fail_of(e)));
	patch_change(a->f, a->s->token[a->last].at, 0, 0,
		xprintf("%s%s", arguments(a) ? ", " : "", orders));
}

static const char *order_of_method(const struct access *a, const char *name, const struct edit *e)
{
	u32 n = arguments(a), before = (u32)method_arguments(name), first, last;

	if (n == before) {
		if (e->order != __ATOMIC_SEQ_CST)
			add_call_orders(a, name, e);
		return NULL;
	}
	if (n == before + 1 && is_cas(name) && e->fail != FAIL_FITS &&
		find_argument(a, 0, &first, &last)) {
		char *old = csource_copy(a->s, first, last);

		patch_replace(a->f, first, last,
			xprintf("%s, %s", order_like(old, e->order), order_like(old, e->fail)));
		return NULL;
	}
	set_argument(a, n - before - 1, e->order);
	if (n == before + 2 && e->fail != FAIL_FITS)
		set_argument(a, 0, e->fail);
	return NULL;
}

static const char *order_of_call(const struct access *a, const struct edit *e)
{
	char *name = csource_copy(a->s, a->token, a->token);
	enum call_kind kind = call_kind_of(a, name);
	u32 at;

	if (patch_order_is_passed(a))
		return "its order is an argument of the function";
	if (kind == CALL_METHOD && method_arguments(name) >= 0)
		return order_of_method(a, name, e);
	if (kind == CALL_SYNC) {
		patch_replace(a->f, a->token, a->last, fence_words(a->f, e->order));
		return NULL;
	}
	if (kind == CALL_EXPLICIT) {
		set_argument(a, is_cas(name) ? 1 : 0, e->order);
		if (is_cas(name) && e->fail != FAIL_FITS)
			set_argument(a, 0, e->fail);
		return NULL;
	}
	if (kind == CALL_IMPLICIT) {
		if (e->order == __ATOMIC_SEQ_CST)
			return NULL; /* it has that order */
		patch_change(a->f, a->s->token[a->token].at + a->s->token[a->token].n, 0, 0,
			xstrdup("_explicit"));
		add_call_orders(a, name, e);
		return NULL;
	}
	if (!order_argument(a, name, &at))
		return xprintf("%s() has no order of that access", name);
	set_argument(a, at, e->order);
	return NULL;
}

/* --- operators and uses ---------------------------------------------------------------------- */

/* *p -> (*p), for the operator that follows it. */
static char *operand(const struct access *a, u32 first, u32 last)
{
	char *text = csource_copy(a->s, first, last);

	return *text == '*' ? xprintf("(%s)", text) : text;
}

/* The explicit atomic operation for a statement `a = 1;`, `a += 2;`, `a++;`. */
static const char *order_of_assignment(const struct access *a, const struct edit *e)
{
	static const struct {
		const char *operator, *function;
	} functions[] = {{"=", "store"}, {"+=", "fetch_add"}, {"-=", "fetch_sub"},
		{"|=", "fetch_or"}, {"&=", "fetch_and"}, {"^=", "fetch_xor"}, {"++", "fetch_add"},
		{"--", "fetch_sub"}};
	const struct statement *in = a->in;
	u32 first = in->first, last = in->last - 1;
	const char *function = NULL;
	char *value;

	if (a->condition || in->kind != STATEMENT_SIMPLE || !token_is(a->s, in->last, ";"))
		return "it is part of a larger expression";
	for (u32 i = first; i < a->token; i++)
		if (is_operator(a->s, i) || token_is(a->s, i, ",") ||
			(a->s->token[i].kind == TOKEN_WORD &&
				a->s->token[i + 1].kind == TOKEN_WORD))
			return "it is part of a larger expression";
	for (u32 i = 0; i < array_size(functions); i++)
		if (token_is(a->s, a->token, functions[i].operator))
			function = functions[i].function;
	if (!function || e->part)
		return "it has no atomic function";
	if (a->token == last)
		value = xstrdup("1");
	else if (a->token == first)
		return "it is part of a larger expression";
	else
		value = csource_copy(a->s, a->token + 1, last);
	last = a->token - 1;
	if (patch_is_replaced(a->f, first, in->last))
		return "it is part of another access";
	patch_replace(a->f, first, in->last,
		a->f->cxx ? xprintf("%s.%s(%s, %s);", operand(a, first, last), function, value,
				    order_in(a, e->order))
			  : xprintf("atomic_%s_explicit(&%s, %s, %s);", function,
				    csource_copy(a->s, first, last), value, order_in(a, e->order)));
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
	if (patch_is_replaced(a->f, a->token, last))
		return "it is part of another access";
	patch_replace(a->f, a->token, last,
		a->f->cxx
			? xprintf("%s.load(%s)", operand(a, a->token, last), order_in(a, e->order))
			: xprintf("atomic_load_explicit(&%s, %s)",
				  csource_copy(a->s, a->token, last), order_in(a, e->order)));
	return NULL;
}

const char *patch_order(const struct access *a, const struct edit *e)
{
	if (a->call)
		return order_of_call(a, e);
	if (is_asm(a->s, a->token))
		return "it is assembly";
	return a->operator ? order_of_assignment(a, e) : order_of_use(a, e);
}

