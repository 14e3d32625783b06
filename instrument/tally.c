/* SPDX-License-Identifier: ISC */
/* tally.c - see tally.h. */
#include "tally.h"

#include <string.h>

#define DEPTH 6

/* Is the result computed from the operands, and nothing else can happen? */
static bool calculates(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMFAdd:
	case LLVMFSub:
	case LLVMFMul:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMFPExt:
	case LLVMFPTrunc: return true;
	default: return false;
	}
}

/* --- shown ------------------------------------------------------------------------------------ */

static LLVMValueRef behind_casts(LLVMValueRef v)
{
	while (LLVMIsACastInst(v) || LLVMIsAConstantExpr(v))
		v = LLVMGetOperand(v, 0);
	return v;
}

/* Has it been loaded from stdout or stderr? The load may be a call by now. */
static bool is_standard_stream(LLVMValueRef v)
{
	const char *name;
	size_t length;

	v = behind_casts(v);
	if (!LLVMIsALoadInst(v) && !LLVMIsACallInst(v))
		return false;
	v = behind_casts(LLVMGetOperand(v, 0));
	if (!LLVMIsAGlobalVariable(v))
		return false;
	name = LLVMGetValueName2(v, &length);
	return !strcmp(name, "stdout") || !strcmp(name, "stderr");
}

/* Does the call print all its arguments from number `first' on, and nothing uses its result? */
static bool prints(LLVMValueRef i, unsigned *first)
{
	static const struct {
		const char *name;
		unsigned first;
		bool stream;
	} printing[] = {
#define PRINTS(name, first, stream) {name, first, stream},
#include "printing.def"
#undef PRINTS
	};

	if (!LLVMIsACallInst(i) || LLVMGetFirstUse(i))
		return false;
	for (unsigned k = 0; k < sizeof(printing) / sizeof(*printing); k++) {
		if (strcmp(callee_name(i), printing[k].name))
			continue;
		*first = printing[k].first;
		return !printing[k].stream || is_standard_stream(LLVMGetOperand(i, 0));
	}
	return false;
}

static bool is_printed(LLVMValueRef call, LLVMValueRef v)
{
	unsigned n = LLVMIsACallInst(call) ? LLVMGetNumArgOperands(call) : 0, first;

	if (!prints(call, &first))
		return false;
	for (unsigned i = 0; i < first && i < n; i++)
		if (LLVMGetOperand(call, i) == v)
			return false;
	return true;
}

/* --- counted ---------------------------------------------------------------------------------- */

/* Does the store of v, computed from the load, put it back where it came from? */
static bool returns(struct pass *p, LLVMValueRef store, LLVMValueRef v, LLVMValueRef load)
{
	return LLVMIsAStoreInst(store) && LLVMGetOperand(store, 0) == v &&
	       LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0) &&
	       LLVMGetInstructionParent(store) == LLVMGetInstructionParent(load) &&
	       emit_store_size(&p->e, LLVMTypeOf(v)) ==
		       emit_store_size(&p->e, LLVMTypeOf(load));
}

static bool counts_or_shows(
	struct pass *p, LLVMValueRef v, LLVMValueRef load, unsigned depth)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);

		if (!depth || !LLVMIsAInstruction(i))
			return false;
		if (!returns(p, i, v, load) && !is_printed(i, v) &&
			!(calculates(i) && counts_or_shows(p, i, load, depth - 1)))
			return false;
	}
	return true;
}

bool tally_counts(struct pass *p, LLVMValueRef load)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(load));

	return (kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind ||
		       kind == LLVMDoubleTypeKind) &&
	       emit_store_size(&p->e, LLVMTypeOf(load)) <= 8 &&
	       counts_or_shows(p, load, load, DEPTH);
}
