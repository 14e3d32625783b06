/* SPDX-License-Identifier: ISC */
/*
 * asm_site.c - an inline assembly: interpreted and replaced, kept, or warned about.
 *
 * The whole template is checked before any insertion. It is replaced if it can be interpreted and
 * concerns memory, order or waiting; assembly without memory accesses is kept; other assembly is
 * announced by __heddle_opaque() and kept.
 */
#include "asm_arm.h"

#include <stdio.h>
#include <string.h>

/* --- the table of instructions ---------------------------------------------------------------- */

struct meaning {
	const char *name;
	unsigned char n;      /* operands */
	unsigned char suffix; /* 0: none, 1: may end in b, w, l or q; 2: must */
	unsigned char width;  /* if the name gives it */
	enum asm_action action;
	int how;
};

static const struct meaning meanings[] = {
	{"mov", 2, 1, 0, DO_MOVE, 0},
	{"movabs", 2, 1, 8, DO_MOVE, 0},
	{"movd", 2, 0, 4, DO_MOVE, 0},
	{"movss", 2, 0, 4, DO_MOVE, 0},
	{"movsd", 2, 0, 8, DO_MOVE, 0},
	{"movdqa", 2, 0, 16, DO_MOVE, 0},
	{"movdqu", 2, 0, 16, DO_MOVE, 0},
	{"movaps", 2, 0, 16, DO_MOVE, 0},
	{"movups", 2, 0, 16, DO_MOVE, 0},
	{"movapd", 2, 0, 16, DO_MOVE, 0},
	{"movupd", 2, 0, 16, DO_MOVE, 0},
	{"movnti", 2, 1, 0, DO_MOVE, 0},
	{"movzb", 2, 2, 1, DO_EXTEND, 0},
	{"movzw", 2, 2, 2, DO_EXTEND, 0},
	{"movsb", 2, 2, 1, DO_EXTEND, 1},
	{"movsw", 2, 2, 2, DO_EXTEND, 1},
	{"movsl", 2, 2, 4, DO_EXTEND, 1},
	{"lea", 2, 1, 0, DO_LEA, 0},
	{"add", 2, 1, 0, DO_BINARY, HEDDLE_ADD},
	{"sub", 2, 1, 0, DO_BINARY, HEDDLE_SUB},
	{"and", 2, 1, 0, DO_BINARY, HEDDLE_AND},
	{"or", 2, 1, 0, DO_BINARY, HEDDLE_OR},
	{"xor", 2, 1, 0, DO_BINARY, HEDDLE_XOR},
	{"cmp", 2, 1, 0, DO_COMPARE, 0},
	{"test", 2, 1, 0, DO_TEST, 0},
	{"inc", 1, 1, 0, DO_STEP, HEDDLE_ADD},
	{"dec", 1, 1, 0, DO_STEP, HEDDLE_SUB},
	{"neg", 1, 1, 0, DO_NEG, 0},
	{"not", 1, 1, 0, DO_NOT, 0},
	{"xadd", 2, 1, 0, DO_XADD, HEDDLE_ADD},
	{"xchg", 2, 1, 0, DO_XCHG, 0},
	{"cmpxchg", 2, 1, 0, DO_CMPXCHG, 0},
	{"cmpxchg8b", 1, 0, 8, DO_CMPXCHG_PAIR, 0},
	{"cmpxchg16b", 1, 0, 16, DO_CMPXCHG_PAIR, 0},
	{"bt", 2, 1, 0, DO_BIT, HEDDLE_XCHG},
	{"bts", 2, 1, 0, DO_BIT, HEDDLE_OR},
	{"btr", 2, 1, 0, DO_BIT, HEDDLE_AND},
	{"btc", 2, 1, 0, DO_BIT, HEDDLE_XOR},
	{"mfence", 0, 0, 0, DO_FENCE, __ATOMIC_SEQ_CST},
	{"sfence", 0, 0, 0, DO_FENCE, __ATOMIC_RELEASE},
	{"lfence", 0, 0, 0, DO_FENCE, __ATOMIC_ACQUIRE},
	{"pause", 0, 0, 0, DO_PAUSE, 0},
	{"nop", 0, 0, 0, DO_NOTHING, 0},
	{"prefetch", 1, 0, 1, DO_NOTHING, 0},
	{"prefetchw", 1, 0, 1, DO_NOTHING, 0},
	{"prefetcht0", 1, 0, 1, DO_NOTHING, 0},
	{"prefetcht1", 1, 0, 1, DO_NOTHING, 0},
	{"prefetcht2", 1, 0, 1, DO_NOTHING, 0},
	{"prefetchnta", 1, 0, 1, DO_NOTHING, 0},
	{"rdtsc", 0, 0, 0, DO_CYCLES, 0},
	{"rdtscp", 0, 0, 0, DO_CYCLES, 1},
	{"cpuid", 0, 0, 0, DO_KEEP, 0},
	{"ud2", 0, 0, 0, DO_KEEP, 0},
	{"int3", 0, 0, 0, DO_KEEP, 0},
	{"hlt", 0, 0, 0, DO_KEEP, 0},
	{"endbr64", 0, 0, 0, DO_KEEP, 0},
};

/* The row for a name, and the width that its last letter gives (0 if none does). */
static const struct meaning *find_meaning(const char *name, unsigned *width)
{
	size_t n = strlen(name);

	*width = 0;
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].suffix != 2 && !strcmp(name, meanings[i].name))
			return &meanings[i];
	*width = plan_suffix_width(name[n - 1]);
	for (size_t i = 0; *width && i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].suffix && strlen(meanings[i].name) == n - 1 &&
			!strncmp(name, meanings[i].name, n - 1))
			return &meanings[i];
	return NULL;
}

/* --- checking -------------------------------------------------------------------------------- */

/* In bytes; 0 if the operand does not determine it. */
static unsigned operand_width(struct asm_state *s, const struct asm_operand *o)
{
	if (o->kind == ASM_IMM || o->kind == ASM_MEM)
		return 0;
	if (o->kind == ASM_REG || o->place.size)
		return o->place.size;
	return s->type[o->place.number] ? emit_store_size(s->e, s->type[o->place.number]) : 0;
}

/* The width of an instruction that has none in its name: that of a register, else of memory. */
static unsigned width_from_operands(struct asm_state *s, const struct asm_insn *insn)
{
	unsigned width = 0;

	for (unsigned i = 0; i < insn->n && !width; i++)
		if (!asm_is_memory(s, &insn->operand[i]))
			width = operand_width(s, &insn->operand[i]);
	for (unsigned i = 0; i < insn->n && !width; i++)
		width = operand_width(s, &insn->operand[i]);
	return width;
}

static bool place_exists(struct asm_state *s, const struct asm_place *p)
{
	return p->is_arg ? p->number < s->constraints.n && !s->constraints.c[p->number].memory
			 : p->number < ASM_REGS && p->number != SP;
}

static bool is_label(struct asm_state *s, unsigned arg)
{
	return arg < s->constraints.n && s->constraints.c[arg].kind == ASM_LABEL;
}

static bool operand_exists(struct asm_state *s, const struct asm_operand *o)
{
	if (o->kind == ASM_IMM)
		return true;
	if (o->kind == ASM_TARGET || (o->kind == ASM_ARG && is_label(s, o->place.number)))
		return false; /* only in this form, of a jump */
	if (o->kind == ASM_MEM)
		return (o->place.number == ASM_NO_REG || place_exists(s, &o->place)) &&
		       (o->index.number == ASM_NO_REG || place_exists(s, &o->index));
	if (o->kind == ASM_ARG && o->place.number >= s->constraints.n)
		return false;
	return asm_is_memory(s, o) || (!o->value && place_exists(s, &o->place));
}

static bool can_be_written(struct asm_state *s, const struct asm_operand *o)
{
	return o->kind != ASM_IMM &&
	       (o->kind != ASM_ARG || asm_is_memory(s, o) || s->writable[o->place.number]);
}

/* lock; addl $0, 0(%rsp) and the like: a full fence. */
static bool is_stack_fence(const struct asm_insn *insn, const struct meaning *m)
{
	const struct asm_operand *to = &insn->operand[1];

	return insn->lock && m->action == DO_BINARY && m->how != HEDDLE_AND &&
	       insn->operand[0].kind == ASM_IMM && !insn->operand[0].value && to->kind == ASM_MEM &&
	       !to->place.is_arg && to->place.number == SP;
}

static bool writes_last(enum asm_action a)
{
	return a != DO_COMPARE && a != DO_TEST && a != DO_NOTHING && a != DO_FENCE &&
	       a != DO_PAUSE && a != DO_KEEP && a != DO_JUMP && a != DO_CYCLES;
}

static bool can_be_locked(enum asm_action a)
{
	return a == DO_BINARY || a == DO_STEP || a == DO_NEG || a == DO_NOT || a == DO_XADD ||
	       a == DO_XCHG || a == DO_CMPXCHG || a == DO_CMPXCHG_PAIR || a == DO_BIT;
}

static bool check_operands(struct asm_state *s, const struct asm_step *t)
{
	const struct asm_insn *insn = t->insn;
	unsigned memory = 0;

	for (unsigned i = 0; i < insn->n; i++) {
		if (!operand_exists(s, &insn->operand[i]))
			return false;
		memory += asm_is_memory(s, &insn->operand[i]);
	}
	if (memory > 1 || (insn->lock && (!memory || !can_be_locked(t->action))))
		return false;
	if (insn->n && writes_last(t->action) && !can_be_written(s, &insn->operand[insn->n - 1]))
		return false;
	switch (t->action) {
	case DO_XADD:
	case DO_XCHG: return can_be_written(s, &insn->operand[0]);
	case DO_LEA: return asm_is_memory(s, &insn->operand[0]);
	case DO_CMPXCHG:
	case DO_CMPXCHG_PAIR: return asm_is_memory(s, &insn->operand[insn->n - 1]);
	case DO_MOVE: return t->width < 16 || memory;
	default: return true;
	}
}

/* jc, jmp to a label of asm goto. */
static bool check_jump(struct asm_state *s, const struct asm_insn *insn, struct asm_step *t)
{
	t->action = DO_JUMP;
	t->how = !strcmp(insn->name, "jmp") ? ALWAYS : asm_condition(insn->name + 1);
	return insn->n == 1 && insn->operand[0].kind == ASM_TARGET &&
	       is_label(s, insn->operand[0].place.number) && t->how >= 0 &&
	       asm_condition_known(t->how, s->flags) && !insn->lock;
}

/* One instruction; fills in the step. */
static bool check_insn(struct asm_state *s, const struct asm_insn *insn, struct asm_step *t)
{
	const struct meaning *m;
	unsigned suffix;

	t->insn = insn;
	if (!strncmp(insn->name, "set", 3)) {
		t->action = DO_SET;
		t->how = asm_condition(insn->name + 3);
		t->width = 1;
		return insn->n == 1 && t->how >= 0 && asm_condition_known(t->how, s->flags) &&
		       !insn->lock && check_operands(s, t);
	}
	if (*insn->name == 'j')
		return check_jump(s, insn, t);
	m = find_meaning(insn->name, &suffix);
	if (!m || insn->n != m->n)
		return false;
	t->action = m->action;
	t->how = m->how;
	t->width = suffix ? suffix : m->width ? m->width : width_from_operands(s, insn);
	t->from = m->width;
	if (is_stack_fence(insn, m)) {
		t->action = DO_FENCE;
		t->how = __ATOMIC_SEQ_CST;
		return true;
	}
	if (insn->rep) { /* rep; nop is an old way to write pause */
		t->action = DO_PAUSE;
		return m->action == DO_NOTHING && !insn->n;
	}
	if (m->n && t->width != 1 && t->width != 2 && t->width != 4 && t->width != 8 &&
		(t->width != 16 || (t->action != DO_MOVE && t->action != DO_CMPXCHG_PAIR)))
		return false;
	return check_operands(s, t);
}

/* All instructions, and the flags used at the end. */
static bool check(struct asm_state *s, const struct asm_insn *insn, int n, struct asm_step *steps)
{
	int condition;

	for (int i = 0; i < n; i++) {
		steps[i] = (struct asm_step){0};
		if (!check_insn(s, &insn[i], &steps[i]))
			return false;
		s->flags = asm_flags_after(&steps[i], s->flags);
	}
	for (unsigned i = 0; i < s->constraints.n; i++) {
		if (!*s->constraints.c[i].flag)
			continue;
		condition = asm_condition(s->constraints.c[i].flag);
		if (condition < 0 || !asm_condition_known(condition, s->flags))
			return false;
	}
	return true;
}

/* --- operands and results -------------------------------------------------------------------- */

/* Types that a register can hold: those of emit_to_bits(), of at most 16 bytes. */
static bool fits_register(struct asm_state *s, LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return shim_is_sized(type) && kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind &&
	       kind != LLVMX86_FP80TypeKind && plan_is_one_event(emit_store_size(s->e, type));
}

/* The type of result number i of the call. */
static LLVMTypeRef result_type(LLVMValueRef call, unsigned i)
{
	LLVMTypeRef type = LLVMTypeOf(call);

	return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i)
							   : type;
}

/* Set up one operand; *result and *argument count through the call's results and arguments. */
static bool set_up_operand(struct asm_state *s, unsigned i, unsigned *result, unsigned *argument)
{
	struct asm_constraint *c = &s->constraints.c[i];
	LLVMValueRef v;

	if (c->kind == ASM_LABEL)
		return true;
	s->storage[i] = c->tied >= 0	       ? s->storage[c->tied]
			: c->reg != ASM_NO_REG ? c->reg
					       : ASM_REGS + i;
	s->writable[i] = c->kind == ASM_OUTPUT || c->reg != ASM_NO_REG || c->tied >= 0;
	if (c->kind == ASM_OUTPUT && !c->memory) {
		s->type[i] = result_type(s->call, (*result)++);
		return fits_register(s, s->type[i]);
	}
	v = LLVMGetOperand(s->call, (*argument)++);
	if (LLVMIsABlockAddress(v)) { /* until LLVM 14 labels are arguments, after all others */
		c->kind = ASM_LABEL;
		return true;
	}
	if (c->memory) {
		if (*c->flag)
			return false;
		s->address[i] = v;
		s->type[i] = shim_asm_element_type(s->call, *argument - 1);
		if (s->type[i] && !shim_is_sized(s->type[i]))
			s->type[i] = NULL;
		return LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 0;
	}
	s->type[i] = LLVMTypeOf(v);
	return fits_register(s, s->type[i]) && (c->tied < 0 || !s->constraints.c[c->tied].memory);
}

static bool set_up(struct asm_state *s)
{
	unsigned result = 0, argument = 0, labels = 0;

	for (unsigned i = 0; i < s->constraints.n; i++) {
		if (!set_up_operand(s, i, &result, &argument))
			return false;
		if (s->constraints.c[i].kind == ASM_LABEL)
			s->constraints.c[i].label = labels++;
	}
	return argument == LLVMGetNumArgOperands(s->call) && labels == shim_goto_labels(s->call);
}

/* The values of the inputs: this inserts code, so it comes after the checks. */
static void take_inputs(struct asm_state *s)
{
	unsigned argument = 0;

	for (unsigned i = 0; i < s->constraints.n; i++) {
		struct asm_constraint *c = &s->constraints.c[i];

		if (c->kind == ASM_LABEL || (c->kind == ASM_OUTPUT && !c->memory))
			continue;
		if (!c->memory)
			s->reg[s->storage[i]] =
				emit_to_bits(s->e, LLVMGetOperand(s->call, argument));
		argument++;
	}
}

static LLVMValueRef output(struct asm_state *s, unsigned i)
{
	struct asm_constraint *c = &s->constraints.c[i];
	unsigned size = emit_store_size(s->e, s->type[i]);
	LLVMValueRef v;

	if (*c->flag) {
		v = asm_condition_value(s, asm_condition(c->flag));
		v = LLVMBuildZExt(s->e->b, v, emit_int_type(s->e, size), "");
	} else {
		v = asm_storage_read(s, s->storage[i], size);
	}
	return emit_from_bits(s->e, v, s->type[i]);
}

static void put_outputs(struct asm_state *s)
{
	LLVMTypeRef type = LLVMTypeOf(s->call);
	bool many = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	LLVMValueRef all = many ? LLVMGetUndef(type) : NULL, v;
	unsigned n = 0;

	for (unsigned i = 0; i < s->constraints.n; i++) {
		if (s->constraints.c[i].kind != ASM_OUTPUT)
			continue;
		if (s->constraints.c[i].memory)
			continue;
		v = output(s, i);
		all = many ? LLVMBuildInsertValue(s->e->b, all, v, n++, "") : v;
	}
	if (all)
		LLVMReplaceAllUsesWith(s->call, all);
	if (LLVMIsACallBrInst(s->call))
		shim_goto_end(s->call);
	else
		LLVMInstructionEraseFromParent(s->call);
}

/* --- one site -------------------------------------------------------------------------------- */

/* Whether unknown assembly may touch memory, by its operands and clobbers. */
static bool touches_memory(const char *text, size_t n, const char *constraints, size_t nc)
{
	return n && (memchr(constraints, '*', nc) || memmem(constraints, nc, "~{memory}", 9) ||
			    memmem(text, n, "(%", 2) || memmem(text, n, "($", 2) ||
			    memchr(text, '[', n));
}

/* The treatment of assembly that can be interpreted. */
enum verdict { REPLACE, ANNOUNCE, LEAVE, UNKNOWN };

static enum verdict judge_steps(struct asm_state *s, const struct asm_step *steps, int n)
{
	bool keep = false, events = false, memory = false;

	for (int i = 0; i < n; i++) {
		keep |= steps[i].action == DO_KEEP;
		events |= steps[i].action == DO_FENCE || steps[i].action == DO_PAUSE ||
			  steps[i].action == DO_CYCLES;
		if (steps[i].action == DO_NOTHING || steps[i].action == DO_LEA ||
			steps[i].action == DO_JUMP)
			continue;
		for (unsigned k = 0; k < steps[i].insn->n; k++)
			memory |= asm_is_memory(s, &steps[i].insn->operand[k]);
	}
	if (keep) /* cpuid and the like: not replaced, but fences around them are announced */
		return memory ? UNKNOWN : events ? ANNOUNCE : LEAVE;
	return memory || events ? REPLACE : LEAVE;
}

static bool is_for_x86(LLVMValueRef call)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));

	return !strncmp(LLVMGetTarget(LLVMGetGlobalParent(function)), "x86_64", 6);
}

/* Of AArch64. */
static enum verdict understand_arm(struct asm_state *s, struct arm_program *arm)
{
	LLVMValueRef code = LLVMGetCalledValue(s->call);
	size_t n, nc;
	const char *text = shim_asm_text(code, &n), *constraints = shim_asm_constraints(code, &nc);

	if (arm_parse(text, n, arm) && !shim_goto_labels(s->call) &&
		asm_parse_constraints(constraints, nc, &s->constraints) && set_up(s) &&
		arm_check(s, arm))
		return arm_concerns(arm) ? REPLACE : LEAVE;
	return touches_memory(text, n, constraints, nc) ? UNKNOWN : LEAVE;
}

static enum verdict understand(
	struct asm_state *s, struct asm_insn *insn, struct asm_step *steps, int *count)
{
	LLVMValueRef code = LLVMGetCalledValue(s->call);
	size_t n, nc;
	const char *text = shim_asm_text(code, &n), *constraints = shim_asm_constraints(code, &nc);

	*count = asm_parse(text, n, shim_asm_is_intel(code), insn);
	if (!*count)
		return LEAVE; /* a compiler barrier */
	if (*count > 0 && shim_goto_is_simple(s->call) &&
		asm_parse_constraints(constraints, nc, &s->constraints) && set_up(s) &&
		check(s, insn, *count, steps))
		return judge_steps(s, steps, *count);
	return touches_memory(text, n, constraints, nc) ? UNKNOWN : LEAVE;
}

/* Whether unknown assembly may synchronise threads. */
static bool may_order(
	LLVMValueRef call, const char *text, size_t n, const char *constraints, size_t nc)
{
	return shim_goto_labels(call) || memmem(constraints, nc, "~{memory}", 9) ||
	       memmem(text, n, "lock", 4) || memmem(text, n, "xchg", 4) ||
	       memmem(text, n, "xr", 2) || memmem(text, n, "xp", 2);
}

static void opaque(struct pass *p, LLVMValueRef call)
{
	LLVMValueRef code = LLVMGetCalledValue(call);
	size_t n, nc;
	const char *text = shim_asm_text(code, &n), *constraints = shim_asm_constraints(code, &nc);

	pass_opaque(p, call, may_order(call, text, n, constraints, nc),
		"heddle: inline assembly not understood: %s", text);
}

void asm_call_insn(struct pass *p, LLVMValueRef call)
{
	struct asm_state s = {.p = p, .e = &p->e, .call = call};
	struct asm_insn insn[ASM_INSNS];
	struct asm_step steps[ASM_INSNS];
	struct arm_program arm;
	bool x86 = is_for_x86(call);
	int count = 0;

	switch (x86 ? understand(&s, insn, steps, &count) : understand_arm(&s, &arm)) {
	case LEAVE: return;
	case UNKNOWN:
		opaque(p, call);
		return;
	case ANNOUNCE:
		emit_before(&p->e, call);
		for (int i = 0; i < count; i++)
			if (steps[i].action == DO_FENCE || steps[i].action == DO_PAUSE)
				asm_do(&s, &steps[i]);
		return;
	case REPLACE:
		emit_before(&p->e, call);
		take_inputs(&s);
		if (!x86)
			arm_emit(&s, &arm);
		for (int i = 0; x86 && i < count; i++)
			asm_do(&s, &steps[i]);
		put_outputs(&s);
		return;
	}
}
