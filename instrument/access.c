/* SPDX-License-Identifier: ISC */
/*
 * access.c - loads, stores, atomic operations and fences become calls.
 *
 * An access of 1, 2, 4, 8 or 16 bytes is one call that carries the value; any other size goes
 * through a private buffer in the frame and a range call.
 */
#include "llvm_pass.h"
#include "result.h"
#include "tally.h"
#include "use.h"

static void replace(LLVMValueRef old, LLVMValueRef new)
{
	if (new)
		LLVMReplaceAllUsesWith(old, new);
	LLVMInstructionEraseFromParent(old);
}

LLVMValueRef access_plain_load(struct pass *p, LLVMTypeRef type, LLVMValueRef pointer)
{
	struct emit *e = &p->e;
	unsigned long long size = emit_store_size(e, type);
	LLVMValueRef v;

	if (plan_is_one_event(size)) {
		v = EMIT(e, plan_sized(ENTRY(__heddle_plain_load1), size), pointer);
		return emit_from_bits(e, v, type);
	}
	v = emit_slot(e, size, 16);
	EMIT(e, ENTRY(__heddle_plain_read), v, pointer, emit_size(e, size));
	return emit_direct_load(e, type, v);
}

void access_plain_store(struct pass *p, LLVMValueRef value, LLVMValueRef pointer)
{
	struct emit *e = &p->e;
	unsigned long long size = emit_store_size(e, LLVMTypeOf(value));
	LLVMValueRef slot;

	if (plan_is_one_event(size)) {
		EMIT(e, plan_sized(ENTRY(__heddle_plain_store1), size), pointer,
			emit_to_bits(e, value));
		return;
	}
	slot = emit_slot(e, size, 16);
	emit_direct_store(e, value, slot);
	EMIT(e, ENTRY(__heddle_plain_write), pointer, slot, emit_size(e, size));
}

/* The order argument of a load or store, or -1 if it is a plain access. */
static int order_of(struct pass *p, LLVMValueRef access)
{
	LLVMAtomicOrdering order = LLVMGetOrdering(access);

	if (order != LLVMAtomicOrderingNotAtomic)
		return emit_order(order);
	if (LLVMGetVolatile(access) && p->e.volatile_is_atomic)
		return __ATOMIC_RELAXED | HEDDLE_VOLATILE;
	return -1;
}

void access_load_insn(struct pass *p, LLVMValueRef load)
{
	LLVMValueRef pointer = LLVMGetOperand(load, 0), v;
	LLVMTypeRef type = LLVMTypeOf(load);
	unsigned long long size;
	unsigned used;
	int order;

	if (pass_is_private(p, pointer))
		return;
	used = use_bytes(p, load);
	if (!shim_is_sized(type)) {
		pass_opaque(p, load, false,
			"heddle: load of a vector of unknown length not understood%s", "");
		return;
	}
	size = emit_store_size(&p->e, type);
	order = order_of(p, load);
	if (tally_counts(p, load))
		used |= HEDDLE_USED_COUNTS;
	emit_before(&p->e, load);
	if (order >= 0 && plan_is_one_event(size)) {
		v = EMIT(&p->e, plan_sized(ENTRY(__heddle_load1), size), pointer,
			emit_int(&p->e, order | (int)used << HEDDLE_USED));
		v = emit_from_bits(&p->e, v, type);
	} else if (used && plan_is_one_event(size)) {
		v = EMIT(&p->e, plan_sized(ENTRY(__heddle_used_load1), size), pointer,
			emit_int(&p->e, (int)used));
		v = emit_from_bits(&p->e, v, type);
	} else {
		v = access_plain_load(p, type, pointer);
	}
	replace(load, v);
}

void access_store_insn(struct pass *p, LLVMValueRef store)
{
	LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
	unsigned long long size;
	int order;

	if (pass_is_private(p, pointer))
		return;
	if (!shim_is_sized(LLVMTypeOf(value))) {
		pass_opaque(p, store, false,
			"heddle: store of a vector of unknown length not understood%s", "");
		return;
	}
	size = emit_store_size(&p->e, LLVMTypeOf(value));
	order = order_of(p, store);
	emit_before(&p->e, store);
	if (order >= 0 && plan_is_one_event(size))
		EMIT(&p->e, plan_sized(ENTRY(__heddle_store1), size), pointer,
			emit_to_bits(&p->e, value), emit_int(&p->e, order));
	else
		access_plain_store(p, value, pointer);
	replace(store, NULL);
}

/* The use of the addition's result, as part of its order. */
static int announce_result(struct pass *p, LLVMValueRef rmw, int op, unsigned long long size)
{
	LLVMTypeRef type = LLVMTypeOf(rmw);
	struct result r;
	LLVMValueRef with;

	if (p->deps || (op != HEDDLE_ADD && op != HEDDLE_SUB) || size > 8 ||
		LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		return 0;
	r = result_of(rmw);
	if (r.with) {
		with = LLVMBuildAdd(p->e.b, r.with, LLVMConstInt(type, r.plus, 0), "");
		EMIT(&p->e, ENTRY(__heddle_compared),
			LLVMBuildZExt(p->e.b, with, p->e.i64, ""));
	}
	return (int)r.use << HEDDLE_RESULT;
}

void access_rmw_insn(struct pass *p, LLVMValueRef rmw)
{
	LLVMValueRef pointer = LLVMGetOperand(rmw, 0), operand = LLVMGetOperand(rmw, 1), v;
	unsigned long long size = emit_store_size(&p->e, LLVMTypeOf(rmw));
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(rmw));
	int op = shim_rmw(rmw), order = emit_order(LLVMGetOrdering(rmw));

	if (pass_is_private(p, pointer))
		return;
	if (op < 0 || !plan_is_one_event(size) ||
		((op == HEDDLE_FADD || op == HEDDLE_FSUB) && kind != LLVMFloatTypeKind &&
			kind != LLVMDoubleTypeKind)) {
		pass_opaque(p, rmw, true, "heddle: atomic operation not understood%s", "");
		return;
	}
	emit_before(&p->e, rmw);
	order |= announce_result(p, rmw, op, size);
	v = EMIT(&p->e, plan_sized(ENTRY(__heddle_rmw1), size), pointer,
		emit_to_bits(&p->e, operand), emit_int(&p->e, op), emit_int(&p->e, order));
	replace(rmw, emit_from_bits(&p->e, v, LLVMTypeOf(rmw)));
}

void access_cas_insn(struct pass *p, LLVMValueRef cas)
{
	LLVMValueRef pointer = LLVMGetOperand(cas, 0), expected = LLVMGetOperand(cas, 1);
	LLVMValueRef desired = LLVMGetOperand(cas, 2), found, ok, result;
	LLVMTypeRef type = LLVMTypeOf(expected);
	int orders = emit_order(LLVMGetCmpXchgSuccessOrdering(cas)) |
		     emit_order(LLVMGetCmpXchgFailureOrdering(cas)) << 8 |
		     (LLVMGetWeak(cas) ? HEDDLE_WEAK : 0) | HEDDLE_TEMPORARY;

	if (pass_is_private(p, pointer))
		return;
	emit_before(&p->e, cas);
	ok = emit_cas(&p->e, pointer, emit_to_bits(&p->e, expected), emit_to_bits(&p->e, desired),
		orders, &found);
	result = LLVMBuildInsertValue(
		p->e.b, LLVMGetUndef(LLVMTypeOf(cas)), emit_from_bits(&p->e, found, type), 0, "");
	replace(cas, LLVMBuildInsertValue(p->e.b, result, ok, 1, ""));
}

void access_fence_insn(struct pass *p, LLVMValueRef fence)
{
	if (shim_fence_is_signal(fence))
		return;
	emit_before(&p->e, fence);
	EMIT(&p->e, ENTRY(__heddle_fence), emit_int(&p->e, emit_order(shim_fence_order(fence))));
	replace(fence, NULL);
}
