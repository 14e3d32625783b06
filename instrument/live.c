/* SPDX-License-Identifier: ISC */
/*
 * live.c - liveness of the contents of private variables.
 *
 * The address of a private variable is used only by accesses in its own function (private.c), so
 * all uses are known: follow the address, and note for each instruction whether it reads, changes
 * or fully replaces the variable. The contents are live where some path leads to a read before a
 * replacement.
 */
#include "live.h"
#include "plan.h"
#include "private.h"

#include <string.h>

enum live_use {
	READS = 1,
	CHANGES = 2,
	REPLACES = 4, /* all of it: earlier contents are not needed */
};

/* A pointer into the variable; or a block. */
struct item {
	LLVMValueRef value;
	bool whole; /* the pointer points to the beginning */
};

/* Items to visit, and items visited. */
struct work {
	struct item *list;
	unsigned n, room;
	struct map seen;
};

static void follow(struct work *w, LLVMValueRef value, bool whole)
{
	if (!map_add(&w->seen, value, 0))
		return;
	if (w->n == w->room) {
		w->room = w->room ? 2 * w->room : 16;
		w->list = realloc(w->list, w->room * sizeof(*w->list));
		if (!w->list)
			abort();
	}
	w->list[w->n++] = (struct item){value, whole};
}

static bool is_size(LLVMValueRef n, unsigned long long size)
{
	return size && LLVMIsAConstantInt(n) && LLVMConstIntGetZExtValue(n) == size;
}

static bool is_beginning(LLVMValueRef gep)
{
	for (int i = 1; i < LLVMGetNumOperands(gep); i++)
		if (!LLVMIsAConstant(LLVMGetOperand(gep, i)) ||
			!LLVMIsNull(LLVMGetOperand(gep, i)))
			return false;
	return true;
}

/* A copy or fill of memory, as a function or an intrinsic. */
static unsigned use_by_copy(struct live *l, LLVMValueRef call, struct item p, bool fills)
{
	unsigned use = 0;

	if (!fills && LLVMGetOperand(call, 1) == p.value)
		use = READS;
	if (LLVMGetOperand(call, 0) != p.value)
		return use;
	return use | CHANGES |
	       (p.whole && is_size(LLVMGetOperand(call, 2), l->size) ? REPLACES : 0);
}

static unsigned use_by_call(
	struct live *l, struct work *all, LLVMValueRef call, struct item p)
{
	static const char *const nothing[] = {"llvm.dbg.", "llvm.prefetch", "llvm.objectsize",
		"llvm.invariant.", "llvm.assume", "llvm.var.annotation"};
	const char *name = callee_name(call);
	enum memory_function what = plan_memory_function(name, LLVMGetNumArgOperands(call));

	for (unsigned i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		if (text_starts(name, nothing[i]))
			return 0;
	if (text_starts(name, "llvm.lifetime."))
		return p.whole ? REPLACES : CHANGES;
	if (LLVMTypeOf(call) == LLVMTypeOf(p.value))
		follow(all, call, false); /* it may return the address */
	if (what != MEMORY_OTHER || text_starts(name, "llvm.memcpy.") ||
		text_starts(name, "llvm.memmove.") || text_starts(name, "llvm.memset."))
		return use_by_copy(
			l, call, p, what == MEMORY_FILL || text_starts(name, "llvm.memset."));
	return READS | CHANGES;
}

/* The effect of `user` on the variable that p points into. */
static unsigned use_by(struct live *l, LLVMTargetDataRef layout, struct work *all,
	LLVMValueRef user, struct item p)
{
	LLVMTypeRef type;

	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMICmp: return 0;
	case LLVMLoad: return READS;
	case LLVMStore:
		type = LLVMTypeOf(LLVMGetOperand(user, 0));
		return CHANGES |
		       (p.whole && shim_is_sized(type) &&
					       LLVMStoreSizeOfType(layout, type) == l->size
				       ? REPLACES
				       : 0);
	case LLVMBitCast:
	case LLVMFreeze: follow(all, user, p.whole); return 0;
	case LLVMGetElementPtr: follow(all, user, p.whole && is_beginning(user)); return 0;
	case LLVMPHI:
	case LLVMSelect: follow(all, user, false); return 0;
	case LLVMCall:
	case LLVMInvoke: return use_by_call(l, all, user, p);
	default: return READS | CHANGES;
	}
}

static void add_use(struct live *l, LLVMValueRef user, unsigned use)
{
	unsigned *known = map_find(&l->use, user);

	if (known)
		*known |= use;
	else if (use)
		map_add(&l->use, user, use);
}

/* The use in the block that decides whether the content is needed at its beginning. */
static void summarise(struct live *l, LLVMBasicBlockRef block)
{
	unsigned first = 0, any = 0, *use;

	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
		use = map_find(&l->use, i);
		if (!use)
			continue;
		any |= *use;
		if (!first && *use & (READS | REPLACES))
			first = *use & READS ? READS : REPLACES;
	}
	if (first)
		map_add(&l->first, block, first);
	if (any & CHANGES)
		map_add(&l->changed, block, 0);
}

static unsigned long long variable_size(LLVMTargetDataRef layout, LLVMValueRef variable)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	LLVMValueRef function, n;

	if (LLVMIsAAllocaInst(variable)) {
		n = LLVMGetOperand(variable, 0);
		if (!LLVMIsAConstantInt(n) || !shim_is_sized(LLVMGetAllocatedType(variable)))
			return 0;
		return LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable)) *
		       LLVMConstIntGetZExtValue(n);
	}
	function = LLVMGetParamParent(variable);
	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		if (LLVMGetParam(function, i) == variable)
			return LLVMABISizeOfType(layout,
				LLVMGetTypeAttributeValue(
					LLVMGetEnumAttributeAtIndex(function, i + 1, kind)));
	return 0;
}

void live_analyse(struct live *l, LLVMTargetDataRef layout, LLVMValueRef variable)
{
	struct work all = {.n = 0};
	struct map blocks = {0};
	LLVMBasicBlockRef block;

	*l = (struct live){.size = variable_size(layout, variable)};
	if (LLVMIsAAllocaInst(variable))
		add_use(l, variable, REPLACES);
	follow(&all, variable, true);
	while (all.n) {
		struct item p = all.list[--all.n];

		for (LLVMUseRef u = LLVMGetFirstUse(p.value); u; u = LLVMGetNextUse(u))
			add_use(l, LLVMGetUser(u), use_by(l, layout, &all, LLVMGetUser(u), p));
	}
	for (unsigned i = 0; i < l->use.size; i++) {
		if (!l->use.slot[i].key)
			continue;
		block = LLVMGetInstructionParent((LLVMValueRef)l->use.slot[i].key);
		if (map_add(&blocks, block, 0))
			summarise(l, block);
	}
	free(all.list);
	map_release(&all.seen);
	map_release(&blocks);
}

void live_release(struct live *l)
{
	map_release(&l->use);
	map_release(&l->first);
	map_release(&l->changed);
}

bool live_changes(const struct live *l, LLVMBasicBlockRef block)
{
	return map_find(&l->changed, block);
}

bool live_is_used(const struct live *l, LLVMValueRef instruction)
{
	return map_find(&l->use, instruction);
}

bool live_is_replaced(const struct live *l, LLVMValueRef instruction)
{
	unsigned *use = map_find(&l->use, instruction);

	return use && *use & REPLACES && !(*use & READS);
}

static unsigned successors(LLVMBasicBlockRef block)
{
	return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef block, unsigned i)
{
	return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), i);
}

bool live_at(const struct live *l, LLVMBasicBlockRef block)
{
	struct work to_do = {.n = 0}; /* blocks that can be reached */
	bool live = false;
	unsigned *first;

	follow(&to_do, LLVMBasicBlockAsValue(block), false);
	while (to_do.n && !live) {
		block = LLVMValueAsBasicBlock(to_do.list[--to_do.n].value);
		first = map_find(&l->first, block);
		if (first) {
			live = *first == READS;
			continue;
		}
		for (unsigned i = 0, n = successors(block); i < n; i++)
			follow(&to_do, LLVMBasicBlockAsValue(successor(block, i)), false);
	}
	free(to_do.list);
	map_release(&to_do.seen);
	return live;
}
