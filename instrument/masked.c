/* SPDX-License-Identifier: ISC */
/*
 * masked.c - vector intrinsics that access memory lane by lane, as AVX and AVX-512 have them.
 *
 * Each lane becomes a plain access of its own behind a branch on its bit of the mask:
 *
 *     masked.load, masked.store              lane i of the vector at p
 *     masked.gather, masked.scatter          the i-th pointer
 *     masked.expandload, masked.compressstore  the next element after those of enabled lanes
 */
#include "llvm_pass.h"

#include <string.h>

struct lanes {
	struct pass *p;
	LLVMValueRef call;
	LLVMValueRef pointer; /* one, or a vector of them */
	LLVMValueRef mask;
	LLVMValueRef vector; /* to store, or what disabled lanes of a load have */
	LLVMTypeRef element;
	LLVMValueRef next; /* expand, compress: index of the next element; else NULL */
};

static LLVMValueRef lane_index(struct lanes *l, unsigned i)
{
	return LLVMConstInt(l->p->e.i32, i, 0);
}

static LLVMValueRef lane_pointer(struct lanes *l, unsigned i)
{
	LLVMBuilderRef b = l->p->e.b;
	LLVMValueRef index = l->next ? l->next : LLVMConstInt(l->p->e.i64, i, 0), p;

	if (LLVMGetTypeKind(LLVMTypeOf(l->pointer)) == LLVMVectorTypeKind)
		return LLVMBuildExtractElement(b, l->pointer, lane_index(l, i), "");
	p = LLVMBuildPointerCast(b, l->pointer, LLVMPointerType(l->element, 0), "");
	return LLVMBuildGEP2(b, l->element, p, &index, 1, "");
}

static LLVMValueRef load_lane(struct lanes *l, unsigned i, LLVMValueRef bit)
{
	LLVMBuilderRef b = l->p->e.b;
	LLVMValueRef other = LLVMBuildExtractElement(b, l->vector, lane_index(l, i), ""), value,
		     both;
	LLVMValueRef pointer = lane_pointer(l, i);
	LLVMBasicBlockRef head = emit_if(&l->p->e, bit, l->call), then;

	value = access_plain_load(l->p, l->element, pointer);
	then = emit_end_if(&l->p->e, l->call);
	both = LLVMBuildPhi(b, l->element, "");
	LLVMAddIncoming(both, &other, &head, 1);
	LLVMAddIncoming(both, &value, &then, 1);
	return both;
}

static void store_lane(struct lanes *l, unsigned i, LLVMValueRef bit)
{
	LLVMValueRef value = LLVMBuildExtractElement(l->p->e.b, l->vector, lane_index(l, i), "");
	LLVMValueRef pointer = lane_pointer(l, i);

	emit_if(&l->p->e, bit, l->call);
	access_plain_store(l->p, value, pointer);
	emit_end_if(&l->p->e, l->call);
}

static void each_lane(struct lanes *l, bool store)
{
	LLVMTypeRef type = LLVMTypeOf(l->vector);
	LLVMValueRef result = l->vector, bit, value;
	LLVMBuilderRef b = l->p->e.b;

	for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
		bit = LLVMBuildExtractElement(b, l->mask, lane_index(l, i), "");
		if (store) {
			store_lane(l, i, bit);
		} else {
			value = load_lane(l, i, bit);
			result = LLVMBuildInsertElement(b, result, value, lane_index(l, i), "");
		}
		if (l->next)
			l->next = LLVMBuildAdd(
				b, l->next, LLVMBuildZExt(b, bit, l->p->e.i64, ""), "");
	}
	if (!store)
		LLVMReplaceAllUsesWith(l->call, result);
	LLVMInstructionEraseFromParent(l->call);
}

bool masked_call_insn(struct pass *p, LLVMValueRef call, const char *name)
{
	static const struct {
		const char *name;
		bool store, packed;
	} kinds[] = {{"load.", false, false}, {"store.", true, false}, {"gather.", false, false},
		{"scatter.", true, false}, {"expandload.", false, true},
		{"compressstore.", true, true}};
	struct lanes l = {.p = p, .call = call};
	unsigned n = LLVMGetNumArgOperands(call);

	if (strncmp(name, "llvm.masked.", 12))
		return false;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strncmp(name + 12, kinds[i].name, strlen(kinds[i].name)))
			continue;
		/* The alignment, if any, is between these operands. */
		l.vector = LLVMGetOperand(call, kinds[i].store ? 0 : n - 1);
		l.pointer = LLVMGetOperand(call, kinds[i].store ? 1 : 0);
		l.mask = LLVMGetOperand(call, kinds[i].store ? n - 1 : n - 2);
		l.element = LLVMGetElementType(LLVMTypeOf(l.vector));
		if (!shim_is_sized(LLVMTypeOf(l.vector)))
			return false;
		if (LLVMGetTypeKind(LLVMTypeOf(l.pointer)) == LLVMPointerTypeKind &&
			pass_is_private(p, l.pointer))
			return true;
		l.next = kinds[i].packed ? LLVMConstInt(p->e.i64, 0, 0) : NULL;
		emit_before(&p->e, call);
		each_lane(&l, kinds[i].store);
		return true;
	}
	return false;
}
