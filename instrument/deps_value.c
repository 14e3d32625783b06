/* SPDX-License-Identifier: ISC */
/*
 * deps_value.c - the dependencies of values as SSA values: see deps.h.
 *
 * Idea.   Those of a computation are the union of those of its *parts*: the loads, calls,
 *         parameters and choices that it is computed from. Only these have an SSA value of their
 *         own, made when it is first asked for; unions are made where they are needed.
 * Choice. A phi has the dependencies of the value that it takes. So has a select, and it depends on
 *         its condition, too: machines may have an instruction for it, by which only stores are
 *         ordered (DEPS_PICK), unless it is only the `and' or `or' of conditions.
 * Cost.   No union is made at run time while there are no dependencies: a test of both numbers.
 */
#include "deps.h"

#define PARTS_MAX 8

struct parts {
	LLVMValueRef part[PARTS_MAX]; /* values with dependencies of their own */
	unsigned n;
	bool too_many;
	struct map seen;
};

static LLVMValueRef deps_number(struct emit *e, unsigned n)
{
	return LLVMConstInt(e->i32, n, 0);
}

LLVMValueRef deps_know(struct deps *d, LLVMValueRef v, LLVMValueRef its)
{
	unsigned *at = map_find(&d->known, v);

	if (at)
		return d->value[*at] = its;
	if (d->nvalues == d->room) {
		d->room = d->room ? 2 * d->room : 64;
		d->value = realloc(d->value, d->room * sizeof(*d->value));
		if (!d->value)
			abort();
	}
	map_add(&d->known, v, d->nvalues);
	return d->value[d->nvalues++] = its;
}

LLVMValueRef deps_word(struct emit *e, unsigned i)
{
	LLVMTypeRef type = LLVMArrayType(e->i32, HEDDLE_DEPS_WORDS);
	LLVMValueRef v = LLVMGetNamedGlobal(e->module, "__heddle_deps"), index[2];

	if (!v) {
		v = LLVMAddGlobal(e->module, type, "__heddle_deps");
		shim_set_local(v, !e->pic);
	}
	index[0] = deps_number(e, 0);
	index[1] = deps_number(e, i);
	return LLVMConstInBoundsGEP2(type, v, index, 2);
}

static LLVMValueRef load_word(struct emit *e, unsigned i)
{
	return LLVMBuildLoad2(e->b, e->i32, deps_word(e, i), "");
}

/* --- unions ---------------------------------------------------------------------------------- */

static LLVMValueRef is_some(struct emit *e, LLVMValueRef v)
{
	return LLVMBuildICmp(e->b, LLVMIntNE, v, deps_number(e, 0), "");
}

LLVMValueRef deps_or_none(struct deps *d, LLVMValueRef v)
{
	return v ? v : deps_number(d->e, 0);
}

LLVMValueRef deps_call_if(struct deps *d, LLVMValueRef condition, LLVMValueRef at,
	enum entry entry, LLVMValueRef *arg, unsigned n)
{
	struct emit *e = d->e;
	LLVMBasicBlockRef block[2];
	LLVMValueRef value[2] = {deps_number(e, 0)}, phi;

	block[0] = emit_if(e, condition, at);
	value[1] = emit_call(e, entry, arg, n);
	block[1] = emit_end_if(e, at);
	phi = LLVMBuildPhi(e->b, e->i32, "");
	LLVMAddIncoming(phi, value, block, 2);
	return phi;
}

LLVMValueRef deps_union(struct deps *d, LLVMValueRef a, LLVMValueRef b, LLVMValueRef at)
{
	struct emit *e = d->e;
	LLVMValueRef any;

	if (!a || !b || a == b)
		return a ? a : b;
	emit_before(e, at);
	any = is_some(e, LLVMBuildOr(e->b, a, b, ""));
	return deps_call_if(d, any, at, ENTRY(__heddle_deps_union), (LLVMValueRef[]){a, b}, 2);
}

LLVMValueRef deps_any(struct deps *d, LLVMValueRef a, LLVMValueRef b)
{
	struct emit *e = d->e;
	LLVMValueRef any = LLVMBuildLoad2(e->b, e->i8, emit_variable(e, "__heddle_deps_kept"), "");

	any = LLVMBuildZExt(e->b, any, e->i32, "");
	if (a)
		any = LLVMBuildOr(e->b, any, a, "");
	if (b)
		any = LLVMBuildOr(e->b, any, b, "");
	return is_some(e, any);
}

/* The same dependencies, of a value that is only picked by them. */
static LLVMValueRef picked(struct deps *d, LLVMValueRef v, LLVMValueRef at)
{
	struct emit *e = d->e;
	LLVMValueRef bit;

	if (!v)
		return NULL;
	emit_before(e, at);
	bit = LLVMBuildSelect(e->b, is_some(e, v), deps_number(e, HEDDLE_DEPS_PICK),
		deps_number(e, 0), "");
	return LLVMBuildOr(e->b, v, bit, "");
}

/* --- parts ----------------------------------------------------------------------------------- */

static LLVMValueRef of_part(struct deps *d, LLVMValueRef v);

static void add_parts(struct deps *d, struct parts *s, LLVMValueRef v);

static bool same_indices(LLVMValueRef a, LLVMValueRef b)
{
	unsigned n = LLVMGetNumIndices(a);

	return n == LLVMGetNumIndices(b) &&
	       !memcmp(LLVMGetIndices(a), LLVMGetIndices(b), n * sizeof(unsigned));
}

/* A member of a structure that was put together just before. */
static void add_member(struct deps *d, struct parts *s, LLVMValueRef extract)
{
	LLVMValueRef whole = LLVMGetOperand(extract, 0);

	while (LLVMIsAInsertValueInst(whole) && LLVMGetNumIndices(whole) == 1 &&
		LLVMGetNumIndices(extract) == 1) {
		if (same_indices(whole, extract)) {
			add_parts(d, s, LLVMGetOperand(whole, 1));
			return;
		}
		whole = LLVMGetOperand(whole, 0);
	}
	add_parts(d, s, whole);
}

static void add_parts(struct deps *d, struct parts *s, LLVMValueRef v)
{
	int n;

	if (!deps_may(d, v) || !map_add(&s->seen, v, 0) || s->too_many)
		return;
	if (LLVMIsAInstruction(v) && deps_source(v) == DEPS_OPERANDS && !map_find(&d->known, v)) {
		if (LLVMIsAExtractValueInst(v)) {
			add_member(d, s, v);
			return;
		}
		n = LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) ? (int)LLVMGetNumArgOperands(v)
							       : LLVMGetNumOperands(v);
		for (int k = 0; k < n; k++)
			add_parts(d, s, LLVMGetOperand(v, (unsigned)k));
		return;
	}
	s->too_many = s->n == PARTS_MAX;
	if (!s->too_many)
		s->part[s->n++] = v;
}

/* A computation of many parts: the union of those of its operands, behind it. */
static LLVMValueRef of_operands(struct deps *d, LLVMValueRef v)
{
	LLVMValueRef its = NULL, at = shim_after(v);
	int n = LLVMGetNumOperands(v);

	for (int k = 0; k < n; k++)
		its = deps_union(d, its, deps_of(d, LLVMGetOperand(v, (unsigned)k), at), at);
	return deps_know(d, v, deps_or_none(d, its));
}

unsigned deps_parts(
	struct deps *d, LLVMValueRef v, LLVMValueRef at, LLVMValueRef *part, unsigned max)
{
	struct parts s = {.n = 0};
	unsigned n = 0;

	add_parts(d, &s, v);
	map_release(&s.seen);
	if (s.too_many) {
		part[0] = of_operands(d, v);
		return 1;
	}
	for (unsigned k = 0; k < s.n; k++) {
		LLVMValueRef its = of_part(d, s.part[k]);

		if (LLVMIsAConstantInt(its))
			continue;
		if (n == max)
			part[n - 1] = deps_union(d, part[n - 1], its, at);
		else
			part[n++] = its;
	}
	return n;
}

LLVMValueRef deps_of(struct deps *d, LLVMValueRef v, LLVMValueRef at)
{
	LLVMValueRef its;

	return deps_parts(d, v, at, &its, 1) ? its : NULL;
}

/* --- one part -------------------------------------------------------------------------------- */

static LLVMValueRef of_parameter(struct deps *d, LLVMValueRef v)
{
	struct emit *e = d->e;

	for (unsigned i = 0; i < HEDDLE_DEPS_ARGUMENTS && i < LLVMCountParams(e->function); i++) {
		if (LLVMGetParam(e->function, i) != v)
			continue;
		emit_before(e, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(e->function)));
		return deps_know(d, v, load_word(e, HEDDLE_DEPS_ARGUMENT + i));
	}
	return deps_know(d, v, deps_number(e, 0));
}

static LLVMValueRef of_phi(struct deps *d, LLVMValueRef v)
{
	struct emit *e = d->e;
	LLVMValueRef its, of;
	LLVMBasicBlockRef from;

	emit_before(e, v);
	its = deps_know(d, v, LLVMBuildPhi(e->b, e->i32, ""));
	for (unsigned k = 0; k < LLVMCountIncoming(v); k++) {
		of = deps_of(d, LLVMGetIncomingValue(v, k),
			LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(v, k)));
		of = deps_or_none(d, of);
		from = LLVMGetIncomingBlock(v, k); /* it may have been split */
		for (unsigned j = 0; j < k; j++) /* two edges from one block */
			if (LLVMGetIncomingBlock(its, j) == from)
				of = LLVMGetIncomingValue(its, j);
		LLVMAddIncoming(its, &of, &from, 1);
	}
	return its;
}

static LLVMValueRef of_select(struct deps *d, LLVMValueRef v)
{
	struct emit *e = d->e;
	LLVMValueRef c = LLVMGetOperand(v, 0), a = LLVMGetOperand(v, 1), b = LLVMGetOperand(v, 2);
	LLVMValueRef of[3] = {deps_of(d, c, v), deps_of(d, a, v), deps_of(d, b, v)}, its;
	bool logical = LLVMTypeOf(v) == e->i1 && (LLVMIsAConstantInt(a) || LLVMIsAConstantInt(b));

	if (logical || LLVMTypeOf(c) != e->i1) {
		its = deps_union(d, deps_union(d, of[0], of[1], v), of[2], v);
		return deps_know(d, v, deps_or_none(d, its));
	}
	emit_before(e, v);
	its = of[1] || of[2] ? LLVMBuildSelect(e->b, c, deps_or_none(d, of[1]),
				       deps_or_none(d, of[2]), "")
			     : NULL;
	its = deps_union(d, its, picked(d, of[0], v), v);
	return deps_know(d, v, deps_or_none(d, its));
}

/* What is loaded from private memory. */
static LLVMValueRef of_memory(struct deps *d, LLVMValueRef v)
{
	struct emit *e = d->e;
	LLVMValueRef pointer = LLVMGetOperand(v, 0), at = LLVMGetNextInstruction(v), address;
	unsigned *shadow = map_find(&d->shadow, deps_variable(pointer));
	LLVMTypeRef type = LLVMIsALoadInst(v) ? LLVMTypeOf(v) : LLVMTypeOf(LLVMGetOperand(v, 1));

	if (shadow) {
		emit_before(e, at);
		return deps_know(d, v, LLVMBuildLoad2(e->b, e->i32, d->shadows[*shadow], ""));
	}
	address = deps_of(d, pointer, v);
	if (deps_is_constant(pointer) || !shim_is_sized(type))
		return deps_know(d, v, deps_or_none(d, address));
	if (!LLVMIsALoadInst(v))
		at = v; /* before it stores */
	emit_before(e, at);
	return deps_know(d, v,
		deps_call_if(d, deps_any(d, address, NULL), at, ENTRY(__heddle_deps_load),
			(LLVMValueRef[]){pointer, emit_size(e, emit_store_size(e, type)),
				deps_or_none(d, address)},
			3));
}

static LLVMValueRef of_result(struct deps *d, LLVMValueRef v)
{
	emit_before(d->e, shim_after(v));
	return deps_know(d, v, load_word(d->e, HEDDLE_DEPS_RESULT));
}

static LLVMValueRef of_part(struct deps *d, LLVMValueRef v)
{
	unsigned *at = map_find(&d->known, v);

	if (at)
		return d->value[*at];
	if (LLVMIsAArgument(v))
		return of_parameter(d, v);
	if (LLVMIsAPHINode(v))
		return of_phi(d, v);
	switch (deps_source(v)) {
	case DEPS_CHOICE: return of_select(d, v);
	case DEPS_MEMORY: return of_memory(d, v);
	case DEPS_RESULT:
	case DEPS_CALL: return of_result(d, v);
	default: break; /* DEPS_LIBRARY, DEPS_FOREIGN: known before (deps.c) */
	}
	return deps_number(d->e, 0);
}
