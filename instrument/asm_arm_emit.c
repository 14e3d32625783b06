/* SPDX-License-Identifier: ISC */
/*
 * asm_arm_emit.c - the steps of AArch64 inline assembly, as inserted code.
 *
 * Registers are LLVM integers; memory is reached through the runtime, unless it is private to the
 * function. A loop of exclusive accesses is one event (asm_arm_loop.c).
 */
#include "asm_arm.h"

#include <string.h>

static LLVMTypeRef bits_type(struct asm_state *s, unsigned width)
{
	return emit_int_type(s->e, width);
}

static LLVMValueRef cast_bits(struct asm_state *s, LLVMValueRef v, unsigned width)
{
	return LLVMBuildIntCast2(s->e->b, v, bits_type(s, width), 0, "");
}

static LLVMValueRef register_value(struct asm_state *s, const struct asm_place *p, unsigned width)
{
	if (!p->is_arg && p->number == ARM_ZERO)
		return LLVMConstNull(bits_type(s, width));
	return cast_bits(s, asm_storage_read(s, arm_storage(s, p), p->size), width);
}

static LLVMValueRef value_bits(struct asm_state *s, const struct arm_value *v, unsigned width)
{
	if (v->is_constant)
		return LLVMConstInt(bits_type(s, width), (uint64_t)v->constant, 1);
	return register_value(s, &v->place, width);
}

/* The rest of the register becomes 0. */
static void set_register(struct asm_state *s, const struct asm_place *p, LLVMValueRef v)
{
	if (p->is_arg || p->number != ARM_ZERO)
		s->reg[arm_storage(s, p)] = cast_bits(s, cast_bits(s, v, p->size), 8);
}

static LLVMValueRef memory_address(struct asm_state *s, const struct arm_memory *m)
{
	LLVMValueRef sum;

	if (m->is_arg)
		return s->address[m->base.number];
	sum = LLVMBuildAdd(s->e->b, register_value(s, &m->base, 8),
		LLVMConstInt(s->e->i64, (uint64_t)m->offset, 1), "");
	return LLVMBuildIntToPtr(s->e->b, sum, s->e->ptr, "");
}

static LLVMValueRef invert(struct asm_state *s, bool inverts, LLVMValueRef v)
{
	return inverts ? LLVMBuildNot(s->e->b, v, "") : v;
}

static LLVMValueRef pick(struct asm_state *s, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(s->e->b, LLVMBuildICmp(s->e->b, p, a, b, ""), a, b, "");
}

static LLVMValueRef operate(struct asm_state *s, int op, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef builder = s->e->b;

	switch (op) {
	case HEDDLE_ADD: return LLVMBuildAdd(builder, a, b, "");
	case HEDDLE_SUB: return LLVMBuildSub(builder, a, b, "");
	case HEDDLE_AND: return LLVMBuildAnd(builder, a, b, "");
	case HEDDLE_OR: return LLVMBuildOr(builder, a, b, "");
	case HEDDLE_XOR: return LLVMBuildXor(builder, a, b, "");
	case HEDDLE_MAX: return pick(s, LLVMIntSGT, a, b);
	case HEDDLE_MIN: return pick(s, LLVMIntSLT, a, b);
	case HEDDLE_UMAX: return pick(s, LLVMIntUGT, a, b);
	case HEDDLE_UMIN: return pick(s, LLVMIntULT, a, b);
	default: return b; /* an exchange */
	}
}

static LLVMValueRef load_memory(
	struct asm_state *s, LLVMValueRef address, unsigned width, int order)
{
	if (pass_is_private(s->p, address))
		return emit_direct_load(s->e, bits_type(s, width), address);
	return EMIT(s->e, plan_sized(ENTRY(__heddle_load1), width), address,
		emit_int(s->e, order | HEDDLE_ASM));
}

static void store_memory(
	struct asm_state *s, LLVMValueRef address, LLVMValueRef v, unsigned width, int order)
{
	if (pass_is_private(s->p, address))
		emit_direct_store(s->e, v, address);
	else
		EMIT(s->e, plan_sized(ENTRY(__heddle_store1), width), address, v,
			emit_int(s->e, order | HEDDLE_ASM));
}

static LLVMValueRef modify_memory(struct asm_state *s, LLVMValueRef address, int op,
	LLVMValueRef operand, unsigned width, int order)
{
	LLVMValueRef old;

	if (!pass_is_private(s->p, address))
		return EMIT(s->e, plan_sized(ENTRY(__heddle_rmw1), width), address, operand,
			emit_int(s->e, op), emit_int(s->e, order | HEDDLE_ASM));
	old = emit_direct_load(s->e, bits_type(s, width), address);
	emit_direct_store(s->e, operate(s, op, old, operand), address);
	return old;
}

static LLVMValueRef exchange_if(struct asm_state *s, LLVMValueRef address, LLVMValueRef expected,
	LLVMValueRef desired, int order, LLVMValueRef *found)
{
	int failed = order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
	LLVMBuilderRef b = s->e->b;
	LLVMValueRef ok;

	if (!pass_is_private(s->p, address))
		return emit_cas(
			s->e, address, expected, desired, order | failed << 8 | HEDDLE_ASM, found);
	*found = emit_direct_load(s->e, LLVMTypeOf(expected), address);
	ok = LLVMBuildICmp(b, LLVMIntEQ, *found, expected, "");
	emit_direct_store(s->e, LLVMBuildSelect(b, ok, desired, *found, ""), address);
	return ok;
}

static void compute_step(struct asm_state *s, const struct arm_step *t)
{
	LLVMValueRef a = value_bits(s, &t->a, t->to.size), b = value_bits(s, &t->b, t->to.size);

	set_register(s, &t->to, operate(s, t->op, a, invert(s, t->inverts, b)));
}

static void compare_step(struct asm_state *s, const struct arm_step *t)
{
	unsigned size = t->a.is_constant ? t->b.place.size : t->a.place.size;

	s->zero = LLVMBuildICmp(
		s->e->b, LLVMIntEQ, value_bits(s, &t->a, size), value_bits(s, &t->b, size), "");
}

/* --- loops of exclusive accesses -------------------------------------------------------------- */

static int loop_order(const struct arm_program *p, const struct arm_loop *l)
{
	bool acquires = p->step[l->load].order == __ATOMIC_ACQUIRE;

	if (p->step[l->store].order != __ATOMIC_RELEASE)
		return acquires ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED;
	return acquires ? __ATOMIC_SEQ_CST : __ATOMIC_RELEASE;
}

/* The computations among the steps begin .. end - 1. */
static void run_steps(struct asm_state *s, const struct arm_program *p, int begin, int end)
{
	for (int i = begin; i < end; i++) {
		if (p->step[i].action == ARM_COMPUTE)
			compute_step(s, &p->step[i]);
		if (p->step[i].action == ARM_COMPARE)
			compare_step(s, &p->step[i]);
	}
}

/* A value of the step `at` that does not depend on the one loaded; registers stay. */
static LLVMValueRef value_ahead(struct asm_state *s, const struct arm_program *p,
	const struct arm_loop *l, int at, const struct arm_value *v)
{
	struct asm_state ahead = *s;
	const struct arm_step *from = &p->step[l->load];

	set_register(&ahead, &from->to, LLVMConstNull(bits_type(s, from->width)));
	run_steps(&ahead, p, l->load + 1, at);
	return value_bits(&ahead, v, from->width);
}

static void succeed(struct asm_state *s, const struct arm_program *p, const struct arm_loop *l)
{
	set_register(s, &p->step[l->store].to, LLVMConstNull(s->e->i64));
}

static void emit_rmw_loop(
	struct asm_state *s, const struct arm_program *p, const struct arm_loop *l)
{
	const struct arm_step *from = &p->step[l->load], *to = &p->step[l->store];
	LLVMValueRef address = memory_address(s, &from->at), operand;

	if (l->operand < 0)
		operand = value_ahead(s, p, l, l->store, &to->a);
	else if (p->step[l->operand].op == HEDDLE_XCHG) /* mvn */
		operand = LLVMConstAllOnes(bits_type(s, from->width));
	else
		operand = invert(s, p->step[l->operand].inverts,
			value_ahead(s, p, l, l->operand, arm_other(s, p, l)));
	set_register(s, &from->to,
		modify_memory(s, address, l->op, operand, from->width, loop_order(p, l)));
	run_steps(s, p, l->load + 1, l->store);
	succeed(s, p, l);
}

/* What follows if it succeeds, up to where both ways meet. */
static void emit_success(
	struct asm_state *s, const struct arm_program *p, const struct arm_loop *l, LLVMValueRef ok)
{
	LLVMValueRef before[ASM_REGS + ASM_ARGS], zero = s->zero;

	memcpy(before, s->reg, sizeof(before));
	run_steps(s, p, l->leave + 1, l->store);
	succeed(s, p, l);
	for (int i = l->store + 2; i < p->step[l->leave].target; i++) {
		if (p->step[i].action == ARM_COMPUTE)
			compute_step(s, &p->step[i]);
		if (p->step[i].action != ARM_FENCE)
			continue;
		emit_if(s->e, ok, s->call);
		EMIT(s->e, ENTRY(__heddle_fence), emit_int(s->e, p->step[i].order | HEDDLE_ASM));
		emit_end_if(s->e, s->call);
	}
	for (unsigned i = 0; i < ASM_REGS + ASM_ARGS; i++)
		if (s->reg[i] != before[i] && before[i])
			s->reg[i] = LLVMBuildSelect(s->e->b, ok, cast_bits(s, s->reg[i], 8),
				cast_bits(s, before[i], 8), "");
	s->zero = zero;
}

static void emit_cas_loop(
	struct asm_state *s, const struct arm_program *p, const struct arm_loop *l)
{
	const struct arm_step *from = &p->step[l->load], *to = &p->step[l->store];
	LLVMValueRef address = memory_address(s, &from->at), expected, desired, found, ok;

	expected = l->operand == l->leave /* cbnz of the value itself */
			   ? LLVMConstNull(bits_type(s, from->width))
			   : value_ahead(s, p, l, l->operand, arm_other(s, p, l));
	desired = value_ahead(s, p, l, l->store, &to->a);
	ok = exchange_if(s, address, expected, desired, loop_order(p, l), &found);
	set_register(s, &from->to, found);
	run_steps(s, p, l->load + 1, l->leave);
	emit_success(s, p, l, ok);
}

/* There is no such read-modify-write: compare and exchange until it holds. */
static void emit_other_loop(
	struct asm_state *s, const struct arm_program *p, const struct arm_loop *l)
{
	LLVMBuilderRef b = s->e->b;
	const struct arm_step *from = &p->step[l->load], *to = &p->step[l->store];
	LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(b);
	LLVMValueRef address = memory_address(s, &from->at), first, old, found, ok;
	LLVMBasicBlockRef head, tail, loop;

	first = load_memory(s, address, from->width, __ATOMIC_RELAXED);
	head = LLVMGetInsertBlock(b);
	tail = shim_split_before(s->call);
	loop = LLVMInsertBasicBlockInContext(s->e->ctx, tail, "");
	LLVMSetSuccessor(LLVMGetBasicBlockTerminator(head), 0, loop);
	LLVMPositionBuilderAtEnd(b, loop);
	LLVMSetCurrentDebugLocation2(b, location);
	old = LLVMBuildPhi(b, LLVMTypeOf(first), "");
	set_register(s, &from->to, old);
	run_steps(s, p, l->load + 1, l->store);
	ok = exchange_if(
		s, address, old, value_bits(s, &to->a, from->width), loop_order(p, l), &found);
	LLVMBuildCondBr(b, ok, tail, loop);
	LLVMAddIncoming(old, &first, &head, 1);
	LLVMAddIncoming(old, &found, &loop, 1);
	emit_before(s->e, s->call);
	succeed(s, p, l);
}

/* Returns the step after it. */
static int emit_loop(struct asm_state *s, const struct arm_program *p, const struct arm_loop *l)
{
	switch (l->kind) {
	case ARM_LOOP_RMW: emit_rmw_loop(s, p, l); break;
	case ARM_LOOP_OTHER: emit_other_loop(s, p, l); break;
	case ARM_LOOP_CAS: emit_cas_loop(s, p, l); return p->step[l->leave].target;
	}
	return l->store + 2;
}

/* --- steps ------------------------------------------------------------------------------------ */

static void emit_cas_step(struct asm_state *s, const struct arm_step *t)
{
	LLVMValueRef address = memory_address(s, &t->at), found;

	exchange_if(s, address, register_value(s, &t->to, t->width), value_bits(s, &t->a, t->width),
		t->order, &found);
	set_register(s, &t->to, found);
}

static void emit_step(struct asm_state *s, const struct arm_step *t)
{
	LLVMValueRef v;

	switch (t->action) {
	case ARM_COMPUTE: compute_step(s, t); break;
	case ARM_COMPARE: compare_step(s, t); break;
	case ARM_SET:
		v = t->op ? LLVMBuildNot(s->e->b, s->zero, "") : s->zero;
		set_register(s, &t->to, cast_bits(s, v, 8));
		break;
	case ARM_LOAD:
		set_register(
			s, &t->to, load_memory(s, memory_address(s, &t->at), t->width, t->order));
		break;
	case ARM_STORE:
		store_memory(s, memory_address(s, &t->at), value_bits(s, &t->a, t->width), t->width,
			t->order);
		break;
	case ARM_RMW:
		v = invert(s, t->inverts, value_bits(s, &t->a, t->width));
		v = modify_memory(s, memory_address(s, &t->at), t->op, v, t->width, t->order);
		if (t->has_to)
			set_register(s, &t->to, v);
		break;
	case ARM_CAS: emit_cas_step(s, t); break;
	case ARM_FENCE:
		EMIT(s->e, ENTRY(__heddle_fence), emit_int(s->e, t->order | HEDDLE_ASM));
		break;
	case ARM_PAUSE: EMIT(s->e, ENTRY(__heddle_pause)); break;
	case ARM_CYCLES: set_register(s, &t->to, EMIT(s->e, ENTRY(__heddle_cycles))); break;
	default: break;
	}
}

void arm_emit(struct asm_state *s, const struct arm_program *p)
{
	int loop = 0, i = 0;

	while (i < p->n)
		if (p->step[i].action == ARM_LOAD_EXCLUSIVE)
			i = emit_loop(s, p, &p->loop[loop++]);
		else
			emit_step(s, &p->step[i++]);
}
