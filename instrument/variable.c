/* SPDX-License-Identifier: ISC */
/*
 * variable.c - local variables that have no value yet when their address escapes.
 *
 * They are announced to the runtime if they have a part of 4 bytes or more (runtime/heap/fresh.h)
 * and their first use is not a store to the whole variable.
 */
#include "llvm_pass.h"
#include "private.h"

/* Does the instruction use the variable, maybe by its alias? */
static bool refers_to(LLVMValueRef i, LLVMValueRef variable, LLVMValueRef alias)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++) {
		LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);

		if (v && (v == variable || v == alias))
			return true;
	}
	return false;
}

static bool is_lifetime(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && text_starts(callee_name(i), "llvm.lifetime.");
}

/* The bytes that i stores to the beginning of the variable, without any other use of it. */
static unsigned long long bytes_stored(
	struct pass *p, LLVMValueRef i, LLVMValueRef variable, LLVMValueRef alias)
{
	LLVMValueRef n;
	bool same;

	if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) != variable &&
		LLVMGetOperand(i, 0) != alias)
		return emit_store_size(&p->e, LLVMTypeOf(LLVMGetOperand(i, 0)));
	if (!LLVMIsAMemIntrinsic(i))
		return 0;
	same = LLVMGetOperand(i, 0) == variable || LLVMGetOperand(i, 0) == alias;
	n = LLVMGetOperand(i, 2);
	return same && LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
}

/* Is the first use of the variable, in its block, a store to all of it? */
static bool has_value_at_once(struct pass *p, LLVMValueRef variable, unsigned long long size)
{
	LLVMValueRef alias = NULL;

	for (LLVMValueRef i = LLVMGetNextInstruction(variable); i; i = LLVMGetNextInstruction(i)) {
		if (!refers_to(i, variable, alias) || is_lifetime(i))
			continue;
		if (LLVMIsABitCastInst(i) && !alias)
			alias = i;
		else
			return bytes_stored(p, i, variable, alias) >= size;
	}
	return false;
}

/* Does the type have a part that one load can use, large enough to be certain? */
static bool has_words(struct pass *p, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMArrayTypeKind:
	case LLVMVectorTypeKind: return has_words(p, LLVMGetElementType(type));
	case LLVMStructTypeKind:
		for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
			if (has_words(p, LLVMStructGetTypeAtIndex(type, i)))
				return true;
		return false;
	default: return LLVMTypeIsSized(type) && LLVMABISizeOfType(p->e.layout, type) >= 4;
	}
}

/* At the beginning of the function, not where its lifetime begins: a loop that waits would change
 * it in each iteration. */
static void announce_variable(struct pass *p, LLVMValueRef variable)
{
	LLVMTypeRef type = LLVMGetAllocatedType(variable);
	LLVMValueRef n = LLVMGetOperand(variable, 0), at = LLVMGetNextInstruction(variable), size;
	unsigned long long bytes = LLVMABISizeOfType(p->e.layout, type);

	if (!has_words(p, type) || (LLVMIsAConstantInt(n) &&
			has_value_at_once(p, variable, bytes * LLVMConstIntGetZExtValue(n))))
		return;
	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	emit_before(&p->e, at);
	size = LLVMBuildMul(p->e.b, LLVMBuildZExtOrBitCast(p->e.b, n, p->e.size, ""),
		emit_size(&p->e, bytes), "");
	EMIT(&p->e, ENTRY(__heddle_variable), variable, size);
}

void variables_announce(struct pass *p)
{
	LLVMValueRef v;

	for (unsigned i = 0; (v = private_next_escaped(p->private, &i));)
		if (LLVMIsAAllocaInst(v))
			announce_variable(p, v);
}
