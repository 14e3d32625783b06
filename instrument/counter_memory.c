/* SPDX-License-Identifier: ISC */
/* counter_memory.c - counters of code that is not optimised, which are variables in memory. */
#include "counter.h"

/* Are the values computed from v used only in comparisons, and stored back to the variable? */
static bool only_counts(LLVMValueRef v, LLVMValueRef variable, unsigned depth)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsABranchInst(user) || LLVMIsASwitchInst(user) ||
			(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable))
			continue;
		if (!depth || !counter_is_pure(user) ||
			(!LLVMIsAICmpInst(user) && !only_counts(user, variable, depth - 1)))
			return false;
	}
	return true;
}

/* A store of the variable and a constant to the variable? */
static bool is_count(LLVMValueRef store)
{
	LLVMValueRef old;
	bool falls;

	return LLVMIsAStoreInst(store) && LLVMIsAAllocaInst(LLVMGetOperand(store, 1)) &&
	       counter_is_step(LLVMGetOperand(store, 0), &old, &falls) && LLVMIsALoadInst(old) &&
	       LLVMGetOperand(old, 0) == LLVMGetOperand(store, 1);
}

static bool is_counter_variable(LLVMValueRef variable)
{
	LLVMTypeRef type = LLVMGetAllocatedType(variable);

	if (!counter_may_be(type))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsALoadInst(user) && !only_counts(user, variable, COUNTER_DEPTH))
			return false;
	}
	return shim_is_promotable(variable);
}

static bool looks(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: return true;
	case LLVMCall: return !shim_call_has_no_memory(i);
	default: return false;
	}
}

#define PROMOTED_MAX 16

struct promoted {
	LLVMValueRef variable[PROMOTED_MAX];
	unsigned n;
};

static void find_promoted(void *context, LLVMBasicBlockRef *block, unsigned n)
{
	struct promoted *all = context;
	bool waits = false;

	for (unsigned k = 0; k < n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(block[k]); i;
			i = LLVMGetNextInstruction(i))
			waits |= looks(i);
	for (unsigned k = 0; k < n && waits; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(block[k]); i;
			i = LLVMGetNextInstruction(i)) {
			LLVMValueRef v = is_count(i) ? LLVMGetOperand(i, 1) : NULL;

			for (unsigned m = 0; v && m < all->n; m++)
				v = all->variable[m] == v ? NULL : v;
			if (v && all->n < PROMOTED_MAX && is_counter_variable(v))
				all->variable[all->n++] = v;
		}
}

void counter_promote(LLVMValueRef function)
{
	struct promoted all = {.n = 0};

	shim_loops(function, find_promoted, &all);
	if (all.n)
		shim_promote(all.variable, all.n);
}
