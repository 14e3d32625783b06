/* SPDX-License-Identifier: ISC */
/*
 * asm_arm_loop.c - loops of an exclusive load and store in AArch64 inline assembly.
 *
 * Between the two each register is followed: is it the loaded value, computed from it by one
 * operation, or independent of it? A loop that stores one operation of the loaded value is a
 * read-modify-write, one that leaves if that is not the value wanted is a compare and exchange.
 */
#include "asm_arm.h"

#include <string.h>

enum dependence { FREE, OLD, OPERATION, MIXED };

struct trace {
	const struct asm_state *s;
	struct arm_program *p;
	struct arm_loop *l;
	enum dependence of[ASM_REGS + ASM_ARGS];
	int step[ASM_REGS + ASM_ARGS]; /* OPERATION: that of it */
	int compared;		       /* the step ARM_COMPARE; -1: none, or not of the old value */
};

unsigned arm_storage(const struct asm_state *s, const struct asm_place *p)
{
	return p->is_arg ? s->storage[p->number] : p->number;
}

static enum dependence dependence_of(const struct trace *t, const struct arm_value *v)
{
	if (v->is_constant || (!v->place.is_arg && v->place.number == ARM_ZERO))
		return FREE;
	return t->of[arm_storage(t->s, &v->place)];
}

static bool commutes(int op)
{
	return op == HEDDLE_ADD || op == HEDDLE_AND || op == HEDDLE_OR || op == HEDDLE_XOR;
}

static void compute(struct trace *t, int i)
{
	const struct arm_step *step = &t->p->step[i];
	enum dependence a = dependence_of(t, &step->a), b = dependence_of(t, &step->b), d = MIXED;
	unsigned to = arm_storage(t->s, &step->to);
	bool wide = step->to.size >= t->p->step[t->l->load].width;

	if (a == FREE && b == FREE)
		d = FREE;
	else if (!wide)
		d = MIXED;
	else if (step->op == HEDDLE_XCHG && !step->inverts && b == OLD)
		d = OLD;
	else if (step->op == HEDDLE_XCHG)
		d = step->inverts && b == OLD ? OPERATION : MIXED; /* mvn */
	else if (a == OLD && b == FREE)
		d = OPERATION;
	else if (b == OLD && a == FREE && commutes(step->op) && !step->inverts)
		d = OPERATION;
	t->of[to] = d;
	t->step[to] = i;
}

/* One of the operands is the value loaded, the other independent of it. */
static bool compares_old(const struct trace *t, const struct arm_step *step)
{
	enum dependence a = dependence_of(t, &step->a), b = dependence_of(t, &step->b);

	return (a == OLD && b == FREE) || (a == FREE && b == OLD);
}

/* Is it the branch that leaves if the old value is not the one wanted? */
static bool leave(struct trace *t, int i)
{
	const struct arm_step *step = &t->p->step[i];
	struct arm_loop *l = t->l;
	unsigned at;

	if (l->leave >= 0 || step->target <= l->store + 1)
		return false;
	l->leave = i;
	l->operand = t->compared;
	if (step->action == ARM_UNEQUAL)
		return t->compared >= 0;
	if (step->a.is_constant)
		return false;
	at = arm_storage(t->s, &step->a.place);
	l->operand = t->of[at] == OPERATION ? t->step[at] : i;
	return t->of[at] == OLD ||
	       (t->of[at] == OPERATION && t->p->step[t->step[at]].op == HEDDLE_XOR &&
		       !t->p->step[t->step[at]].inverts);
}

static bool follow_steps(struct trace *t)
{
	for (int i = t->l->load + 1; i < t->l->store; i++) {
		const struct arm_step *step = &t->p->step[i];

		if (step->has_to && !step->to.is_arg && step->to.number == ARM_ZERO)
			return false;
		switch (step->action) {
		case ARM_NOTHING: break;
		case ARM_COMPUTE: compute(t, i); break;
		case ARM_COMPARE: t->compared = compares_old(t, step) ? i : -1; break;
		case ARM_UNEQUAL:
		case ARM_NONZERO:
			if (!leave(t, i))
				return false;
			break;
		default: return false;
		}
		if (step->has_to && arm_storage(t->s, &step->to) ==
					    arm_storage(t->s, &t->p->step[t->l->load].at.base))
			return false; /* the address */
	}
	return true;
}

/* What the value that is stored makes of the loop. */
static bool judge(struct trace *t)
{
	struct arm_loop *l = t->l;
	const struct arm_value *v = &t->p->step[l->store].a;
	enum dependence d = dependence_of(t, v);
	unsigned at = v->is_constant ? 0 : arm_storage(t->s, &v->place);

	if (l->leave >= 0) {
		l->kind = ARM_LOOP_CAS;
		return d == FREE;
	}
	l->kind = d == MIXED || d == OLD ? ARM_LOOP_OTHER : ARM_LOOP_RMW;
	l->op = HEDDLE_XCHG;
	l->operand = -1;
	if (d == OPERATION) {
		l->operand = t->step[at];
		l->op = t->p->step[l->operand].op;
		if (l->op == HEDDLE_XCHG)
			l->op = HEDDLE_XOR; /* mvn: of all ones */
	}
	return true;
}

const struct arm_value *arm_other(
	const struct asm_state *s, const struct arm_program *p, const struct arm_loop *l)
{
	const struct arm_step *step = &p->step[l->operand];
	struct trace t = {.s = s, .p = (struct arm_program *)p, .l = (struct arm_loop *)l};

	t.of[arm_storage(s, &p->step[l->load].to)] = OLD;
	for (int i = l->load + 1; i < l->operand; i++)
		if (p->step[i].action == ARM_COMPUTE)
			compute(&t, i);
	return dependence_of(&t, &step->b) == FREE ? &step->b : &step->a;
}

static bool same_memory(const struct arm_memory *a, const struct arm_memory *b)
{
	return a->is_arg == b->is_arg && a->base.is_arg == b->base.is_arg &&
	       a->base.number == b->base.number && a->offset == b->offset;
}

/* After the loop of a CAS, up to where both ways meet: only what may be skipped. */
static bool may_be_skipped(const struct arm_program *p, const struct arm_loop *l)
{
	for (int i = l->store + 2; i < p->step[l->leave].target; i++)
		if (p->step[i].action != ARM_COMPUTE && p->step[i].action != ARM_FENCE &&
			p->step[i].action != ARM_NOTHING)
			return false;
	return true;
}

/* The operand that is memory is passed once for reading and once for writing. */
static bool same_address(
	const struct asm_state *s, const struct arm_memory *a, const struct arm_memory *b)
{
	return same_memory(a, b) ||
	       (a->is_arg && b->is_arg && s->address[a->base.number] == s->address[b->base.number]);
}

static bool find_loop(const struct asm_state *s, struct arm_program *p, int load)
{
	struct arm_loop *l = &p->loop[p->nloops];
	struct trace t = {.s = s, .p = p, .l = l, .compared = -1};
	const struct arm_step *from = &p->step[load], *to, *back;
	int store = load + 1;

	while (store < p->n && p->step[store].action != ARM_STORE_EXCLUSIVE)
		store++;
	if (store + 1 >= p->n)
		return false;
	to = &p->step[store];
	back = &p->step[store + 1];
	*l = (struct arm_loop){.load = load, .store = store, .leave = -1, .operand = -1};
	if (back->action != ARM_NONZERO || back->target > load || back->a.is_constant ||
		arm_storage(s, &back->a.place) != arm_storage(s, &to->to) ||
		to->width != from->width || !same_address(s, &from->at, &to->at))
		return false;
	if (!from->at.is_arg && arm_storage(s, &from->to) == arm_storage(s, &from->at.base))
		return false;
	for (int i = back->target; i < load; i++)
		if (p->step[i].action != ARM_NOTHING)
			return false;
	t.of[arm_storage(s, &from->to)] = OLD;
	if (!follow_steps(&t) || !judge(&t) || (l->kind == ARM_LOOP_CAS && !may_be_skipped(p, l)))
		return false;
	p->nloops++;
	return true;
}

static bool find_loops(const struct asm_state *s, struct arm_program *p)
{
	for (int i = 0; i < p->n; i++) {
		enum arm_action action = p->step[i].action;

		if (action == ARM_STORE_EXCLUSIVE || action == ARM_NONZERO || action == ARM_UNEQUAL)
			return false;
		if (action != ARM_LOAD_EXCLUSIVE)
			continue;
		if (!find_loop(s, p, i))
			return false;
		i = p->loop[p->nloops - 1].store + 1;
	}
	return true;
}

/* --- checks ----------------------------------------------------------------------------------- */

static bool has_place(const struct asm_state *s, const struct asm_place *p, bool writes)
{
	const struct asm_constraint *c = &s->constraints.c[p->number];

	return !p->is_arg || (p->number < s->constraints.n && !c->memory && c->kind != ASM_LABEL &&
				     (!writes || s->writable[p->number]));
}

static bool has_value(const struct asm_state *s, const struct arm_value *v)
{
	return v->is_constant || has_place(s, &v->place, false);
}

static bool has_memory(const struct asm_state *s, const struct arm_memory *m)
{
	if (!m->is_arg)
		return has_place(s, &m->base, false) &&
		       (m->base.is_arg || m->base.number != ARM_ZERO);
	return m->base.number < s->constraints.n && s->constraints.c[m->base.number].memory;
}

static bool accesses(const struct arm_step *t)
{
	return t->width != 0;
}

static bool check_step(const struct asm_state *s, const struct arm_step *t, bool compared)
{
	if (t->has_to && !has_place(s, &t->to, true))
		return false;
	if (!has_value(s, &t->a) || !has_value(s, &t->b) || (accesses(t) && !has_memory(s, &t->at)))
		return false;
	return t->action != ARM_SET || compared;
}

bool arm_check(const struct asm_state *s, struct arm_program *p)
{
	bool compared = false;

	for (unsigned i = 0; i < s->constraints.n; i++)
		if (*s->constraints.c[i].flag || s->constraints.c[i].kind == ASM_LABEL)
			return false;
	for (int i = 0; i < p->n; i++) {
		compared |= p->step[i].action == ARM_COMPARE;
		if (!check_step(s, &p->step[i], compared))
			return false;
	}
	return find_loops(s, p);
}

bool arm_concerns(const struct arm_program *p)
{
	for (int i = 0; i < p->n; i++)
		if (accesses(&p->step[i]) || p->step[i].action == ARM_FENCE ||
			p->step[i].action == ARM_PAUSE || p->step[i].action == ARM_CYCLES)
			return true;
	return false;
}
