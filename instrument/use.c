/* SPDX-License-Identifier: ISC */
/*
 * use.c - see use.h.
 *
 * Idea.   An uninitialised value that is only copied is no error: padding of a struct, other bytes
 *         of a wide load. So a load is passed to the runtime only if its value is used whenever the
 *         load is made: the use is in the same basic block without a call in between, or at the
 *         beginning of a static function that is called there. The value is followed through casts,
 *         arithmetic, comparisons, and copies in private variables, as in unoptimised code.
 * Bytes.  A mask has the bytes that can make a difference; the runtime reports an error if none of
 *         them was written. So the mask may be too large, never too small. Values that may not make
 *         a difference (one side of an `and' or of a product, the value that a select does not
 *         choose) are not followed.
 */
#include "use.h"

#include "private.h"

#include <string.h>

#define DEPTH 12

static unsigned walk(struct pass *p, LLVMValueRef v, LLVMValueRef load, unsigned depth);

static unsigned value_size(struct pass *p, LLVMValueRef v)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
	unsigned long long size;

	if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind &&
		kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
		return 0;
	size = emit_store_size(&p->e, LLVMTypeOf(v));
	return size > 8 ? 0 : (unsigned)size;
}

static unsigned all_bytes(struct pass *p, LLVMValueRef v)
{
	return (1u << value_size(p, v)) - 1;
}

/* All bytes up to the highest one of the mask: those that a sum's bytes depend on. */
static unsigned up_to(unsigned mask)
{
	unsigned all = mask;

	while (all & (all + 1))
		all |= all >> 1;
	return all;
}

/* A call of anything but an intrinsic: it need not return. */
static bool may_leave(LLVMValueRef i)
{
	return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && strncmp(callee_name(i), "llvm.", 5);
}

static bool follows(LLVMValueRef load, LLVMValueRef user)
{
	LLVMValueRef i = load;

	if (!LLVMIsAInstruction(user) ||
		LLVMGetInstructionParent(load) != LLVMGetInstructionParent(user))
		return false;
	while ((i = LLVMGetNextInstruction(i)) && i != user)
		if (may_leave(i))
			return false;
	return i == user;
}

/* The mask after an `and' with a constant; without a constant nothing is certain: empty. */
static unsigned masked_bytes(LLVMValueRef i, LLVMValueRef v, unsigned mask)
{
	LLVMValueRef other = LLVMGetOperand(i, LLVMGetOperand(i, 0) == v);
	unsigned long long bits;

	if (!LLVMIsAConstantInt(other))
		return 0;
	bits = LLVMConstIntGetZExtValue(other);
	for (unsigned k = 0; k < 8; k++)
		if (!(bits >> (8 * k) & 0xff))
			mask &= ~(1u << k);
	return mask;
}

/* Bytes of a value shifted right by a constant. */
static unsigned shifted(LLVMValueRef i, LLVMValueRef v, unsigned mask)
{
	LLVMValueRef by = LLVMGetOperand(i, 1);
	unsigned long long n;

	if (LLVMGetOperand(i, 0) != v || !LLVMIsAConstantInt(by))
		return 0;
	n = LLVMConstIntGetZExtValue(by);
	return mask << n / 8 | (n % 8 ? mask << (n / 8 + 1) : 0);
}

/* Of the function that is being rewritten, or of one that it calls. */
static bool is_private(struct pass *p, LLVMValueRef variable)
{
	LLVMValueRef i;

	if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable)) == p->e.function)
		return pass_is_private(p, variable);
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
		i = LLVMGetUser(u);
		if (!LLVMIsALoadInst(i) &&
			(!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 0) == variable))
			return false;
	}
	return true;
}

/* The value is stored to a private variable: follow loads of it before another store. */
static unsigned copied(
	struct pass *p, LLVMValueRef store, LLVMValueRef v, LLVMValueRef load, unsigned depth)
{
	LLVMValueRef variable = LLVMGetOperand(store, 1), i = store;
	unsigned mask = 0;

	if (!LLVMIsAAllocaInst(variable) || !is_private(p, variable))
		return 0;
	while (!mask && (i = LLVMGetNextInstruction(i))) {
		if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable)
			break;
		if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == variable &&
			LLVMTypeOf(i) == LLVMTypeOf(v))
			mask = walk(p, i, load, depth);
	}
	return mask;
}

static unsigned use_in_store(
	struct pass *p, LLVMValueRef i, LLVMValueRef v, LLVMValueRef load, unsigned depth)
{
	if (LLVMGetOperand(i, 1) == v || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
		return all_bytes(p, v);
	return copied(p, i, v, load, depth);
}

/* The bytes of a parameter that the beginning of the function uses. */
static unsigned use_by_callee(
	struct pass *p, LLVMValueRef function, unsigned index, unsigned depth)
{
	LLVMValueRef param = LLVMGetParam(function, index);

	return shim_param_is_byval(param)
		       ? 0
		       : walk(p, param, LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(function)),
				 depth);
}

/* v is an argument: it is used if it is printed, or by the called function. */
static unsigned use_in_call(struct pass *p, LLVMValueRef call, LLVMValueRef v, unsigned depth)
{
	static const struct { const char *name; unsigned first; } prints[] = {
		{"printf", 1}, {"fprintf", 2}, {"dprintf", 2}};
	LLVMValueRef function = LLVMGetCalledValue(call);
	unsigned index = 0;

	while (index < LLVMGetNumArgOperands(call) && LLVMGetOperand(call, index) != v)
		index++;
	for (unsigned i = 0; i < sizeof prints / sizeof prints[0]; i++)
		if (!strcmp(callee_name(call), prints[i].name) && index >= prints[i].first)
			return all_bytes(p, v);
	if (!LLVMIsAFunction(function) || LLVMIsDeclaration(function) ||
		LLVMGetLinkage(function) != LLVMInternalLinkage || pass_is_ignored(function) ||
		index >= LLVMCountParams(function))
		return 0;
	return use_by_callee(p, function, index, depth);
}

/* The mask of bytes that v's user i uses. */
static unsigned used_by(
	struct pass *p, LLVMValueRef i, LLVMValueRef v, LLVMValueRef load, unsigned depth)
{
	unsigned all = all_bytes(p, v);

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMBr:
	case LLVMSwitch:
		return LLVMGetOperand(i, 0) == v ? all : 0;
	case LLVMSelect: /* a condition; it may have been made of a branch that was not taken */
		return LLVMGetOperand(i, 0) == v && walk(p, i, load, depth) ? all : 0;
	case LLVMLoad:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return all;
	case LLVMStore:
		return use_in_store(p, i, v, load, depth);
	case LLVMCall:
	case LLVMInvoke:
		return LLVMGetCalledValue(i) == v ? all : use_in_call(p, i, v, depth);
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMGetElementPtr:
		return walk(p, i, load, depth) ? all : 0;
	case LLVMTrunc:
	case LLVMBitCast:
	case LLVMFreeze:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMZExt:
		return walk(p, i, load, depth) & all;
	case LLVMSExt:
		return walk(p, i, load, depth) ? all : 0;
	case LLVMAdd:
	case LLVMSub:
	case LLVMXor:
		return up_to(walk(p, i, load, depth)) & all;
	case LLVMAnd:
		return masked_bytes(i, v, walk(p, i, load, depth)) & all;
	case LLVMLShr:
		return shifted(i, v, walk(p, i, load, depth)) & all;
	default:
		return 0;
	}
}

/* Any of several uses is sufficient; the one with the fewest bytes counts. */
static unsigned walk(struct pass *p, LLVMValueRef v, LLVMValueRef load, unsigned depth)
{
	unsigned best = 0, mask;

	if (!depth || !value_size(p, v))
		return 0;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (!follows(load, user))
			continue;
		mask = used_by(p, user, v, load, depth - 1);
		if (mask && (!best || __builtin_popcount(mask) < __builtin_popcount(best)))
			best = mask;
	}
	return best;
}

unsigned use_bytes(struct pass *p, LLVMValueRef load)
{
	return walk(p, load, load, DEPTH);
}
