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
#include "counter.h"
#include "live.h"
#include "llvm_pass.h"
#include "rotated_loop.h"

#include <string.h>

#define VALUES_MAX 64

/* Private variables that a loop changes, and that are live at its head. */
struct variables {
	LLVMValueRef *list;
	unsigned long long *size;
	unsigned n;
};

/* A place for the call. */
struct hook {
	LLVMValueRef before; /* this instruction */
	LLVMValueRef value[VALUES_MAX];
	const struct counter *counter[VALUES_MAX]; /* the counter that the value is; NULL: none */
	unsigned n, ncounters;
	unsigned long long bytes; /* of all values and variables, without counters */
	LLVMValueRef entered; /* is the loop being entered? */
	bool counted; /* only counters end the loop: it does not wait */
	bool skipped; /* too much is live, or an unknown amount */
};

/* At the head, or a pair of values of a twin. */
struct loop_counter {
	struct counter counter;
	const struct twin *twin;
	unsigned pair;
};

struct loop {
	LLVMBasicBlockRef *block; /* the first is the head */
	unsigned n;
	struct variables variables;
	struct hook hook; /* at the head */
	struct twin *twin; /* by test before the loop: the test at the end of an iteration */
	unsigned ntwins, nlatches;
	struct loop_counter *counter;
	unsigned ncounters;
};

/* A counter at the head of a loop, and after the call. */
struct moved {
	LLVMValueRef before, after;
};

struct loops {
	struct pass *p;
	struct loop *loop;
	unsigned n, names;
	struct moved *moved;
	unsigned nmoved;
};

static void *grown(void *list, size_t size)
{
	list = realloc(list, size);
	if (!list)
		abort();
	return list;
}

/* --- which loops ----------------------------------------------------------------------------- */

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
		       plan_memory_function(name, LLVMGetNumArgOperands(i)) == MEMORY_NONE;
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

static bool is_inside(const struct loop *l, LLVMBasicBlockRef block)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->block[i] == block)
			return true;
	return false;
}

/* Is it a plain read of what others may change while the loop waits in a call? */
static bool may_test(struct pass *p, LLVMValueRef i)
{
	return LLVMGetInstructionOpcode(i) == LLVMLoad && !pass_is_private(p, LLVMGetOperand(i, 0));
}

/* The ends of both blocks are the same from some instruction on, with a load after it. The first
 * such place is taken, before an iteration allocates a heap block. */
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

/* Each way into the loop must lead through the one guard: else the value there may be stale. */
static void find_twins(struct pass *p, struct loop *l)
{
	bool calls = may_wait_in_call(p, l);
	LLVMBasicBlockRef guard = NULL;
	unsigned ways = 0;
	struct twin t;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->e.function); b;
		b = LLVMGetNextBasicBlock(b))
		if (!is_inside(l, b) && leads_to(b, l->block[0])) {
			guard = b;
			ways++;
		}
	for (unsigned i = 0; i < l->n && ways == 1; i++) {
		if (!leads_to(l->block[i], l->block[0]))
			continue;
		l->nlatches++;
		if (!is_twin(p, &t, guard, l->block[i], calls))
			continue;
		l->twin = grown(l->twin, (l->ntwins + 1) * sizeof(t));
		l->twin[l->ntwins++] = t;
	}
}

static void add_loop(void *context, LLVMBasicBlockRef *block, unsigned n)
{
	struct loops *all = context;
	struct loop *l;

	if (!may_wait(all->p, block, n))
		return;
	all->loop = grown(all->loop, (all->n + 1) * sizeof(*all->loop));
	l = &all->loop[all->n++];
	*l = (struct loop){.block = grown(NULL, n * sizeof(LLVMBasicBlockRef)), .n = n};
	memcpy(l->block, block, n * sizeof(LLVMBasicBlockRef));
	find_twins(all->p, l);
}

/* --- what is live ---------------------------------------------------------------------------- */

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
	v->list = grown(v->list, (v->n + 1) * sizeof(*v->list));
	v->size = grown(v->size, (v->n + 1) * sizeof(*v->size));
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
	}
	for (unsigned i = 0; i < LLVMGetNumSuccessors(t->insn[side][0]); i++)
		if (live_at(live, LLVMGetSuccessor(t->insn[side][0], i)))
			return true;
	return false;
}

/* Must the variable be compared, too? */
static bool concerns(const struct live *live, const struct twin *t)
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
				if (concerns(&live, &l->twin[k]))
					l->twin[k--] = l->twin[--l->ntwins];
		}
		live_release(&live);
	}
}

/* The place for a call in a block, after the phis; NULL: none. */
static LLVMValueRef place_in(LLVMBasicBlockRef head)
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

/* --- what only counts ------------------------------------------------------------------------ */

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
		l->counter = grown(NULL, COUNTERS_MAX * sizeof(*c));
	l->counter[l->ncounters++] = *c;
}

/* Blocks outside of the loop that lead to its head. */
static unsigned find_entries(struct loop *l, LLVMBasicBlockRef *entry, unsigned max)
{
	LLVMValueRef phi = LLVMGetFirstInstruction(l->block[0]);
	unsigned n = 0;

	for (unsigned i = 0; LLVMIsAPHINode(phi) && i < LLVMCountIncoming(phi) && n < max; i++)
		if (!is_inside(l, LLVMGetIncomingBlock(phi, i)))
			entry[n++] = LLVMGetIncomingBlock(phi, i);
	return n;
}

static void find_head_counters(struct loop *l)
{
	LLVMBasicBlockRef entry[8];
	unsigned n = find_entries(l, entry, 8);

	for (LLVMValueRef i = LLVMGetFirstInstruction(l->block[0]); LLVMIsAPHINode(i);
		i = LLVMGetNextInstruction(i)) {
		struct loop_counter c = {
			.counter = {.carrier = {i}, .ncarriers = 1, .at = {place_in(l->block[0])}}};

		if (c.counter.at[0])
			add_counter(l, &c, entry, n);
	}
}

/* The phis behind both tests that take this pair of values. False: too many. */
static bool find_carriers(
	struct counter *c, const struct loop *l, const struct twin *t, unsigned pair)
{
	LLVMValueRef branch = t->insn[0][0];

	for (unsigned s = 0; s < LLVMGetNumSuccessors(branch); s++) {
		struct twin_edge a = twin_edge(t->block[0], s), b = twin_edge(t->block[1], s);

		for (LLVMValueRef phi = LLVMGetFirstInstruction(a.to); LLVMIsAPHINode(phi);
			phi = LLVMGetNextInstruction(phi))
			if (twin_incoming(phi, a.from) == t->value[0][pair] &&
				twin_incoming(phi, b.from) == t->value[1][pair]) {
				if (c->ncarriers == COUNTER_CARRIERS)
					return false;
				c->outside[c->ncarriers] = !is_inside(l, a.to);
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
		struct loop_counter c = {.counter = {.at = {t->insn[0][first], t->insn[1][first]}},
			.twin = t, .pair = k};
		LLVMBasicBlockRef entry[2];
		unsigned n = 0;

		if (is_operand(t, k) || !find_carriers(&c.counter, l, t, k))
			continue;
		for (unsigned s = 0; s < LLVMGetNumSuccessors(t->insn[0][0]); s++)
			entry[n++] = twin_edge(t->block[0], s).from;
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

/* The counter that is the head's phi, or a pair of values of the twin. NULL: none. */
static const struct counter *counter_of(
	const struct loop *l, const struct twin *t, unsigned pair, LLVMValueRef phi)
{
	for (unsigned i = 0; i < l->ncounters; i++) {
		const struct loop_counter *c = &l->counter[i];

		if (c->twin == t && (t ? c->pair == pair : c->counter.carrier[0] == phi))
			return &c->counter;
	}
	return NULL;
}

/* --- the call -------------------------------------------------------------------------------- */

static void add_value(struct emit *e, struct hook *h, LLVMValueRef v, const struct counter *c)
{
	if (h->n == VALUES_MAX || !shim_is_sized(LLVMTypeOf(v))) {
		h->skipped = true;
		return;
	}
	if (c && c->nviews && h->ncounters == HEDDLE_TURN_COUNTERS)
		c = NULL;
	h->ncounters += c && c->nviews;
	h->counter[h->n] = c;
	h->value[h->n++] = v;
	h->bytes += c ? counter_bytes(c, e) : emit_store_size(e, LLVMTypeOf(v));
}

/* A phi of the head: 1 on entry to the loop, 0 after an iteration. */
static LLVMValueRef entered(struct emit *e, const struct loop *l)
{
	LLVMValueRef phi = LLVMBuildPhi(e->b, e->i32, ""), from, last;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(e->function); b;
		b = LLVMGetNextBasicBlock(b)) {
		last = LLVMGetBasicBlockTerminator(b);
		from = emit_int(e, !is_inside(l, b));
		for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
			if (LLVMGetSuccessor(last, i) == l->block[0])
				LLVMAddIncoming(phi, &from, &b, 1);
	}
	return phi;
}

static LLVMValueRef defined(LLVMValueRef v)
{
	return LLVMIsUndef(v) ? LLVMConstNull(LLVMTypeOf(v)) : v;
}

/* A phi without undefined values, which would be arbitrary contents of registers. */
static LLVMValueRef defined_phi(struct emit *e, LLVMValueRef phi)
{
	unsigned n = LLVMCountIncoming(phi), undefined = 0;
	LLVMBasicBlockRef from;
	LLVMValueRef copy, value;

	for (unsigned i = 0; i < n; i++)
		undefined += LLVMIsUndef(LLVMGetIncomingValue(phi, i));
	if (!undefined)
		return phi;
	copy = LLVMBuildPhi(e->b, LLVMTypeOf(phi), "");
	for (unsigned i = 0; i < n; i++) {
		value = defined(LLVMGetIncomingValue(phi, i));
		from = LLVMGetIncomingBlock(phi, i);
		LLVMAddIncoming(copy, &value, &from, 1);
	}
	return copy;
}

/* Before any block is split, while the blocks of each loop are known. */
static bool is_view(const struct loop *l, LLVMValueRef condition)
{
	for (unsigned i = 0; i < l->ncounters; i++)
		for (unsigned k = 0; k < l->counter[i].counter.nviews; k++)
			if (l->counter[i].counter.view[k].value == condition)
				return true;
	return false;
}

static bool leaves(const struct loop *l, LLVMValueRef terminator)
{
	for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
		if (!is_inside(l, LLVMGetSuccessor(terminator, i)))
			return true;
	return false;
}

/* Do only comparisons of counters end the loop? Then each iteration is one that the program asks
 * for, and none is left out. */
static bool ends_by_counters(const struct loop *l)
{
	bool ends = false;

	for (unsigned i = 0; i < l->n; i++) {
		LLVMValueRef t = LLVMGetBasicBlockTerminator(l->block[i]);

		if (!leaves(l, t))
			continue;
		ends = true;
		if (!LLVMIsABranchInst(t) || !is_view(l, LLVMGetCondition(t)))
			return false;
	}
	return ends;
}

static void prepare(struct emit *e, struct loop *l)
{
	struct hook *h = &l->hook;

	h->counted = ends_by_counters(l);

	h->before = place_in(l->block[0]);
	h->skipped |= !h->before || (l->nlatches && l->ntwins == l->nlatches);
	for (LLVMValueRef i = LLVMGetFirstInstruction(l->block[0]); LLVMIsAPHINode(i);
		i = LLVMGetNextInstruction(i))
		if (LLVMGetFirstUse(i))
			add_value(e, h, i, counter_of(l, NULL, 0, i));
	h->skipped |= h->bytes > HEDDLE_TURN_MAX;
	if (h->skipped)
		return;
	emit_before(e, h->before);
	h->entered = entered(e, l);
	for (unsigned i = 0; i < h->n; i++)
		h->value[i] = defined_phi(e, h->value[i]);
}

/* The blocks of a call. */
struct site {
	LLVMBasicBlockRef before, call, after;
};

/* Split the block before `place`; code inserted next runs only while loops are observed. */
static struct site begin_if_wanted(struct emit *e, LLVMValueRef place)
{
	LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(e->b);
	LLVMValueRef wanted;
	struct site s;

	s.before = LLVMGetInstructionParent(place);
	s.after = shim_split_before(place);
	s.call = LLVMInsertBasicBlockInContext(e->ctx, s.after, "");
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(s.before));
	LLVMPositionBuilderAtEnd(e->b, s.before);
	LLVMSetCurrentDebugLocation2(e->b, location);
	wanted = LLVMBuildLoad2(e->b, e->i8, emit_variable(e, "__heddle_turns"), "");
	wanted = LLVMBuildICmp(e->b, LLVMIntNE, wanted, LLVMConstInt(e->i8, 0, 0), "");
	LLVMBuildCondBr(e->b, wanted, s.call, s.after);
	LLVMPositionBuilderAtEnd(e->b, s.call);
	LLVMSetCurrentDebugLocation2(e->b, location);
	LLVMBuildBr(e->b, s.after);
	LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(s.call));
	LLVMSetCurrentDebugLocation2(e->b, location);
	return s;
}

static LLVMValueRef at(struct emit *e, LLVMValueRef p, unsigned long long offset)
{
	return LLVMBuildGEP2(e->b, e->i8, p, (LLVMValueRef[]){emit_size(e, offset)}, 1, "");
}

struct gathered {
	struct emit *e;
	LLVMValueRef to;
	unsigned long long n;
};

static void put_value(void *context, LLVMValueRef value)
{
	struct gathered *g = context;

	if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind)
		value = emit_to_bits(g->e, value);
	emit_direct_store(g->e, value, at(g->e, g->to, g->n));
	g->n += emit_store_size(g->e, LLVMTypeOf(value));
}

/* Store the counters and all values, contiguously, in private memory. */
static LLVMValueRef gather(struct emit *e, const struct hook *h, const struct variables *variables)
{
	struct gathered g = {.e = e, .n = h->ncounters * sizeof(struct heddle_counter)};
	unsigned long long counter = 0;
	struct counter_position p;
	LLVMValueRef value;

	if (!h->bytes && !h->ncounters)
		return LLVMConstNull(e->ptr);
	g.to = emit_slot(e, g.n + h->bytes, 16);
	for (unsigned i = 0; i < h->n; i++) {
		if (!h->counter[i]) {
			put_value(&g, h->value[i]);
		} else if (h->counter[i]->nviews) {
			p = counter_emit(h->counter[i], e, h->value[i], put_value, &g);
			emit_direct_store(e, p.at, at(e, g.to, counter));
			emit_direct_store(e, h->counted ? LLVMConstNull(e->i64) : p.left,
				at(e, g.to, counter + 8));
			counter += sizeof(struct heddle_counter);
		}
	}
	for (unsigned i = 0; variables && i < variables->n; i++) {
		value = LLVMBuildPointerCast(e->b, variables->list[i], e->ptr, "");
		LLVMBuildMemCpy(
			e->b, at(e, g.to, g.n), 1, value, 1, emit_size(e, variables->size[i]));
		g.n += variables->size[i];
	}
	return g.to;
}

/* An address in the function's code, different for each loop. */
static LLVMValueRef name_of(struct emit *e, unsigned nth)
{
	LLVMValueRef f = LLVMConstBitCast(e->function, e->ptr), index = emit_size(e, nth);

	return LLVMConstGEP2(e->i8, f, &index, 1);
}

/* --- counters after the call ----------------------------------------------------------------- */

/* A use of the head's phi after the call; NULL: there is none. */
static LLVMValueRef later_user(const struct site *s, LLVMValueRef phi, LLVMValueRef moved)
{
	for (LLVMUseRef u = LLVMGetFirstUse(phi); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (user != moved && LLVMGetInstructionParent(user) != s->call)
			return user;
	}
	return NULL;
}

static void use_moved_phi(const struct site *s, LLVMValueRef phi, LLVMValueRef moved)
{
	LLVMValueRef user;

	while ((user = later_user(s, phi, moved)))
		for (int i = 0; i < LLVMGetNumOperands(user); i++)
			if (LLVMGetOperand(user, (unsigned)i) == phi)
				LLVMSetOperand(user, (unsigned)i, moved);
}

/* At the end of an iteration: the phis after the test that take the value from there. */
static void use_moved_value(const struct counter *c, LLVMValueRef value, LLVMValueRef moved)
{
	for (unsigned i = 0; i < c->ncarriers; i++) {
		LLVMValueRef phi = c->carrier[i], last;

		for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
			last = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k));
			if (LLVMGetIncomingValue(phi, k) == value && shim_dominates(moved, last))
				LLVMSetOperand(phi, k, moved);
		}
	}
}

static LLVMValueRef current(const struct loops *all, LLVMValueRef v, LLVMValueRef place)
{
	for (unsigned i = 0; i < all->nmoved; i++)
		if (all->moved[i].before == v && shim_dominates(all->moved[i].after, place))
			return all->moved[i].after;
	return v;
}

static bool is_moved(const struct hook *h, unsigned i)
{
	return h->counter[i] && h->counter[i]->nviews;
}

/* The call is repeated while it moves counters; its own block begins with them. */
static void begin_again(struct emit *e, struct hook *h, const struct site *s)
{
	for (unsigned i = 0; i < h->n; i++) {
		LLVMValueRef phi;

		if (!is_moved(h, i))
			continue;
		phi = LLVMBuildPhi(e->b, LLVMTypeOf(h->value[i]), "");
		LLVMAddIncoming(phi, &h->value[i], (LLVMBasicBlockRef *)&s->before, 1);
		h->value[i] = phi;
	}
}

/* What follows uses the counters as the call has left them. */
static void use_moved(struct loops *all, const struct hook *h, const struct site *s,
	const struct hook *at_call, LLVMValueRef values, bool head)
{
	struct emit *e = &all->p->e;
	unsigned long long offset = 0;

	for (unsigned i = 0; i < h->n; i++) {
		LLVMValueRef now, moved;

		if (!is_moved(h, i))
			continue;
		LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(s->call));
		now = counter_value(h->counter[i], e,
			emit_direct_load(e, e->i64, at(e, values, offset)));
		offset += sizeof(struct heddle_counter);
		LLVMAddIncoming(at_call->value[i], &now, (LLVMBasicBlockRef *)&s->call, 1);
		LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(s->after));
		moved = LLVMBuildPhi(e->b, LLVMTypeOf(now), "");
		LLVMAddIncoming(moved, (LLVMValueRef[]){h->value[i], now},
			(LLVMBasicBlockRef[]){s->before, s->call}, 2);
		if (!head) {
			use_moved_value(h->counter[i], h->value[i], moved);
			continue;
		}
		use_moved_phi(s, h->value[i], moved);
		all->moved = grown(all->moved, (all->nmoved + 1) * sizeof(*all->moved));
		all->moved[all->nmoved++] = (struct moved){h->value[i], moved};
	}
}

static void end_again(struct emit *e, const struct site *s, LLVMValueRef again)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(s->call);

	LLVMPositionBuilderBefore(e->b, last);
	again = LLVMBuildICmp(e->b, LLVMIntNE, again, emit_int(e, 0), "");
	LLVMBuildCondBr(e->b, again, s->call, s->after);
	LLVMInstructionEraseFromParent(last);
}

static void insert(struct loops *all, const struct hook *h, const struct variables *variables,
	unsigned nth, bool head)
{
	struct emit *e = &all->p->e;
	bool moves = h->ncounters && !(LLVMIsAConstantInt(h->entered) && !LLVMIsNull(h->entered));
	struct hook at_call = *h;
	LLVMValueRef values, again;
	struct site s;

	emit_before(e, h->before);
	s = begin_if_wanted(e, h->before);
	if (moves)
		begin_again(e, &at_call, &s);
	values = gather(e, &at_call, variables);
	again = EMIT(e, ENTRY(__heddle_turn), name_of(e, nth), emit_return_slot(e), values,
		emit_size(e, h->bytes), emit_int(e, (int)h->ncounters), h->entered);
	if (!moves)
		return;
	use_moved(all, h, &s, &at_call, values, head);
	end_again(e, &s, again);
}

/* Insert calls before both tests, as if they were one, the head of a loop. */
static void insert_twins(
	struct loops *all, const struct loop *l, const struct twin *t, unsigned nth)
{
	struct emit *e = &all->p->e;
	unsigned first = t->ninsns - 1;

	for (unsigned side = 0; side < 2; side++) {
		struct hook h = {.before = t->insn[side][first],
			.entered = emit_int(e, !side),
			.counted = l->hook.counted};

		for (unsigned i = 0; i < t->nvalues; i++)
			add_value(e, &h,
				current(all, defined(t->value[side][i]), h.before),
				counter_of(l, t, i, NULL));
		if (h.bytes <= HEDDLE_TURN_MAX)
			insert(all, &h, NULL, nth, false);
	}
}

static void insert_all(struct loops *all, struct loop *l)
{
	if (!l->hook.skipped)
		insert(all, &l->hook, &l->variables, all->names++, true);
	for (unsigned i = 0; i < l->ntwins; i++)
		insert_twins(all, l, &l->twin[i], all->names++);
}

void loop_heads(struct pass *p, LLVMValueRef function)
{
	struct loops all = {.p = p};

	shim_loops(function, add_loop, &all);
	find_variables(&all);
	find_counters(&all);
	for (unsigned i = 0; i < all.n; i++)
		prepare(&p->e, &all.loop[i]);
	for (unsigned i = 0; i < all.n; i++) {
		insert_all(&all, &all.loop[i]);
		free(all.loop[i].block);
		free(all.loop[i].variables.list);
		free(all.loop[i].variables.size);
		free(all.loop[i].twin);
		free(all.loop[i].counter);
	}
	free(all.loop);
	free(all.moved);
}
