/* SPDX-License-Identifier: ISC */
/* loop_call.c - the calls of __heddle_turn() at the head of a loop: see loop.c. */
#include "loop.h"

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
		from = emit_int(e, !loop_has(l, b));
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

static bool is_view(const struct loop *l, LLVMValueRef condition)
{
	for (unsigned i = 0; i < l->ncounters; i++)
		for (unsigned k = 0; k < l->counter[i].counter.nviews; k++)
			if (l->counter[i].counter.view[k].value == condition)
				return true;
	return false;
}

static bool leaves_loop(const struct loop *l, LLVMValueRef terminator)
{
	for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
		if (!loop_has(l, LLVMGetSuccessor(terminator, i)))
			return true;
	return false;
}

static bool depends_on_iteration(const struct loop *l, LLVMValueRef v, unsigned depth);

/* Its values, or the branches that choose among them. */
static bool choice_depends(const struct loop *l, LLVMValueRef phi, unsigned depth)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef t =
			LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));

		if (depends_on_iteration(l, LLVMGetIncomingValue(phi, i), depth))
			return true;
		if (LLVMIsABranchInst(t) && LLVMIsConditional(t) &&
			depends_on_iteration(l, LLVMGetCondition(t), depth))
			return true;
	}
	return false;
}

/* Does it depend on a value read, or a call made, in an iteration? */
static bool depends_on_iteration(const struct loop *l, LLVMValueRef v, unsigned depth)
{
	LLVMBasicBlockRef b;

	if (!LLVMIsAInstruction(v))
		return false;
	b = LLVMGetInstructionParent(v);
	if (!loop_has(l, b) || (LLVMIsAPHINode(v) && b == l->block[0]))
		return false;
	if (!depth)
		return true;
	if (LLVMIsAPHINode(v))
		return choice_depends(l, v, depth - 1);
	if (!counter_is_pure(v))
		return true;
	for (int i = 0; i < LLVMGetNumOperands(v); i++)
		if (depends_on_iteration(l, LLVMGetOperand(v, i), depth - 1))
			return true;
	return false;
}

/* Do only comparisons of counters end the loop? Then the program requests each iteration, and none
 * is left out. */
static bool ends_by_counters(const struct loop *l)
{
	bool ends = false;

	for (unsigned i = 0; i < l->n; i++) {
		LLVMValueRef t = LLVMGetBasicBlockTerminator(l->block[i]);

		if (!leaves_loop(l, t))
			continue;
		ends = true;
		if (!LLVMIsABranchInst(t) || !is_view(l, LLVMGetCondition(t)) ||
			depends_on_iteration(l, LLVMGetCondition(t), COUNTER_DEPTH))
			return false;
	}
	return ends;
}

void loop_prepare(struct emit *e, struct loop *l)
{
	struct hook *h = &l->hook;

	h->counted = ends_by_counters(l);

	h->before = loop_place(l->block[0]);
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

static LLVMValueRef address_at(struct emit *e, LLVMValueRef p, unsigned long long offset)
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
	emit_direct_store(g->e, value, address_at(g->e, g->to, g->n));
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
			emit_direct_store(e, p.at, address_at(e, g.to, counter));
			emit_direct_store(e, h->counted ? LLVMConstNull(e->i64) : p.left,
				address_at(e, g.to, counter + 8));
			counter += sizeof(struct heddle_counter);
		}
	}
	for (unsigned i = 0; variables && i < variables->n; i++) {
		value = LLVMBuildPointerCast(e->b, variables->list[i], e->ptr, "");
		LLVMBuildMemCpy(
			e->b, address_at(e, g.to, g.n), 1, value, 1,
				emit_size(e, variables->size[i]));
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

static LLVMValueRef current_value(const struct loops *all, LLVMValueRef v, LLVMValueRef place)
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

/* Later instructions use the counters as the call has left them. */
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
		now = counter_value(
			h->counter[i], e,
				emit_direct_load(e, e->i64, address_at(e, values, offset)));
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
		all->moved = loop_grown(all->moved, (all->nmoved + 1) * sizeof(*all->moved));
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
			add_value(e, &h, current_value(all, defined(t->value[side][i]), h.before),
				counter_of(l, t, i, NULL));
		if (h.bytes <= HEDDLE_TURN_MAX)
			insert(all, &h, NULL, nth, false);
	}
}

void loop_insert(struct loops *all, struct loop *l)
{
	if (!l->hook.skipped)
		insert(all, &l->hook, &l->variables, all->names++, true);
	for (unsigned i = 0; i < l->ntwins; i++)
		insert_twins(all, l, &l->twin[i], all->names++);
}
