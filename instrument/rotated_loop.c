/* SPDX-License-Identifier: ISC */
/*
 * rotated_loop.c - two places in a function with the same continuation.
 *
 * The compiler rotates `while (test) body' to `if (test) do body while (test)'. Both tests are one
 * in the source. Their code is the same operations, at the ends of two blocks with the same
 * successors; or, if the test has several parts, of chains of blocks that lead to those. Their
 * operands correspond: the same value, the results of two corresponding operations, or a pair of
 * values that may differ; so do the values of the successors' phis. No other result of these
 * operations is used later.
 */
#include "rotated_loop.h"
#include "private.h"

#include <string.h>

static LLVMValueRef before(LLVMValueRef i)
{
	do
		i = LLVMGetPreviousInstruction(i);
	while (i && LLVMIsACallInst(i) && !strncmp(callee_name(i), "llvm.dbg.", 9));
	return i;
}

bool twin_passes_on(LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);

	while (!LLVMIsATerminatorInst(i) && shim_only_computes(i))
		i = LLVMGetNextInstruction(i);
	return LLVMIsABranchInst(i) && !LLVMIsConditional(i);
}

struct twin_edge twin_edge(LLVMBasicBlockRef from, unsigned i)
{
	struct twin_edge e = {from, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(from), i)};

	for (unsigned k = 0; k < 4 && twin_passes_on(e.to); k++) {
		e.from = e.to;
		e.to = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(e.from), 0);
	}
	return e;
}

static bool same_ways(LLVMValueRef a, LLVMValueRef b)
{
	unsigned n = LLVMGetNumSuccessors(a);

	if (!LLVMIsABranchInst(a) || !LLVMIsABranchInst(b) || n != LLVMGetNumSuccessors(b))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (twin_edge(LLVMGetInstructionParent(a), i).to !=
			twin_edge(LLVMGetInstructionParent(b), i).to)
			return false;
	return true;
}

/* The only block that leads to this one, by a branch; NULL: there are several, or phis. */
static LLVMBasicBlockRef only_before(LLVMBasicBlockRef block)
{
	LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));

	if (!u || LLVMGetNextUse(u) || !LLVMIsABranchInst(LLVMGetUser(u)) ||
		LLVMIsAPHINode(LLVMGetFirstInstruction(block)))
		return NULL;
	return LLVMGetInstructionParent(LLVMGetUser(u));
}

/* Do the branches lead to a and b in the same way, and otherwise to the same block? */
static bool lead_on(LLVMValueRef x, LLVMValueRef y, LLVMBasicBlockRef a, LLVMBasicBlockRef b)
{
	unsigned n = LLVMGetNumSuccessors(x);

	if (n != 2 || n != LLVMGetNumSuccessors(y))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (LLVMGetSuccessor(x, i) == a && LLVMGetSuccessor(y, i) == b)
			return twin_edge(LLVMGetInstructionParent(x), !i).to ==
			       twin_edge(LLVMGetInstructionParent(y), !i).to;
	return false;
}

/* The ends of the blocks before a and b. */
static bool go_back(LLVMBasicBlockRef a, LLVMBasicBlockRef b, LLVMValueRef *x, LLVMValueRef *y)
{
	LLVMBasicBlockRef p = only_before(a), q = only_before(b);

	if (!p || !q || p == q || p == b || q == a)
		return false;
	*x = LLVMGetBasicBlockTerminator(p);
	*y = LLVMGetBasicBlockTerminator(q);
	return lead_on(*x, *y, a, b);
}

/* A computation that is not repeated, in front of x: before the loop, of a value that is constant
 * within it. */
static LLVMValueRef pass_over(struct twin *t, LLVMValueRef x, LLVMValueRef y)
{
	while (x && y && t->npassed < TWIN_PASSED && !shim_same_operation(x, y) &&
		shim_only_computes(x)) {
		t->passed[t->npassed++] = x;
		x = before(x);
	}
	return x;
}

void twin_compare(struct twin *t, LLVMBasicBlockRef a, LLVMBasicBlockRef b)
{
	LLVMValueRef x = LLVMGetBasicBlockTerminator(a), y = LLVMGetBasicBlockTerminator(b);
	bool branch = true;

	t->ninsns = t->npassed = 0;
	if (a == b || !same_ways(x, y))
		return;
	while (t->ninsns < TWIN_INSNS && !LLVMIsAPHINode(x) &&
		(branch || shim_same_operation(x, y))) {
		LLVMBasicBlockRef from[2] = {
			LLVMGetInstructionParent(x), LLVMGetInstructionParent(y)};

		t->insn[0][t->ninsns] = x;
		t->insn[1][t->ninsns++] = y;
		y = before(y);
		x = pass_over(t, before(x), y);
		branch = !x && !y;
		if (branch ? !go_back(from[0], from[1], &x, &y) : !x || !y)
			return;
	}
}

/* The index, from i on, of the operation with this result, on one side; -1: none. */
static int result_of(const struct twin *t, unsigned side, unsigned i, LLVMValueRef v)
{
	for (unsigned k = 0; k <= i; k++)
		if (t->insn[side][k] == v)
			return (int)k;
	return -1;
}

/* Not the value of a variable: a callee, assembly. */
static bool is_fixed(LLVMValueRef v)
{
	return LLVMIsAFunction(v) || LLVMIsAInlineAsm(v);
}

/* Is it a local variable that only these operations use, by a store and then loads? */
static bool is_own(const struct twin *t, unsigned side, unsigned i, LLVMValueRef v)
{
	int first = -1, k;

	for (LLVMUseRef u = LLVMIsAAllocaInst(v) ? LLVMGetFirstUse(v) : NULL; u;
		u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		k = result_of(t, side, i, user);
		if (k < 0 || !(LLVMIsALoadInst(user) ||
				     (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != v)))
			return false;
		first = k > first ? k : first;
	}
	return first >= 0 && LLVMIsAStoreInst(t->insn[side][first]) &&
	       LLVMTypeOf(LLVMGetOperand(t->insn[side][first], 0)) == LLVMGetAllocatedType(v);
}

/* Do the operations use x on one side as they use y on the other, with no other uses? */
static bool are_own(struct twin *t, unsigned i, LLVMValueRef x, LLVMValueRef y)
{
	for (unsigned k = 0; k < t->nown; k++)
		if (t->own[0][k] == x || t->own[1][k] == y)
			return t->own[0][k] == x && t->own[1][k] == y;
	if (t->nown == TWIN_OWN || !is_own(t, 0, i, x) || !is_own(t, 1, i, y) ||
		LLVMGetAllocatedType(x) != LLVMGetAllocatedType(y))
		return false;
	t->own[0][t->nown] = x;
	t->own[1][t->nown++] = y;
	return true;
}

/* Is x known only behind the place? */
static bool is_passed(const struct twin *t, LLVMValueRef x)
{
	for (unsigned i = 0; i < t->npassed; i++)
		if (t->passed[i] == x)
			return true;
	return false;
}

/* Do x on one side and y on the other correspond? */
static bool corresponds(struct twin *t, unsigned i, LLVMValueRef x, LLVMValueRef y)
{
	int a = result_of(t, 0, i, x), b = result_of(t, 1, i, y);

	if (a != b || LLVMTypeOf(x) != LLVMTypeOf(y))
		return false;
	if (a >= 0 || x == y || are_own(t, i, x, y))
		return true;
	if (t->nvalues == TWIN_VALUES || !shim_is_sized(LLVMTypeOf(x)) || is_fixed(x) ||
		is_fixed(y) || is_passed(t, x))
		return false;
	t->value[0][t->nvalues] = x;
	t->value[1][t->nvalues++] = y;
	return true;
}

static bool operands_correspond(struct twin *t, unsigned i, unsigned k)
{
	LLVMValueRef x = t->insn[0][k], y = t->insn[1][k];
	int n = LLVMGetNumOperands(x);

	if (LLVMIsABranchInst(x)) /* its other operands are blocks */
		n = LLVMIsConditional(x) ? 1 : 0;
	for (int o = 0; o < n; o++)
		if (!corresponds(t, i, LLVMGetOperand(x, o), LLVMGetOperand(y, o)))
			return false;
	return true;
}

/* Is v computed on this path, by a block with a single successor? */
static bool is_on_the_way(LLVMValueRef v, const struct twin_exit *e)
{
	LLVMBasicBlockRef b = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(e->from), e->nth);

	if (!LLVMIsAInstruction(v))
		return false;
	for (; b != e->edge.to; b = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), 0))
		if (LLVMGetInstructionParent(v) == b)
			return true;
	return false;
}

LLVMValueRef twin_incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (LLVMGetIncomingBlock(phi, i) == from)
			return LLVMGetIncomingValue(phi, i);
	return NULL;
}

static bool phis_correspond(struct twin *t, unsigned i)
{
	for (unsigned s = 0; s < t->nexits; s++) {
		struct twin_exit a = t->exit[0][s], b = t->exit[1][s];

		for (LLVMValueRef phi = LLVMGetFirstInstruction(a.edge.to); LLVMIsAPHINode(phi);
			phi = LLVMGetNextInstruction(phi)) {
			LLVMValueRef x = twin_incoming(phi, a.edge.from);
			LLVMValueRef y = twin_incoming(phi, b.edge.from);

			if (is_on_the_way(x, &a) || is_on_the_way(y, &b) ||
				!corresponds(t, i, x, y))
				return false;
		}
	}
	return true;
}

/* Is a result used only by the operations themselves, and by phis behind the branches? */
static bool is_local(const struct twin *t, unsigned side, unsigned i, LLVMValueRef result)
{
	LLVMValueRef user;

	for (LLVMUseRef u = LLVMGetFirstUse(result); u; u = LLVMGetNextUse(u)) {
		bool ok;

		user = LLVMGetUser(u);
		ok = result_of(t, side, i, user) >= 0;
		for (unsigned s = 0; s < t->nexits && !ok; s++) {
			struct twin_edge e = t->exit[side][s].edge;

			ok = LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == e.to &&
			     twin_incoming(user, e.from) == result;
		}
		if (!ok)
			return false;
	}
	return true;
}

static struct twin_exit exit_of(LLVMBasicBlockRef from, unsigned nth)
{
	return (struct twin_exit){from, nth, twin_edge(from, nth)};
}

/* The exits from the operations from i on. False: too many. */
static bool find_exits(struct twin *t, unsigned i)
{
	t->nexits = 0;
	for (unsigned k = 0; k <= i; k++) {
		LLVMBasicBlockRef a = LLVMGetInstructionParent(t->insn[0][k]);
		LLVMBasicBlockRef b = LLVMGetInstructionParent(t->insn[1][k]), next = NULL;

		if (!LLVMIsABranchInst(t->insn[0][k]))
			continue;
		if (k)
			next = LLVMGetInstructionParent(t->insn[0][k - 1]);
		for (unsigned s = 0; s < LLVMGetNumSuccessors(t->insn[0][k]); s++) {
			if (LLVMGetSuccessor(t->insn[0][k], s) == next)
				continue;
			if (t->nexits == TWIN_EXITS)
				return false;
			t->exit[0][t->nexits] = exit_of(a, s);
			t->exit[1][t->nexits++] = exit_of(b, s);
		}
	}
	return true;
}

bool twin_from(struct twin *t, unsigned i)
{
	t->nvalues = t->nown = 0;
	if (!find_exits(t, i))
		return false;
	for (unsigned k = 0; k <= i; k++)
		if (!operands_correspond(t, i, k) || !is_local(t, 0, i, t->insn[0][k]) ||
			!is_local(t, 1, i, t->insn[1][k]))
			return false;
	return phis_correspond(t, i);
}
