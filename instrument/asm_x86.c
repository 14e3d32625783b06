/* SPDX-License-Identifier: ISC */
/*
 * asm_x86.c - the effects of x86-64 instructions, as inserted code.
 *
 * Registers are LLVM integers; memory is reached through the runtime. A locked instruction is one
 * atomic read-modify-write in sequentially consistent order; one without lock is a relaxed load
 * and a relaxed store (mov: one of them). Memory that is private to the function is accessed
 * directly, as everywhere. Flags are kept as the operands of the instruction that set them, and
 * become code only if they are used.
 */
#include "asm_x86.h"

#include <string.h>

#define RELAXED (__ATOMIC_RELAXED | HEDDLE_ASM)
#define LOCKED	(__ATOMIC_SEQ_CST | HEDDLE_ASM)

/* --- registers and memory -------------------------------------------------------------------- */

static LLVMTypeRef int_of(struct asm_state *s, unsigned width)
{
	return emit_int_type(s->e, width);
}

static unsigned width_of(struct asm_state *s, LLVMValueRef v)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(v)) / 8;
}

static LLVMValueRef resize(struct asm_state *s, LLVMValueRef v, unsigned width)
{
	return LLVMBuildIntCast2(s->e->b, v, int_of(s, width), 0, "");
}

LLVMValueRef asm_storage_read(struct asm_state *s, unsigned storage, unsigned width)
{
	if (!s->reg[storage]) /* never set: any value, but always the same one */
		s->reg[storage] = LLVMConstInt(int_of(s, 8), 0, 0);
	return resize(s, s->reg[storage], width);
}

static unsigned storage_of(struct asm_state *s, const struct asm_place *p)
{
	return p->is_arg ? s->storage[p->number] : p->number;
}

static LLVMValueRef read_place(struct asm_state *s, const struct asm_place *p, unsigned width)
{
	return asm_storage_read(s, storage_of(s, p), width);
}

/* Writing one or two bytes keeps the rest of a register; four bytes clear the rest. */
static void write_register(struct asm_state *s, unsigned storage, LLVMValueRef v)
{
	unsigned width = width_of(s, v), old_width;
	LLVMValueRef old = s->reg[storage], mask;

	if (old && width < 4 && width_of(s, old) > width) {
		old_width = width_of(s, old);
		mask = LLVMBuildZExt(
			s->e->b, LLVMConstAllOnes(int_of(s, width)), LLVMTypeOf(old), "");
		old = LLVMBuildAnd(s->e->b, old, LLVMBuildNot(s->e->b, mask, ""), "");
		v = LLVMBuildOr(s->e->b, old, resize(s, v, old_width), "");
	}
	s->reg[storage] = v;
}

bool asm_is_memory(const struct asm_state *s, const struct asm_operand *o)
{
	return o->kind == ASM_MEM ||
	       (o->kind == ASM_ARG && s->constraints.c[o->place.number].memory);
}

static LLVMValueRef address_of(struct asm_state *s, const struct asm_operand *o)
{
	LLVMBuilderRef b = s->e->b;
	LLVMValueRef sum = LLVMConstInt(s->e->i64, (uint64_t)o->value, 0), p;

	if (o->kind == ASM_ARG) {
		p = s->address[o->place.number];
		if (!o->value)
			return p;
		p = LLVMBuildPointerCast(b, p, s->e->ptr, "");
		return LLVMBuildGEP2(b, s->e->i8, p, &sum, 1, "");
	}
	if (o->place.number != ASM_NO_REG)
		sum = LLVMBuildAdd(b, sum, read_place(s, &o->place, 8), "");
	if (o->index.number != ASM_NO_REG)
		sum = LLVMBuildAdd(b, sum,
			LLVMBuildMul(b, read_place(s, &o->index, 8),
				LLVMConstInt(s->e->i64, o->scale, 0), ""),
			"");
	return LLVMBuildIntToPtr(b, sum, s->e->ptr, "");
}

static LLVMValueRef load(struct asm_state *s, LLVMValueRef address, unsigned width)
{
	if (pass_is_private(s->p, address))
		return emit_direct_load(s->e, int_of(s, width), address);
	return EMIT(
		s->e, plan_sized(ENTRY(__heddle_load1), width), address, emit_int(s->e, RELAXED));
}

static void store(struct asm_state *s, LLVMValueRef address, LLVMValueRef v)
{
	if (pass_is_private(s->p, address))
		emit_direct_store(s->e, v, address);
	else
		EMIT(s->e, plan_sized(ENTRY(__heddle_store1), width_of(s, v)), address, v,
			emit_int(s->e, RELAXED));
}

static LLVMValueRef read_operand(struct asm_state *s, const struct asm_operand *o, unsigned width)
{
	if (o->kind == ASM_IMM)
		return LLVMConstInt(int_of(s, width), (uint64_t)o->value, 1);
	if (asm_is_memory(s, o))
		return load(s, address_of(s, o), width);
	return read_place(s, &o->place, width);
}

static void write_operand(struct asm_state *s, const struct asm_operand *o, LLVMValueRef v)
{
	if (asm_is_memory(s, o))
		store(s, address_of(s, o), v);
	else
		write_register(s, storage_of(s, &o->place), v);
}

/* --- flags ----------------------------------------------------------------------------------- */

static void set_flags(struct asm_state *s, enum asm_arithmetic how, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef result)
{
	s->arithmetic = how;
	s->a = a;
	s->b = b;
	s->result = result;
	s->zero = s->carry = NULL;
}

int asm_condition(const char *name)
{
	static const struct {
		const char *name;
		int condition;
	} names[] = {{"o", IF_OVERFLOW}, {"no", IF_OVERFLOW + 1}, {"c", IF_CARRY}, {"b", IF_CARRY},
		{"nae", IF_CARRY}, {"nc", IF_CARRY + 1}, {"ae", IF_CARRY + 1}, {"nb", IF_CARRY + 1},
		{"z", IF_ZERO}, {"e", IF_ZERO}, {"nz", IF_ZERO + 1}, {"ne", IF_ZERO + 1},
		{"be", IF_BELOW_EQUAL}, {"na", IF_BELOW_EQUAL}, {"a", IF_BELOW_EQUAL + 1},
		{"nbe", IF_BELOW_EQUAL + 1}, {"s", IF_SIGN}, {"ns", IF_SIGN + 1}, {"l", IF_LESS},
		{"nge", IF_LESS}, {"ge", IF_LESS + 1}, {"nl", IF_LESS + 1}, {"le", IF_LESS_EQUAL},
		{"ng", IF_LESS_EQUAL}, {"g", IF_LESS_EQUAL + 1}, {"nle", IF_LESS_EQUAL + 1}};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i].name))
			return names[i].condition;
	return -1;
}

bool asm_condition_known(int condition, enum asm_flags flags)
{
	condition &= ~1;
	if (condition == ALWAYS)
		return true;
	switch (flags) {
	case FLAGS_ALL: return true;
	case FLAGS_NO_CARRY: return condition != IF_CARRY && condition != IF_BELOW_EQUAL;
	case FLAGS_ZERO: return condition == IF_ZERO;
	case FLAGS_CARRY: return condition == IF_CARRY;
	case FLAGS_NONE: break;
	}
	return false;
}

static LLVMValueRef is_negative(struct asm_state *s, LLVMValueRef v)
{
	return LLVMBuildICmp(s->e->b, LLVMIntSLT, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

static LLVMValueRef zero_flag(struct asm_state *s)
{
	if (s->zero)
		return s->zero;
	return LLVMBuildICmp(
		s->e->b, LLVMIntEQ, s->result, LLVMConstNull(LLVMTypeOf(s->result)), "");
}

static LLVMValueRef carry_flag(struct asm_state *s)
{
	if (s->carry)
		return s->carry;
	switch (s->arithmetic) {
	case FROM_ADD: return LLVMBuildICmp(s->e->b, LLVMIntULT, s->result, s->a, "");
	case FROM_SUB: return LLVMBuildICmp(s->e->b, LLVMIntULT, s->a, s->b, "");
	case FROM_LOGIC: break;
	}
	return LLVMConstInt(s->e->i1, 0, 0);
}

/* Does the sign of the result differ from that of the exact sum or difference? */
static LLVMValueRef overflow_flag(struct asm_state *s)
{
	LLVMBuilderRef b = s->e->b;
	LLVMValueRef x, y;

	if (s->arithmetic == FROM_LOGIC)
		return LLVMConstInt(s->e->i1, 0, 0);
	x = LLVMBuildXor(b, s->a, s->result, "");
	y = s->arithmetic == FROM_ADD ? LLVMBuildXor(b, s->b, s->result, "")
				      : LLVMBuildXor(b, s->a, s->b, "");
	return is_negative(s, LLVMBuildAnd(b, x, y, ""));
}

LLVMValueRef asm_condition_value(struct asm_state *s, int condition)
{
	LLVMBuilderRef b = s->e->b;
	LLVMValueRef v = NULL;

	switch (condition & ~1) {
	case IF_OVERFLOW: v = overflow_flag(s); break;
	case IF_CARRY: v = carry_flag(s); break;
	case IF_ZERO: v = zero_flag(s); break;
	case IF_BELOW_EQUAL: v = LLVMBuildOr(b, carry_flag(s), zero_flag(s), ""); break;
	case IF_SIGN: v = is_negative(s, s->result); break;
	case IF_LESS: v = LLVMBuildXor(b, is_negative(s, s->result), overflow_flag(s), ""); break;
	case IF_LESS_EQUAL:
		v = LLVMBuildXor(b, is_negative(s, s->result), overflow_flag(s), "");
		v = LLVMBuildOr(b, v, zero_flag(s), "");
		break;
	case ALWAYS: v = LLVMConstInt(s->e->i1, 1, 0); break;
	}
	return condition & 1 ? LLVMBuildNot(b, v, "") : v;
}

enum asm_flags asm_flags_after(const struct asm_step *step, enum asm_flags before)
{
	switch (step->action) {
	case DO_BINARY:
	case DO_COMPARE:
	case DO_TEST:
	case DO_NEG:
	case DO_XADD:
	case DO_CMPXCHG: return FLAGS_ALL;
	case DO_STEP: return FLAGS_NO_CARRY;
	case DO_CMPXCHG_PAIR: return FLAGS_ZERO;
	case DO_BIT: return FLAGS_CARRY;
	default: return before;
	}
}

/* --- actions --------------------------------------------------------------------------------- */

static LLVMValueRef build_op(struct asm_state *s, int op, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef builder = s->e->b;

	switch (op) {
	case HEDDLE_ADD: return LLVMBuildAdd(builder, a, b, "");
	case HEDDLE_SUB: return LLVMBuildSub(builder, a, b, "");
	case HEDDLE_AND: return LLVMBuildAnd(builder, a, b, "");
	case HEDDLE_OR: return LLVMBuildOr(builder, a, b, "");
	case HEDDLE_XOR: return LLVMBuildXor(builder, a, b, "");
	default: return b; /* xchg */
	}
}

/* Read, modify and write memory; returns the old value. */
static LLVMValueRef modify(
	struct asm_state *s, LLVMValueRef address, bool locked, int op, LLVMValueRef operand)
{
	LLVMValueRef old;

	if (locked && !pass_is_private(s->p, address))
		return EMIT(s->e, plan_sized(ENTRY(__heddle_rmw1), width_of(s, operand)), address,
			operand, emit_int(s->e, op), emit_int(s->e, LOCKED));
	old = load(s, address, width_of(s, operand));
	store(s, address, build_op(s, op, old, operand));
	return old;
}

/* destination = destination op operand; sets the flags and returns the old value. */
static LLVMValueRef binary(struct asm_state *s, const struct asm_step *t,
	const struct asm_operand *to, LLVMValueRef operand)
{
	LLVMValueRef old, new;

	if (asm_is_memory(s, to)) {
		old = modify(s, address_of(s, to), t->insn->lock, t->how, operand);
		new = build_op(s, t->how, old, operand);
	} else {
		old = read_operand(s, to, t->width);
		new = build_op(s, t->how, old, operand);
		write_operand(s, to, new);
	}
	set_flags(s,
		t->how == HEDDLE_ADD   ? FROM_ADD
		: t->how == HEDDLE_SUB ? FROM_SUB
				       : FROM_LOGIC,
		old, operand, new);
	return old;
}

/* A locked negation: there is no such read-modify-write, so compare and exchange until it holds. */
static LLVMValueRef locked_negate(struct asm_state *s, LLVMValueRef address, unsigned width)
{
	LLVMBuilderRef b = s->e->b;
	LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(b);
	LLVMValueRef first = load(s, address, width), old, found, ok;
	LLVMBasicBlockRef head = LLVMGetInsertBlock(b), tail = shim_split_before(s->call);
	LLVMBasicBlockRef loop = LLVMInsertBasicBlockInContext(s->e->ctx, tail, "");

	LLVMSetSuccessor(LLVMGetBasicBlockTerminator(head), 0, loop);
	LLVMPositionBuilderAtEnd(b, loop);
	LLVMSetCurrentDebugLocation2(b, location);
	old = LLVMBuildPhi(b, LLVMTypeOf(first), "");
	ok = emit_cas(s->e, address, old, LLVMBuildNeg(b, old, ""), __ATOMIC_SEQ_CST << 8 | LOCKED,
		&found);
	LLVMBuildCondBr(b, ok, tail, loop);
	LLVMAddIncoming(old, &first, &head, 1);
	LLVMAddIncoming(old, &found, &loop, 1);
	emit_before(s->e, s->call);
	return found;
}

static void negate(struct asm_state *s, const struct asm_step *t)
{
	const struct asm_operand *to = &t->insn->operand[0];
	LLVMValueRef address = asm_is_memory(s, to) ? address_of(s, to) : NULL, old;

	if (address && t->insn->lock && !pass_is_private(s->p, address)) {
		old = locked_negate(s, address, t->width);
	} else {
		old = read_operand(s, to, t->width);
		write_operand(s, to, LLVMBuildNeg(s->e->b, old, ""));
	}
	set_flags(s, FROM_SUB, LLVMConstNull(LLVMTypeOf(old)), old, LLVMBuildNeg(s->e->b, old, ""));
}

/* inc and dec leave the carry flag alone; not leaves all flags alone. */
static void emit_unary(struct asm_state *s, const struct asm_step *t)
{
	struct asm_step step = *t;
	struct asm_state before = *s;

	if (t->action == DO_NOT) {
		step.how = HEDDLE_XOR;
		binary(s, &step, &t->insn->operand[0], LLVMConstAllOnes(int_of(s, t->width)));
		set_flags(s, before.arithmetic, before.a, before.b, before.result);
		s->zero = before.zero;
		s->carry = before.carry;
	} else {
		binary(s, &step, &t->insn->operand[0], LLVMConstInt(int_of(s, t->width), 1, 0));
	}
}

static void exchange(struct asm_state *s, const struct asm_step *t)
{
	const struct asm_operand *a = &t->insn->operand[0], *b = &t->insn->operand[1], *swap;
	LLVMValueRef old, v;

	if (asm_is_memory(s, a)) {
		swap = a;
		a = b;
		b = swap;
	}
	v = read_operand(s, a, t->width);
	if (t->action == DO_XADD) {
		old = binary(s, t, b, v);
	} else if (asm_is_memory(s, b)) {
		old = modify(s, address_of(s, b), true, HEDDLE_XCHG, v); /* locked in any case */
	} else {
		old = read_operand(s, b, t->width);
		write_operand(s, b, v);
	}
	write_operand(s, a, old);
}

static LLVMValueRef compare_exchange(struct asm_state *s, const struct asm_step *t,
	LLVMValueRef expected, LLVMValueRef desired, LLVMValueRef *found)
{
	const struct asm_operand *to = &t->insn->operand[t->insn->n - 1];
	LLVMValueRef address = address_of(s, to), ok;

	if (t->insn->lock && !pass_is_private(s->p, address))
		return emit_cas(
			s->e, address, expected, desired, __ATOMIC_SEQ_CST << 8 | LOCKED, found);
	*found = load(s, address, width_of(s, expected));
	ok = LLVMBuildICmp(s->e->b, LLVMIntEQ, *found, expected, "");
	store(s, address, LLVMBuildSelect(s->e->b, ok, desired, *found, ""));
	return ok;
}

static void cmpxchg(struct asm_state *s, const struct asm_step *t)
{
	LLVMValueRef expected = asm_storage_read(s, AX, t->width), found, ok;
	LLVMValueRef desired = read_operand(s, &t->insn->operand[0], t->width);

	ok = compare_exchange(s, t, expected, desired, &found);
	set_flags(s, FROM_SUB, expected, found, LLVMBuildSub(s->e->b, expected, found, ""));
	s->zero = ok;
	write_register(s, AX, found);
}

static LLVMValueRef join(struct asm_state *s, unsigned high, unsigned low, unsigned width)
{
	LLVMBuilderRef b = s->e->b;
	LLVMValueRef h = resize(s, asm_storage_read(s, high, width / 2), width);

	h = LLVMBuildShl(b, h, LLVMConstInt(int_of(s, width), 4 * width, 0), "");
	return LLVMBuildOr(b, h, resize(s, asm_storage_read(s, low, width / 2), width), "");
}

/* cmpxchg8b, cmpxchg16b: expected in dx:ax, desired in cx:bx. */
static void cmpxchg_pair(struct asm_state *s, const struct asm_step *t)
{
	LLVMValueRef expected = join(s, DX, AX, t->width), desired = join(s, CX, BX, t->width),
		     found;
	LLVMValueRef shift = LLVMConstInt(int_of(s, t->width), 4 * t->width, 0);

	s->zero = compare_exchange(s, t, expected, desired, &found);
	s->carry = NULL;
	write_register(s, AX, resize(s, found, t->width / 2));
	write_register(s, DX, resize(s, LLVMBuildLShr(s->e->b, found, shift, ""), t->width / 2));
}

/* bt, bts, btr, btc; how: an enum heddle_rmw, HEDDLE_XCHG for bt. A bit number in a register may
 * lie outside the operand if that is in memory: then the access is to memory beyond it. */
static void emit_bit(struct asm_state *s, const struct asm_step *t)
{
	const struct asm_operand *number = &t->insn->operand[0], *to = &t->insn->operand[1];
	LLVMTypeRef type = int_of(s, t->width);
	LLVMValueRef n = read_operand(s, number, t->width), mask, old, address = NULL, offset;
	LLVMBuilderRef b = s->e->b;
	unsigned bits = 8 * t->width;

	if (asm_is_memory(s, to)) {
		address = LLVMBuildPointerCast(b, address_of(s, to), s->e->ptr, "");
		offset = LLVMBuildAShr(b, n, LLVMConstInt(type, __builtin_ctz(bits), 0), "");
		offset = LLVMBuildMul(b, offset, LLVMConstInt(type, t->width, 0), "");
		offset = LLVMBuildSExt(b, offset, s->e->i64, "");
		if (number->kind != ASM_IMM)
			address = LLVMBuildGEP2(b, s->e->i8, address, &offset, 1, "");
	}
	n = LLVMBuildAnd(b, n, LLVMConstInt(type, bits - 1, 0), "");
	mask = LLVMBuildShl(b, LLVMConstInt(type, 1, 0), n, "");
	if (t->how == HEDDLE_AND)
		mask = LLVMBuildNot(b, mask, "");
	if (t->how == HEDDLE_XCHG) {
		old = address ? load(s, address, t->width) : read_operand(s, to, t->width);
	} else if (address) {
		old = modify(s, address, t->insn->lock, t->how, mask);
	} else {
		old = read_operand(s, to, t->width);
		write_operand(s, to, build_op(s, t->how, old, mask));
	}
	s->zero = NULL;
	s->carry = LLVMBuildTrunc(b, LLVMBuildLShr(b, old, n, ""), s->e->i1, "");
}

/* A jump to a label of asm goto; the code after it gets a block of its own. */
static void emit_jump(struct asm_state *s, const struct asm_step *t)
{
	const struct asm_constraint *to = &s->constraints.c[t->insn->operand[0].place.number];

	shim_goto(s->call, asm_condition_value(s, t->how), to->label);
	emit_before(s->e, s->call);
}

static void extend(struct asm_state *s, const struct asm_step *t)
{
	LLVMValueRef v = read_operand(s, &t->insn->operand[0], t->from);

	v = LLVMBuildIntCast2(s->e->b, v, int_of(s, t->width), t->how, "");
	write_operand(s, &t->insn->operand[1], v);
}

/* In dx:ax; the processor's number, which is always 0, in cx. */
static void cycles(struct asm_state *s, const struct asm_step *t)
{
	LLVMValueRef now = EMIT(s->e, ENTRY(__heddle_cycles));
	LLVMValueRef high = LLVMBuildLShr(s->e->b, now, LLVMConstInt(int_of(s, 8), 32, 0), "");

	write_register(s, AX, resize(s, now, 4));
	write_register(s, DX, resize(s, high, 4));
	if (t->how)
		write_register(s, CX, LLVMConstInt(int_of(s, 4), 0, 0));
}

void asm_do(struct asm_state *s, const struct asm_step *t)
{
	const struct asm_operand *o = t->insn->operand;
	LLVMValueRef v, w;

	switch (t->action) {
	case DO_NOTHING:
	case DO_KEEP: break;
	case DO_MOVE: write_operand(s, &o[1], read_operand(s, &o[0], t->width)); break;
	case DO_EXTEND: extend(s, t); break;
	case DO_LEA:
		v = LLVMBuildPtrToInt(s->e->b, address_of(s, &o[0]), s->e->i64, "");
		write_operand(s, &o[1], resize(s, v, t->width));
		break;
	case DO_BINARY: binary(s, t, &o[1], read_operand(s, &o[0], t->width)); break;
	case DO_COMPARE:
	case DO_TEST:
		v = read_operand(s, &o[1], t->width);
		w = read_operand(s, &o[0], t->width);
		if (t->action == DO_COMPARE)
			set_flags(s, FROM_SUB, v, w, LLVMBuildSub(s->e->b, v, w, ""));
		else
			set_flags(s, FROM_LOGIC, v, w, LLVMBuildAnd(s->e->b, v, w, ""));
		break;
	case DO_STEP:
	case DO_NOT: emit_unary(s, t); break;
	case DO_NEG: negate(s, t); break;
	case DO_XADD:
	case DO_XCHG: exchange(s, t); break;
	case DO_CMPXCHG: cmpxchg(s, t); break;
	case DO_CMPXCHG_PAIR: cmpxchg_pair(s, t); break;
	case DO_BIT: emit_bit(s, t); break;
	case DO_SET:
		v = asm_condition_value(s, t->how);
		write_operand(s, &o[0], LLVMBuildZExt(s->e->b, v, s->e->i8, ""));
		break;
	case DO_FENCE:
		EMIT(s->e, ENTRY(__heddle_fence), emit_int(s->e, t->how | HEDDLE_ASM));
		break;
	case DO_PAUSE: EMIT(s->e, ENTRY(__heddle_pause)); break;
	case DO_CYCLES: cycles(s, t); break;
	case DO_JUMP: emit_jump(s, t); break;
	}
}
