/* SPDX-License-Identifier: ISC */
/*
 * expression.c - see expression.h.
 *
 * A compiler locates an access within an expression: the member's name or the -> before it, an
 * operator of assignment, the callee. So there are several candidate expressions, and each is
 * evaluated as far as its type. The caller takes those that agree with the address and size of the
 * access.
 */
#include "source/expression.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "die.h"
#include "source/csource.h"
#include "source/scope.h"
#include "source/variable.h"

#define NESTING 40 /* of operators in an expression */
#define CALLERS 8  /* calls that pass a pointer on */

struct value {
	Dwarf_Die type; /* of the object; with address: of its target */
	bool address;	/* the value is a pointer to that object */
	bool rooted;
	Dwarf_Die root;
	u64 offset, stride;
	int parameter; /* the address comes from this parameter of the function, -1: from none */
};

/* Source and scope of one frame. */
struct expression_reader {
	const struct csource *source;
	struct scope scope;
	u32 at, end; /* tokens: the next one, and the last one of the expression */
	unsigned depth;
};

static bool is_word_token(const struct expression_reader *p, u32 token)
{
	return token && token < p->source->ntokens && p->source->token[token].kind == TOKEN_WORD;
}

static bool is_token(const struct expression_reader *p, u32 token, const char *text)
{
	return token_is(p->source, token, text);
}

static u32 match(const struct expression_reader *p, u32 token)
{
	return p->source->token[token].match;
}

static bool is_token_of(
	const struct expression_reader *p, u32 token, const char *const *words, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (is_token(p, token, words[i]))
			return true;
	return false;
}

/* --- evaluation ------------------------------------------------------------------------------ */

static bool dereference(struct value *v)
{
	struct leaf leaf;
	Dwarf_Die to;

	if (v->address) {
		v->address = false;
		return true;
	}
	leaf = type_leaf(&v->type);
	if (!type_pointee(&leaf, &to))
		return false;
	/* The target of the parameter itself; behind another pointer the caller does not help. */
	*v = (struct value){
		.type = to, .rooted = true, .root = to, .parameter = v->rooted ? -1 : v->parameter};
	return true;
}

static bool member(struct value *v, const char *name)
{
	u64 offset = 0;
	Dwarf_Die type;

	if (v->address || !type_member(&v->type, name, &offset, &type))
		return false;
	v->offset += offset;
	v->type = type;
	return true;
}

/* The index is not evaluated. */
static bool element(struct value *v)
{
	Dwarf_Die type;
	u64 size;

	if (v->address || !type_element(&v->type, &type, &size))
		return dereference(v);
	if (!v->stride || size < v->stride)
		v->stride = size;
	v->type = type;
	return true;
}

static bool read_unary(struct expression_reader *p, struct value *v);

static bool identifier(struct expression_reader *p, struct value *v)
{
	char *name = csource_copy(p->source, p->at, p->at);
	Dwarf_Die variable;
	struct leaf leaf;
	bool ok;

	*v = (struct value){.parameter = -1};
	ok = scope_variable(&p->scope, name, &variable) && type_of(&variable, &v->type);
	if (ok) {
		v->parameter = scope_parameter(&p->scope, name);
		leaf = type_leaf(&v->type);
		if (dwarf_tag(&leaf.type) == DW_TAG_reference_type)
			ok = dereference(v);
	} else if (scope_variable(&p->scope, "this", &variable) && type_of(&variable, &v->type)) {
		ok = dereference(v) && member(v, name);
	}
	free(name);
	p->at++;
	return ok;
}

/* The type in parentheses of a cast: its last word that is a type, and the stars after it. */
static bool cast_type(struct expression_reader *p, u32 open, Dwarf_Die *type, unsigned *stars)
{
	static const char *const tags[] = {"struct", "union", "enum", "class"};
	static const char *const qualifiers[] = {"const", "volatile", "_Atomic", "restrict"};
	bool found = false, tag = false;
	Dwarf_Die variable;

	*stars = 0;
	for (u32 i = open + 1; i < match(p, open); i++) {
		char *name;

		if (is_token(p, i, "*")) {
			++*stars;
			continue;
		}
		if (!is_word_token(p, i) || *stars)
			return false;
		if (is_token_of(p, i, qualifiers, array_size(qualifiers)))
			continue;
		if (is_token_of(p, i, tags, array_size(tags))) {
			tag = true;
			continue;
		}
		name = csource_copy(p->source, i, i);
		if (found || (!tag && scope_variable(&p->scope, name, &variable)) ||
			!scope_type(&p->scope, name, tag, type)) {
			free(name);
			return false;
		}
		free(name);
		found = true;
	}
	return found;
}

static bool parenthesis(struct expression_reader *p, struct value *v)
{
	u32 open = p->at, close = match(p, open), end = p->end;
	unsigned stars;
	Dwarf_Die type;
	bool ok;

	if (close <= open || close > end)
		return false;
	if (close < end && cast_type(p, open, &type, &stars)) {
		p->at = close + 1;
		ok = read_unary(p, v);
		if (stars != 1)
			return ok && stars == 0;
		/* The origin of the pointer is the same. */
		*v = (struct value){.type = type, .address = true, .rooted = true, .root = type,
			.parameter = ok && !v->rooted ? v->parameter : -1};
		return true;
	}
	p->at = open + 1;
	p->end = close - 1;
	ok = read_unary(p, v) && p->at == close;
	p->at = close + 1;
	p->end = end;
	return ok;
}

static bool postfix(struct expression_reader *p, struct value *v)
{
	if (!(is_word_token(p, p->at) ? identifier(p, v) : is_token(p, p->at, "(") &&
		parenthesis(p, v)))
		return false;
	while (p->at <= p->end) {
		bool arrow = is_token(p, p->at, "->");
		char *name;
		bool ok;

		if (is_token(p, p->at, "[") && match(p, p->at) <= p->end) {
			p->at = match(p, p->at) + 1;
			if (!element(v))
				return false;
			continue;
		}
		if ((!arrow && !is_token(p, p->at, ".")) || !is_word_token(p, p->at + 1))
			return false;
		name = csource_copy(p->source, p->at + 1, p->at + 1);
		ok = (!arrow || dereference(v)) && member(v, name);
		free(name);
		p->at += 2;
		if (!ok)
			return false;
	}
	return true;
}

static bool read_unary(struct expression_reader *p, struct value *v)
{
	bool ok = false;

	if (p->at > p->end || p->depth > NESTING)
		return false;
	p->depth++;
	if (is_token(p, p->at, "&") || is_token(p, p->at, "*")) {
		bool address = is_token(p, p->at++, "&");

		ok = read_unary(p, v) && (address ? !v->address : dereference(v));
		v->address |= ok && address;
	} else {
		ok = postfix(p, v);
	}
	p->depth--;
	return ok;
}

/* The tokens from first to last as an expression, all of them. */
static bool evaluate(struct expression_reader *p, u32 first, u32 last, struct value *v)
{
	if (!first || last < first || last >= p->source->ntokens)
		return false;
	p->at = first;
	p->end = last;
	p->depth = 0;
	return read_unary(p, v) && p->at == last + 1;
}

/* --- where an expression begins -------------------------------------------------------------- */

/* The first token of the postfix expression that ends with this token; 0: none. */
static u32 chain_start(const struct expression_reader *p, u32 last)
{
	u32 i = last;

	while (i) {
		if (is_token(p, i, "]"))
			i = match(p, i) - 1;
		else if (is_token(p, i, ")"))
			return match(p, i);
		else if (!is_word_token(p, i))
			return 0;
		else if (is_token(p, i - 1, ".") || is_token(p, i - 1, "->"))
			i -= 2;
		else
			return i;
	}
	return 0;
}

static bool is_operand_end(const struct expression_reader *p, u32 token)
{
	return is_word_token(p, token) || is_token(p, token, ")") || is_token(p, token, "]") ||
	       p->source->token[token].kind == TOKEN_NUMBER;
}

/* The same with the stars before it. */
static u32 left_side(const struct expression_reader *p, u32 last)
{
	u32 first = chain_start(p, last);

	while (first > 1 && is_token(p, first - 1, "*") &&
		(is_token(p, first - 2, "return") || !is_operand_end(p, first - 2)))
		first--;
	return first;
}

/* The last token of the postfix expression that begins here. */
static u32 chain_end(const struct expression_reader *p, u32 first)
{
	u32 i = first;

	while (is_token(p, i, "*") || is_token(p, i, "&"))
		i++;
	if (is_token(p, i, "("))
		i = match(p, i);
	for (;;) {
		if ((is_token(p, i + 1, "->") || is_token(p, i + 1, ".")) &&
			is_word_token(p, i + 2))
			i += 2;
		else if (is_token(p, i + 1, "["))
			i = match(p, i + 1);
		else
			return i;
	}
}

/* The parenthesis of the call f( or p->f( at the token; 0: none. */
static u32 call_at(const struct expression_reader *p, u32 token)
{
	u32 end = is_word_token(p, token) ? chain_end(p, token) : token;

	if (is_token(p, end, "("))
		return end;
	return is_token(p, end + 1, "(") ? end + 1 : 0;
}

/* The tokens of argument n of a call, 0 = the first. */
static bool argument(const struct expression_reader *p, u32 open, int n, u32 *first, u32 *last)
{
	u32 close = match(p, open);

	*first = open + 1;
	for (u32 i = open + 1; i <= close; i++) {
		if (i < close && !is_token(p, i, ",")) {
			if (match(p, i) > i)
				i = match(p, i);
			continue;
		}
		*last = i - 1;
		if (n-- == 0)
			return *last >= *first;
		*first = i + 1;
	}
	return false;
}

/* --- frames ---------------------------------------------------------------------------------- */

/* A position in a call stack that counts inlined calls, too. */
struct position {
	const struct trace_stack *stack;
	u32 address;
	unsigned frame;
};

static const struct frames *position_frames(struct symbols *s, const struct position *at)
{
	return at->address < at->stack->nframes ? symbol_frames(s, at->stack->frames[at->address])
						: NULL;
}

static void go_out(struct symbols *s, struct position *at)
{
	const struct frames *f = position_frames(s, at);

	if (f && ++at->frame >= f->n) {
		at->frame = 0;
		at->address++;
	}
}

/* Opens source and scope of a frame; *token is the one that the frame is at. */
static bool open_frame(
	struct symbols *s, const struct position *at, struct expression_reader *p, u32 *token)
{
	const struct frames *f = position_frames(s, at);
	const struct frame *frame = f && at->frame < f->n ? &f->at[at->frame] : NULL;

	memset(p, 0, sizeof(*p));
	if (!frame || !frame->file || !frame->line || !frame->column)
		return false;
	p->source = csource_once(frame->file);
	*token = p->source ? csource_token(p->source, frame->line, frame->column) : 0;
	return *token && scope_open(s, at->stack->frames[at->address], at->frame, &p->scope);
}

/* --- the variables of an access -------------------------------------------------------------- */

struct each {
	struct symbols *symbols;
	expression_take *take;
	void *data;
	struct position at; /* of the innermost frame */
};

static bool give_object(const struct each *x, const struct value *v, Dwarf_Die object, char *text)
{
	struct expression e = {.text = text, .object = object, .rooted = v->rooted, .root = v->root,
		.offset = v->offset, .stride = v->stride, .settled = v->parameter < 0};

	return x->take(x->data, &e);
}

/* The arguments that callers pass for the parameter that v, of the frame at *at, comes from. */
static bool give_callers(
	const struct each *x, struct position at, struct value v, Dwarf_Die object, char *text)
{
	for (unsigned n = 0; v.parameter >= 0 && n < CALLERS; n++) {
		struct value outer;
		u32 token, first, last, open;
		struct expression_reader p;
		bool ok;

		go_out(x->symbols, &at);
		if (!open_frame(x->symbols, &at, &p, &token)) {
			scope_close(&p.scope);
			return false;
		}
		open = call_at(&p, token);
		ok = open && argument(&p, open, v.parameter, &first, &last) &&
		     evaluate(&p, first, last, &outer) && dereference(&outer);
		scope_close(&p.scope);
		if (!ok)
			return false;
		outer.offset += v.offset;
		if (!outer.stride || (v.stride && v.stride < outer.stride))
			outer.stride = v.stride;
		if (!v.offset && !v.stride)
			text = csource_copy(p.source, first + is_token(&p, first, "&"), last);
		v = outer;
		if (give_object(x, &v, object, text))
			return true;
	}
	return false;
}

/* With `points`, the expression is a pointer to the accessed memory. */
static bool try_tokens(
	const struct each *x, struct expression_reader *p, u32 first, u32 last, bool points)
{
	struct value v;
	char *text;

	if (!evaluate(p, first, last, &v) || (points && !dereference(&v)) || v.address)
		return false;
	text = csource_copy(p->source, first + (points && is_token(p, first, "&")), last);
	return give_object(x, &v, v.type, text) || give_callers(x, x->at, v, v.type, text);
}

static bool try_arguments(const struct each *x, struct expression_reader *p, u32 open)
{
	u32 first, last;

	for (int n = 0; argument(p, open, n, &first, &last); n++)
		if (try_tokens(x, p, first, last, true))
			return true;
	return false;
}

/* Try the expressions that a compiler may locate at a token. */
static void try_token(const struct each *x, struct expression_reader *p, u32 token)
{
	static const char *const assignments[] = {
		"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
	u32 open = is_word_token(p, token) ? call_at(p, token) : 0, start;

	if (open && try_arguments(x, p, open))
		return;
	if (is_word_token(p, token)) {
		start = chain_start(p, token);
		for (u32 end = chain_end(p, token); end >= token; end--)
			if (try_tokens(x, p, start, end, false))
				return;
	} else if (is_token_of(p, token, assignments, array_size(assignments))) {
		if (!try_tokens(x, p, left_side(p, token - 1), token - 1, false))
			try_tokens(x, p, token + 1, chain_end(p, token + 1), false);
	} else if (is_token(p, token, "->") || is_token(p, token, ".")) {
		try_tokens(x, p, chain_start(p, token - 1), token + 1, false);
	} else if (is_token(p, token, "[")) {
		try_tokens(x, p, chain_start(p, token - 1), match(p, token), false);
	} else if (is_token(p, token, "*") || is_token(p, token, "(")) {
		try_tokens(x, p, token, chain_end(p, token), false);
	}
}

void expression_each(
	struct symbols *s, const struct trace_stack *stack, expression_take *take, void *data)
{
	struct each x = {.symbols = s, .take = take, .data = data, .at = {.stack = stack}};
	struct expression_reader p;
	u32 token;

	if (open_frame(s, &x.at, &p, &token))
		try_token(&x, &p, token);
	scope_close(&p.scope);
}

/* --- where a block comes from ---------------------------------------------------------------- */

/* sizeof(struct node), sizeof *p: the first one in the arguments of the call. */
static bool size_argument(struct expression_reader *p, u32 open, Dwarf_Die *type)
{
	for (u32 i = open + 1; i < match(p, open); i++) {
		unsigned stars;
		struct value v;

		if (!is_token(p, i, "sizeof"))
			continue;
		if (is_token(p, i + 1, "(") && cast_type(p, i + 1, type, &stars))
			return stars == 0;
		if (!evaluate(p, i + 1, chain_end(p, i + 1), &v) || v.address)
			return false;
		*type = v.type;
		return true;
	}
	return false;
}

/* Before the call, and a cast of its result: the variable that gets it. */
static u32 assigned(const struct expression_reader *p, u32 token)
{
	u32 i = token - 1;

	while (is_token(p, i, ")"))
		i = match(p, i) - 1;
	return is_token(p, i, "=") ? i - 1 : 0;
}

/* Of atomic_store(&shared, malloc(10)), a macro, and posix_memalign(&p, 16, 10): that variable. */
static u32 handed_variable(const struct expression_reader *p, u32 token)
{
	u32 open = call_at(p, token), first, last;

	return open && argument(p, open, 0, &first, &last) && is_token(p, first, "&") &&
		       first < last
		       ? last
		       : 0;
}

/* The variable, or the member, that the result is assigned to; true if it is not only a local
 * one. */
static bool origin_name(struct expression_reader *p, u32 to, struct origin *o)
{
	u32 name = to;
	Dwarf_Die variable;

	while (is_token(p, name, "]"))
		name = match(p, name) - 1;
	if (!is_word_token(p, name))
		return false;
	o->name = csource_copy(p->source, name, name);
	return chain_start(p, to) != to || !scope_local(&p->scope, o->name, &variable);
}

/* The origin of the result of the call at a token; true if callers cannot add to it. */
static bool origin_at(struct expression_reader *p, u32 token, bool innermost, struct origin *o)
{
	u32 open = call_at(p, token), value = assigned(p, token),
	    to = value || !innermost ? value : handed_variable(p, token);
	bool lasting = to && origin_name(p, to, o);
	struct leaf leaf;
	struct value v;

	o->typed = open && size_argument(p, open, &o->type);
	if (!o->typed && to &&
		(evaluate(p, left_side(p, to), to, &v) ||
			evaluate(p, chain_start(p, to), to, &v)) &&
		!v.address) {
		leaf = type_leaf(&v.type);
		o->typed = type_pointee(&leaf, &o->type);
	}
	return o->typed || lasting;
}

void expression_origin(struct symbols *s, const struct trace_stack *stack, struct origin *o)
{
	struct position at = {.stack = stack};
	bool done = false;

	memset(o, 0, sizeof(*o));
	for (unsigned n = 0; n < CALLERS && !done; n++, go_out(s, &at)) {
		const char *name = o->name;
		struct expression_reader p;
		u32 token;

		done = open_frame(s, &at, &p, &token) && origin_at(&p, token, !n, o);
		if (done || o->name != name) {
			o->address = stack->frames[at.address];
			o->frame = at.frame;
		}
		scope_close(&p.scope);
	}
}
