/* SPDX-License-Identifier: ISC */
/*
 * result.c - see result.h.
 *
 * All uses of the result are followed, through phis and through variables in memory, which other
 * values may be stored to: then the answer is about those, too. The result is *compared* if each
 * use is the same comparison: then it makes a difference only on which side of one value it is, or
 * whether it is that value.
 */
#include "result.h"

#define DEPTH 8

static bool follow_uses(LLVMValueRef v, struct result *r, unsigned depth);

/* The only value that a variable in memory ever has; NULL: there are others. */
static LLVMValueRef only_value(LLVMValueRef variable)
{
	LLVMValueRef value = NULL;

	if (!LLVMIsAAllocaInst(variable) || !shim_is_promotable(variable))
		return NULL;
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (!LLVMIsAStoreInst(user))
			continue;
		if (value)
			return NULL;
		value = LLVMGetOperand(user, 0);
	}
	return value;
}

/* A value that is the same throughout the call of the function; NULL: it may not be. */
static LLVMValueRef invariant(LLVMValueRef v)
{
	if (LLVMIsALoadInst(v))
		v = only_value(LLVMGetOperand(v, 0));
	return v && (LLVMIsAConstantInt(v) || LLVMIsAArgument(v)) ? v : NULL;
}

/* The result, an operand of the comparison: which of its values make a difference? */
static bool compare(LLVMValueRef icmp, LLVMValueRef v, struct result *r)
{
	bool swapped = LLVMGetOperand(icmp, 0) != v;
	struct result this = {.with = invariant(LLVMGetOperand(icmp, !swapped))};

	switch (LLVMGetICmpPredicate(icmp)) {
	case LLVMIntEQ:
	case LLVMIntNE: this.use = HEDDLE_RESULT_EQUAL; break;
	case LLVMIntSLT:
	case LLVMIntSGE:
		this.use = HEDDLE_RESULT_LESS;
		this.plus = swapped;
		break;
	case LLVMIntSGT:
	case LLVMIntSLE:
		this.use = HEDDLE_RESULT_LESS;
		this.plus = !swapped;
		break;
	case LLVMIntULT:
	case LLVMIntUGE:
		this.use = HEDDLE_RESULT_BELOW;
		this.plus = swapped;
		break;
	case LLVMIntUGT:
	case LLVMIntULE:
		this.use = HEDDLE_RESULT_BELOW;
		this.plus = !swapped;
		break;
	}
	if (!this.with)
		return false;
	if (r->use == HEDDLE_RESULT_UNUSED)
		*r = this;
	return r->use == this.use && r->with == this.with && r->plus == this.plus;
}

static bool follow_variable(LLVMValueRef variable, struct result *r, unsigned depth)
{
	if (!LLVMIsAAllocaInst(variable) || !shim_is_promotable(variable))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsALoadInst(user) && !follow_uses(user, r, depth))
			return false;
	}
	return true;
}

static bool follow_uses(LLVMValueRef v, struct result *r, unsigned depth)
{
	if (!depth)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool known = false;

		if (LLVMIsAICmpInst(user))
			known = compare(user, v, r);
		else if (LLVMIsAPHINode(user) || LLVMIsAFreezeInst(user))
			known = follow_uses(user, r, depth - 1);
		else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v)
			known = follow_variable(LLVMGetOperand(user, 1), r, depth - 1);
		if (!known)
			return false;
	}
	return true;
}

struct result result_of(LLVMValueRef rmw)
{
	struct result r = {.use = HEDDLE_RESULT_UNUSED};

	return follow_uses(rmw, &r, DEPTH) ? r : (struct result){.use = HEDDLE_RESULT_USED};
}
