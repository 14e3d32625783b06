/* SPDX-License-Identifier: ISC */
/*
 * loop.c - __heddle_turn() at the head of a loop that may wait for another thread.
 *
 * Idea.   A thread that returns to the head of a loop with the same values, without a change in
 *         between, repeats itself as long as it reads the same. The runtime could compare registers
 *         and stack, but these also contain dead values, for example an iteration's result. Only
 *         the compiler knows which are live.
 * Values. Live values that may differ between iterations: the phis of the head, and private
 *         variables in memory that the loop changes and that are live at the head (live.c). Values
 *         computed before the loop are constant within it; changes of other memory are visible to
 *         the runtime. A phi that only counts iterations is treated as in counter.h.
 * Twins.  A loop rotated by the optimiser has two tests, one before it and one at the end of an
 *         iteration. They count as one place (rotated_loop.c), which is the head.
 * Cost.   A load and a branch per iteration, if loops are not observed. Loops that read no shared
 *         memory have none.
 */
#include "loop.h"
#include "live.h"

#include <string.h>

void *loop_grown(void *list, size_t size)
{
	list = realloc(list, size);
	if (!list)
		abort();
	return list;
}

/* --- candidate loops
 * ----------------------------------------------------------------------------- */

/* May the instruction observe other threads? */
static bool may_look(struct pass *p, LLVMValueRef i)
{
	const char *name;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
			       (LLVMGetVolatile(i) && p->e.volatile_is_atomic)) &&
		       !pass_is_private(p, LLVMGetOperand(i, 0));
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: return !pass_is_private(p, LLVMGetOperand(i, 0));
	case LLVMCall:
	case LLVMInvoke:
		name = callee_name(i);
		return !shim_call_has_no_memory(i) &&
		       (!plan_is_known(name) || plan_may_look(name)) && !plan_is_replaced(name) &&
		       strncmp(name, "llvm.", 5) != 0 &&
		       plan_memory_function(name, LLVMGetNumArgOperands(i)) == MEMORY_OTHER;
	default: return false;
	}
}

static bool may_wait(struct pass *p, LLVMBasicBlockRef *block, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(block[k]); i;
			i = LLVMGetNextInstruction(i))
			if (may_look(p, i))
				return true;
	return false;
}

bool loop_has(const struct loop *l, LLVMBasicBlockRef block)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->block[i] == block)
			return true;
	return false;
}

/* Does the loop wait in a function that it calls? */
static bool may_wait_in_call(struct pass *p, const struct loop *l)
{
	for (unsigned k = 0; k < l->n; k++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(l->block[k]); i;
			i = LLVMGetNextInstruction(i))
			if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && may_look(p, i))
				return true;
	return false;
}

/* Is it a plain read of memory that others may change while the loop waits in a call? */
static bool may_test(struct pass *p, LLVMValueRef i)
{
	return LLVMGetInstructionOpcode(i) == LLVMLoad && !pass_is_private(p, LLVMGetOperand(i, 0));
}

/* The ends of both blocks are equal from some instruction on, with a load after it. The first such
 * place is used, before an iteration allocates a heap block. */
static bool is_twin(struct pass *p, struct twin *t, LLVMBasicBlockRef guard,
	LLVMBasicBlockRef latch, bool calls)
{
	unsigned look = 1;

	twin_compare(t, guard, latch);
	while (look < t->ninsns && !may_look(p, t->insn[0][look]) &&
		!(calls && may_test(p, t->insn[0][look])))
		look++;
	for (unsigned i = t->ninsns; i-- > look;)
		if (twin_from(t, i)) {
			t->ninsns = i + 1;
			return true;
		}
	return false;
}

static bool leads_to(LLVMBasicBlockRef block, LLVMBasicBlockRef head)
{
	if (twin_passes_on(block))
		return false;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)); i++)
		if (twin_edge(block, i).to == head)
			return true;
	return false;
}

/* Each path into the loop must lead through the one guard, or the value there may be stale. */
static void find_twins(struct pass *p, struct loop *l)
{
	bool calls = may_wait_in_call(p, l);
	LLVMBasicBlockRef guard = NULL;
	unsigned ways = 0;
	struct twin t;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->e.function); b;
		b = LLVMGetNextBasicBlock(b))
		if (!loop_has(l, b) && leads_to(b, l->block[0])) {
			guard = b;
			ways++;
		}
	for (unsigned i = 0; i < l->n && ways == 1; i++) {
		if (!leads_to(l->block[i], l->block[0]))
			continue;
		l->nlatches++;
		if (!is_twin(p, &t, guard, l->block[i], calls))
			continue;
		l->twin = loop_grown(l->twin, (l->ntwins + 1) * sizeof(t));
		l->twin[l->ntwins++] = t;
	}
}

static void add_loop(void *context, LLVMBasicBlockRef *block, unsigned n)
{
	struct loops *all = context;
	struct loop *l;

	if (!may_wait(all->p, block, n))
		return;
	all->loop = loop_grown(all->loop, (all->n + 1) * sizeof(*all->loop));
	l = &all->loop[all->n++];
	*l = (struct loop){.block = loop_grown(NULL, n * sizeof(LLVMBasicBlockRef)), .n = n};
	memcpy(l->block, block, n * sizeof(LLVMBasicBlockRef));
	find_twins(all->p, l);
}

/* --- live values ---------------------------------------------------------------------------- */

static bool changes(const struct loop *l, const struct live *live)
{
	for (unsigned i = 0; i < l->n; i++)
		if (live_changes(live, l->block[i]))
			return true;
	return false;
}

static void add_variable(struct loop *l, LLVMValueRef variable, const struct live *live)
{
	struct variables *v = &l->variables;

	l->hook.skipped |= !live->size || live->size > HEDDLE_TURN_MAX;
	l->hook.bytes += live->size;
	v->list = loop_grown(v->list, (v->n + 1) * sizeof(*v->list));
	v->size = loop_grown(v->size, (v->n + 1) * sizeof(*v->size));
	v->list[v->n] = variable;
	v->size[v->n++] = live->size;
}

/* Is the variable live before the test on this side? */
static bool is_needed(const struct live *live, const struct twin *t, unsigned side)
{
	for (unsigned i = t->ninsns; i-- > 0;) {
		if (live_is_replaced(live, t->insn[side][i]))
			return false;
		if (live_is_used(live, t->insn[side][i]))
			return true;
		for (unsigned k = 0; k < t->nexits; k++)
			if (LLVMGetBasicBlockTerminator(t->exit[side][k].from) ==
					t->insn[side][i] &&
				live_at(live,
					LLVMGetSuccessor(t->insn[side][i], t->exit[side][k].nth)))
				return true;
	}
	return false;
}

/* Must the variable be compared, too? */
static bool is_compared(const struct live *live, const struct twin *t)
{
	return is_needed(live, t, 0) || is_needed(live, t, 1);
}

static void find_variables(struct loops *all)
{
	LLVMValueRef variable;
	struct live live;
	unsigned next = 0;

	while (all->n && (variable = private_next(all->p->private, &next))) {
		live_analyse(&live, all->p->e.layout, variable);
		for (unsigned i = 0; i < all->n; i++) {
			struct loop *l = &all->loop[i];

			if (!changes(l, &live))
				continue;
			if (live_at(&live, l->block[0]))
				add_variable(l, variable, &live);
			for (unsigned k = 0; k < l->ntwins; k++)
				if (is_compared(&live, &l->twin[k]))
					l->twin[k--] = l->twin[--l->ntwins];
		}
		live_release(&live);
	}
}

LLVMValueRef loop_place(LLVMBasicBlockRef head)
{
	LLVMValueRef i = LLVMGetFirstInstruction(head);

	while (LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLandingPad:
	case LLVMCleanupPad:
	case LLVMCatchPad:
	case LLVMCatchSwitch: return NULL;
	default: return i;
	}
}

/* --- counters ------------------------------------------------------------------------ */

#define COUNTERS_MAX 16

static bool has_undefined(LLVMValueRef phi)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (LLVMIsUndef(LLVMGetIncomingValue(phi, i)))
			return true;
	return false;
}

static void add_counter(
	struct loop *l, struct loop_counter *c, LLVMBasicBlockRef *entry, unsigned nentries)
{
	for (unsigned i = 0; i < c->counter.ncarriers; i++)
		if (has_undefined(c->counter.carrier[i]))
			return;
	if (l->ncounters == COUNTERS_MAX || !counter_analyse(&c->counter, entry, nentries))
		return;
	if (!l->counter)
		l->counter = loop_grown(NULL, COUNTERS_MAX * sizeof(*c));
	l->counter[l->ncounters++] = *c;
}

/* Blocks outside of the loop that lead to its head. */
static unsigned find_entries(struct loop *l, LLVMBasicBlockRef *entry, unsigned max)
{
	LLVMValueRef phi = LLVMGetFirstInstruction(l->block[0]);
	unsigned n = 0;

	for (unsigned i = 0; LLVMIsAPHINode(phi) && i < LLVMCountIncoming(phi) && n < max; i++)
		if (!loop_has(l, LLVMGetIncomingBlock(phi, i)))
			entry[n++] = LLVMGetIncomingBlock(phi, i);
	return n;
}

static void find_head_counters(struct loop *l)
{
	LLVMBasicBlockRef entry[8];
	unsigned n = find_entries(l, entry, 8);

	for (LLVMValueRef i = LLVMGetFirstInstruction(l->block[0]); LLVMIsAPHINode(i);
		i = LLVMGetNextInstruction(i)) {
		struct loop_counter c = {.counter = {.carrier = {i},
						 .ncarriers = 1,
						 .at = {loop_place(l->block[0])},
						 .watched = true}};

		if (c.counter.at[0])
			add_counter(l, &c, entry, n);
	}
}

/* The phis behind both tests that take this pair of values. False: too many. */
static bool find_carriers(
	struct counter *c, const struct loop *l, const struct twin *t, unsigned pair)
{
	for (unsigned s = 0; s < t->nexits; s++) {
		struct twin_edge a = t->exit[0][s].edge, b = t->exit[1][s].edge;

		for (LLVMValueRef phi = LLVMGetFirstInstruction(a.to); LLVMIsAPHINode(phi);
			phi = LLVMGetNextInstruction(phi))
			if (twin_incoming(phi, a.from) == t->value[0][pair] &&
				twin_incoming(phi, b.from) == t->value[1][pair] &&
				!counter_has(c, phi)) {
				if (c->ncarriers == COUNTER_CARRIERS)
					return false;
				c->outside[c->ncarriers] = !loop_has(l, a.to);
				c->carrier[c->ncarriers++] = phi;
			}
	}
	return c->ncarriers;
}

/* Is the pair an operand of the tests? */
static bool is_operand(const struct twin *t, unsigned pair)
{
	for (unsigned i = 0; i < t->ninsns; i++)
		for (int k = 0; k < LLVMGetNumOperands(t->insn[1][i]); k++)
			if (LLVMGetOperand(t->insn[1][i], k) == t->value[1][pair])
				return true;
	return false;
}

static void find_twin_counters(struct loop *l, const struct twin *t)
{
	unsigned first = t->ninsns - 1;

	for (unsigned k = 0; k < t->nvalues; k++) {
		struct loop_counter c = {.counter = {.at = {t->insn[0][first], t->insn[1][first]},
						 .watched = l->nlatches == 1},
			.twin = t,
			.pair = k};
		LLVMBasicBlockRef entry[TWIN_EXITS];
		unsigned n = 0;

		if (is_operand(t, k) || !find_carriers(&c.counter, l, t, k))
			continue;
		for (unsigned s = 0; s < t->nexits; s++)
			entry[n++] = t->exit[0][s].edge.from;
		add_counter(l, &c, entry, n);
	}
}

static void find_counters(struct loops *all)
{
	for (unsigned i = 0; i < all->n; i++) {
		struct loop *l = &all->loop[i];

		find_head_counters(l);
		for (unsigned k = 0; k < l->ntwins; k++)
			find_twin_counters(l, &l->twin[k]);
	}
}

void loop_heads(struct pass *p, LLVMValueRef function)
{
	struct loops all = {.p = p};

	shim_loops(function, add_loop, &all);
	find_variables(&all);
	find_counters(&all);
	for (unsigned i = 0; i < all.n; i++)
		loop_prepare(&p->e, &all.loop[i]);
	for (unsigned i = 0; i < all.n; i++) {
		loop_insert(&all, &all.loop[i]);
		free(all.loop[i].block);
		free(all.loop[i].variables.list);
		free(all.loop[i].variables.size);
		free(all.loop[i].twin);
		free(all.loop[i].counter);
	}
	free(all.loop);
	free(all.moved);
}
