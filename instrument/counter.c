/* SPDX-License-Identifier: ISC */
/* counter.c - see counter.h. */
#include "counter.h"

#include <stdlib.h>
#include <string.h>

#define VISITS_MAX 200

/* --- values computed from the counter ------------------------------------------------------- */

bool counter_has(const struct counter *c, LLVMValueRef v)
{
	for (unsigned i = 0; i < c->ncarriers; i++)
		if (c->carrier[i] == v)
			return true;
	return false;
}

static LLVMValueRef aliased(const struct counter_view *w, LLVMValueRef v)
{
	for (unsigned i = 0; i < w->naliases; i++)
		if (w->alias[i].phi == v)
			return w->alias[i].value;
	return NULL;
}

bool counter_is_pure(LLVMValueRef v)
{
	if (!LLVMIsAInstruction(v) || LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind)
		return false;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMICmp:
	case LLVMSelect:
	case LLVMFreeze: return true;
	default: return false;
	}
}

/* Is it computed from the counter? */
static bool is_derived(
	const struct counter *c, const struct counter_view *w, LLVMValueRef v, unsigned depth)
{
	if (counter_has(c, v) || aliased(w, v))
		return true;
	for (int i = 0; depth && counter_is_pure(v) && i < LLVMGetNumOperands(v); i++)
		if (is_derived(c, w, LLVMGetOperand(v, i), depth - 1))
			return true;
	return false;
}

static bool is_known(const struct counter *c, LLVMValueRef v)
{
	return LLVMIsAConstant(v) || LLVMIsAArgument(v) ||
	       (LLVMIsAInstruction(v) && shim_dominates(v, c->at[0]) &&
		       (!c->at[1] || shim_dominates(v, c->at[1])));
}

/* Can all its operands be computed where the state is compared? */
static bool is_computable(
	const struct counter *c, const struct counter_view *w, LLVMValueRef v, unsigned depth)
{
	if (counter_has(c, v) || aliased(w, v))
		return true;
	if (!is_derived(c, w, v, depth) && is_known(c, v))
		return true;
	if (!depth || !counter_is_pure(v))
		return false;
	for (int i = 0; i < LLVMGetNumOperands(v); i++)
		if (!is_computable(c, w, LLVMGetOperand(v, i), depth - 1))
			return false;
	return true;
}

/* --- bounds ---------------------------------------------------------------------------------- */

static bool is_constant_step(LLVMValueRef add, LLVMValueRef *other, bool *falls)
{
	LLVMValueRef n = LLVMGetOperand(add, 1);
	long long step;

	if (!LLVMIsAConstantInt(n))
		return false;
	step = LLVMConstIntGetSExtValue(n);
	*other = LLVMGetOperand(add, 0);
	*falls = LLVMGetInstructionOpcode(add) == LLVMSub ? step > 0 : step < 0;
	return step;
}

bool counter_is_step(LLVMValueRef v, LLVMValueRef *other, bool *falls)
{
	return LLVMIsAInstruction(v) &&
	       (LLVMGetInstructionOpcode(v) == LLVMAdd || LLVMGetInstructionOpcode(v) == LLVMSub) &&
	       is_constant_step(v, other, falls);
}

/* The counter, but for a constant. */
static bool is_shifted(const struct counter *c, const struct counter_view *w, LLVMValueRef v)
{
	LLVMValueRef other;
	bool falls;

	for (unsigned k = 0; k < COUNTER_DEPTH; k++) {
		if (counter_has(c, v))
			return true;
		other = aliased(w, v);
		if (!other && !counter_is_step(v, &other, &falls))
			return false;
		v = other;
	}
	return false;
}

/* A comparison of the counter with a bound: which operand is the counter? -1: it is none. */
static int counter_side(const struct counter *c, const struct counter_view *w, LLVMValueRef icmp)
{
	for (int i = 0; i < 2; i++)
		if (is_shifted(c, w, LLVMGetOperand(icmp, i)) &&
			!is_derived(c, w, LLVMGetOperand(icmp, 1 - i), COUNTER_DEPTH))
			return i;
	return -1;
}

/* Does the value stay the same from some iteration on? */
static bool becomes_final(
	const struct counter *c, const struct counter_view *w, LLVMValueRef v, unsigned depth)
{
	if (!is_derived(c, w, v, depth))
		return true;
	if (counter_has(c, v) || !depth)
		return false;
	if (aliased(w, v))
		return becomes_final(c, w, aliased(w, v), depth - 1);
	if (LLVMGetInstructionOpcode(v) == LLVMICmp && counter_side(c, w, v) >= 0)
		return true;
	for (int i = 0; i < LLVMGetNumOperands(v); i++)
		if (!becomes_final(c, w, LLVMGetOperand(v, i), depth - 1))
			return false;
	return true;
}

/* --- all uses -------------------------------------------------------------------------------- */

static bool visit(struct counter *c, const struct counter_view *w, LLVMValueRef v);

static bool add_view(struct counter *c, const struct counter_view *w, LLVMValueRef v)
{
	if (c->nviews == COUNTER_VIEWS || !shim_is_sized(LLVMTypeOf(v)) ||
		!is_computable(c, w, v, COUNTER_DEPTH) || !becomes_final(c, w, v, COUNTER_DEPTH))
		return false;
	c->view[c->nviews] = *w;
	c->view[c->nviews++].value = v;
	return true;
}

/* A comparison with each case. */
static bool add_switch(
	struct counter *c, const struct counter_view *w, LLVMValueRef v, LLVMValueRef cases)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(
		LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(cases)))));
	bool good = true;

	LLVMPositionBuilderBefore(b, cases);
	for (int i = 2; i < LLVMGetNumOperands(cases) && good; i += 2)
		good = add_view(c, w,
			LLVMBuildICmp(b, LLVMIntEQ, v, LLVMGetOperand(cases, (unsigned)i), ""));
	LLVMDisposeBuilder(b);
	return good;
}

static bool visit_alias(
	struct counter *c, const struct counter_view *w, LLVMValueRef phi, LLVMValueRef v)
{
	struct counter_view next = *w;

	if (aliased(w, phi) || w->naliases == COUNTER_ALIASES)
		return false;
	next.alias[next.naliases++] = (struct counter_alias){phi, v};
	return visit(c, &next, phi);
}

static bool visit_use(
	struct counter *c, const struct counter_view *w, LLVMValueRef v, LLVMValueRef user)
{
	if (counter_has(c, user))
		return true; /* is_monotone() */
	if (LLVMIsAPHINode(user))
		return visit_alias(c, w, user, v);
	if (counter_is_pure(user) && is_computable(c, w, user, COUNTER_DEPTH))
		return visit(c, w, user);
	if (LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) != v)
		return visit_alias(c, w, user, v);
	if (LLVMIsASwitchInst(user) && is_shifted(c, w, v))
		return add_switch(c, w, v, user);
	return add_view(c, w, v);
}

static bool visit(struct counter *c, const struct counter_view *w, LLVMValueRef v)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
		if (c->visits++ == VISITS_MAX || !visit_use(c, w, v, LLVMGetUser(u)))
			return false;
	return true;
}

/* --- how it changes -------------------------------------------------------------------------- */

struct steps {
	const struct counter *c;
	LLVMBasicBlockRef *entry;
	unsigned nentries;
	LLVMValueRef seen[2][COUNTER_DEPTH]; /* before, and after a step */
	unsigned nseen[2];
	bool falls, rises;
};

static bool is_entry(LLVMBasicBlockRef b, LLVMBasicBlockRef *entry, unsigned n)
{
	while (n)
		if (entry[--n] == b)
			return true;
	return false;
}

/* Is v the value with which the loop begins? The counter may be set back to it if the runtime sees
 * it fall. */
static bool is_set_back(const struct steps *s, LLVMValueRef v)
{
	LLVMValueRef phi = s->c->carrier[0];

	if (!s->c->watched || !is_known(s->c, v))
		return false;
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
		if (is_entry(LLVMGetIncomingBlock(phi, k), s->entry, s->nentries) &&
			LLVMGetIncomingValue(phi, k) != v)
			return false;
	return true;
}

/* A phi or select. */
static bool is_choice(LLVMValueRef v)
{
	return LLVMIsAPHINode(v) || LLVMIsASelectInst(v);
}

static LLVMValueRef chosen_value(LLVMValueRef choice, unsigned i)
{
	if (LLVMIsAPHINode(choice))
		return i < LLVMCountIncoming(choice) ? LLVMGetIncomingValue(choice, i) : NULL;
	return i < 2 ? LLVMGetOperand(choice, i + 1) : NULL;
}

static bool was_seen(struct steps *s, LLVMValueRef v, bool stepped)
{
	for (unsigned i = 0; i < s->nseen[stepped]; i++)
		if (s->seen[stepped][i] == v)
			return true;
	return false;
}

/* Is v the counter, or the counter plus a step? stepped: a step is added to v. */
static bool is_counted(struct steps *s, LLVMValueRef v, bool stepped)
{
	LLVMValueRef other;
	bool falls;

	if (counter_has(s->c, v))
		return true;
	if (counter_is_step(v, &other, &falls)) {
		s->falls |= falls;
		s->rises |= !falls;
		return is_counted(s, other, true);
	}
	if (!LLVMIsAInstruction(v) || !is_choice(v))
		return !stepped && is_set_back(s, v);
	if (was_seen(s, v, stepped))
		return true;
	if (s->nseen[stepped] == COUNTER_DEPTH)
		return false;
	s->seen[stepped][s->nseen[stepped]++] = v;
	for (unsigned i = 0; (other = chosen_value(v, i)); i++)
		if (!is_counted(s, other, stepped))
			return false;
	return true;
}

/* Does each iteration add to it, keep it, or set it back? */
static bool is_monotone(struct counter *c, LLVMBasicBlockRef *entry, unsigned nentries)
{
	struct steps s = {.c = c, .entry = entry, .nentries = nentries};

	for (unsigned i = 0; i < c->ncarriers; i++) {
		LLVMValueRef phi = c->carrier[i];

		for (unsigned k = 0; k < LLVMCountIncoming(phi) && !c->outside[i]; k++)
			if (!is_entry(LLVMGetIncomingBlock(phi, k), entry, nentries) &&
				!is_counted(&s, LLVMGetIncomingValue(phi, k), false))
				return false;
	}
	c->falls = s.falls;
	return s.falls != s.rises;
}

/* The constant that it begins with; NULL: several, or none. */
static LLVMValueRef first_value(
	const struct counter *c, LLVMBasicBlockRef *entry, unsigned nentries)
{
	LLVMValueRef first = NULL;

	for (unsigned i = 0; i < c->ncarriers; i++) {
		LLVMValueRef phi = c->carrier[i], v;

		for (unsigned k = 0; k < LLVMCountIncoming(phi) && !c->outside[i]; k++) {
			v = LLVMGetIncomingValue(phi, k);
			if (!is_entry(LLVMGetIncomingBlock(phi, k), entry, nentries))
				continue;
			if (!LLVMIsAConstantInt(v) || (first && v != first))
				return NULL;
			first = v;
		}
	}
	return first;
}

bool counter_may_be(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 32 &&
	       LLVMGetIntTypeWidth(type) <= 64;
}

bool counter_analyse(struct counter *c, LLVMBasicBlockRef *entry, unsigned nentries)
{
	struct counter_view none = {.naliases = 0};
	LLVMTypeRef type = LLVMTypeOf(c->carrier[0]);

	if (!counter_may_be(type) || !is_monotone(c, entry, nentries))
		return false;
	c->start = first_value(c, entry, nentries);
	for (unsigned i = 0; i < c->ncarriers; i++)
		if (!visit(c, &none, c->carrier[i]))
			return false;
	return true;
}

/* --- the state ------------------------------------------------------------------------------- */

struct emission {
	const struct counter *c;
	const struct counter_view *w;
	struct emit *e;
	LLVMValueRef now;
};

/* v, computed here. */
static LLVMValueRef compute_here(const struct emission *m, LLVMValueRef v)
{
	LLVMValueRef copy;

	if (counter_has(m->c, v))
		return m->now;
	if (aliased(m->w, v))
		return compute_here(m, aliased(m->w, v));
	if (!is_derived(m->c, m->w, v, COUNTER_DEPTH) && is_known(m->c, v))
		return v;
	copy = LLVMInstructionClone(v);
	for (int i = 0; i < LLVMGetNumOperands(v); i++)
		LLVMSetOperand(copy, i, compute_here(m, LLVMGetOperand(v, i)));
	LLVMInsertIntoBuilder(m->e->b, copy);
	return copy;
}

/* A comparison `x predicate bound' of a value that rises. */
struct rising {
	LLVMValueRef x, bound;
	LLVMIntPredicate predicate;
};

/* With its operands exchanged; the same that is true of their complements. */
static LLVMIntPredicate swapped(LLVMIntPredicate p)
{
	switch (p) {
	case LLVMIntUGT: return LLVMIntULT;
	case LLVMIntUGE: return LLVMIntULE;
	case LLVMIntULT: return LLVMIntUGT;
	case LLVMIntULE: return LLVMIntUGE;
	case LLVMIntSGT: return LLVMIntSLT;
	case LLVMIntSGE: return LLVMIntSLE;
	case LLVMIntSLT: return LLVMIntSGT;
	case LLVMIntSLE: return LLVMIntSGE;
	default: return p;
	}
}

static LLVMValueRef as_rising(const struct emission *m, LLVMValueRef v)
{
	return m->c->falls ? LLVMBuildNot(m->e->b, v, "") : v;
}

/* For equality, both count from the counter's first value on, if it is known: unsigned. */
static struct rising comparison(const struct emission *m, LLVMValueRef icmp, bool *counts)
{
	unsigned side = (unsigned)counter_side(m->c, m->w, icmp);
	LLVMValueRef x = LLVMGetOperand(icmp, side), first;
	struct rising r = {as_rising(m, compute_here(m, x)),
		as_rising(m, compute_here(m, LLVMGetOperand(icmp, !side))),
		LLVMGetICmpPredicate(icmp)};
	struct emission start = *m;

	if (side != (unsigned)m->c->falls)
		r.predicate = swapped(r.predicate);
	*counts = (r.predicate == LLVMIntEQ || r.predicate == LLVMIntNE) && m->c->start;
	if (*counts) {
		start.now = m->c->start;
		first = as_rising(m, compute_here(&start, x));
		r.x = LLVMBuildSub(m->e->b, r.x, first, "");
		r.bound = LLVMBuildSub(m->e->b, r.bound, first, "");
	}
	return r;
}

/* A difference in the unit of struct heddle_counter. */
static LLVMValueRef scaled(struct emit *e, LLVMValueRef v)
{
	unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(v));

	return LLVMBuildShl(
		e->b, LLVMBuildZExt(e->b, v, e->i64, ""), LLVMConstInt(e->i64, 64 - width, 0), "");
}

/* By how much can the counter rise until the comparison changes? All ones: it never will. */
static LLVMValueRef room(const struct emission *m, LLVMValueRef icmp)
{
	LLVMBuilderRef b = m->e->b;
	bool counts, equality, includes, signs;
	struct rising r = comparison(m, icmp, &counts);
	LLVMIntPredicate p = r.predicate;
	LLVMValueRef left = LLVMBuildSub(b, r.bound, r.x, ""), before, pending;

	equality = p == LLVMIntEQ || p == LLVMIntNE;
	includes = equality || p == LLVMIntUGT || p == LLVMIntULE || p == LLVMIntSGT ||
		   p == LLVMIntSLE; /* the bound itself is before the change */
	signs = equality ? !counts : p >= LLVMIntSGT;
	before = LLVMBuildSub(b, left, LLVMConstInt(LLVMTypeOf(left), 1, 0), "");
	if (equality)
		left = LLVMBuildSelect(
			b, LLVMBuildICmp(b, LLVMIntEQ, r.x, r.bound, ""), left, before, "");
	else if (!includes)
		left = before;
	if (signs)
		p = includes ? LLVMIntSLE : LLVMIntSLT;
	else
		p = includes ? LLVMIntULE : LLVMIntULT;
	pending = LLVMBuildICmp(b, p, r.x, r.bound, "");
	return LLVMBuildSelect(b, pending, scaled(m->e, left), LLVMConstAllOnes(m->e->i64), "");
}

static LLVMValueRef least(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntULT, a, b, ""), a, b, "");
}

static bool is_comparable(LLVMValueRef v)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));

	return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

/* The same of a value. */
static LLVMValueRef room_of(const struct emission *m, LLVMValueRef v)
{
	LLVMValueRef all = LLVMConstAllOnes(m->e->i64), same;

	if (!is_derived(m->c, m->w, v, COUNTER_DEPTH))
		return all;
	if (aliased(m->w, v))
		return room_of(m, aliased(m->w, v));
	if (LLVMGetInstructionOpcode(v) == LLVMICmp && counter_side(m->c, m->w, v) >= 0)
		return room(m, v);
	for (int i = 0; i < LLVMGetNumOperands(v); i++)
		all = least(m->e, all, room_of(m, LLVMGetOperand(v, i)));
	if (LLVMGetInstructionOpcode(v) != LLVMSelect || !is_comparable(v) ||
		is_derived(m->c, m->w, LLVMGetOperand(v, 1), COUNTER_DEPTH) ||
		is_derived(m->c, m->w, LLVMGetOperand(v, 2), COUNTER_DEPTH))
		return all;
	same = LLVMBuildICmp(m->e->b, LLVMIntEQ, compute_here(m, LLVMGetOperand(v, 1)),
		compute_here(m, LLVMGetOperand(v, 2)), "");
	return LLVMBuildSelect(m->e->b, same, LLVMConstAllOnes(m->e->i64), all, "");
}

struct counter_position counter_emit(const struct counter *c, struct emit *e, LLVMValueRef now,
	void (*put)(void *context, LLVMValueRef value), void *context)
{
	struct counter_position p = {.left = LLVMConstAllOnes(e->i64)};
	struct emission m = {.c = c, .e = e, .now = now};

	for (unsigned i = 0; i < c->nviews; i++) {
		m.w = &c->view[i];
		put(context, compute_here(&m, m.w->value));
		p.left = least(e, p.left, room_of(&m, m.w->value));
	}
	p.at = scaled(e, as_rising(&m, now));
	return p;
}

LLVMValueRef counter_value(const struct counter *c, struct emit *e, LLVMValueRef at)
{
	LLVMTypeRef type = LLVMTypeOf(c->carrier[0]);
	struct emission m = {.c = c, .e = e};

	at = LLVMBuildLShr(e->b, at, LLVMConstInt(e->i64, 64 - LLVMGetIntTypeWidth(type), 0), "");
	return as_rising(&m, LLVMBuildTrunc(e->b, at, type, ""));
}

unsigned long long counter_bytes(const struct counter *c, struct emit *e)
{
	unsigned long long n = 0;

	for (unsigned i = 0; i < c->nviews; i++)
		n += emit_store_size(e, LLVMTypeOf(c->view[i].value));
	return n;
}
