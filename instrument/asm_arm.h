/* SPDX-License-Identifier: ISC */
/*
 * asm_arm.h - AArch64 inline assembly as a list of steps.
 *
 * asm_arm.c reads the text, asm_arm_loop.c recognises loops of exclusive loads and stores, and
 * asm_arm_emit.c inserts the calls of the runtime.
 */
#ifndef INSTRUMENT_ASM_ARM_H
#define INSTRUMENT_ASM_ARM_H

#include "asm_x86.h"

#define ARM_STEPS 24 /* in one template */
#define ARM_ZERO  31 /* the number of the register that is always 0 */

/* A register, an operand of the inline assembly, or a constant. */
struct arm_value {
	bool is_constant;
	int64_t constant;
	struct asm_place place;
};

/* [base, #offset], or an operand of the inline assembly that is memory. */
struct arm_memory {
	bool is_arg;
	struct asm_place base;
	int64_t offset;
};

enum arm_action {
	ARM_NOTHING,
	ARM_COMPUTE, /* to = a op b; op: XCHG is b, else as in enum heddle_rmw */
	ARM_COMPARE, /* a and b: are they equal? */
	ARM_SET,     /* to = were they equal, or not: op */
	ARM_LOAD,
	ARM_STORE, /* of a */
	ARM_RMW,   /* to = the old value; operand a */
	ARM_CAS,   /* to: the value expected, then the one found; desired: a */
	ARM_LOAD_EXCLUSIVE,
	ARM_STORE_EXCLUSIVE, /* of a; to: the status */
	ARM_FENCE,
	ARM_PAUSE,
	ARM_CYCLES,
	ARM_NONZERO, /* branch if a is not 0 */
	ARM_UNEQUAL  /* branch if those compared were not equal */
};

struct arm_step {
	enum arm_action action;
	int op;
	bool inverts;	/* COMPUTE, RMW: the last operand is inverted bit by bit */
	int order;	/* of an access, C11's; a fence's with HEDDLE_FENCE */
	unsigned width; /* of an access in bytes */
	bool has_to;	/* is the result kept? */
	struct asm_place to;
	struct arm_value a, b;
	struct arm_memory at;
	int target; /* of a branch: the index of a step; before that of a label's name */
};

/*
 * A loop of a load and a store exclusive, which is one event.
 *
 * RMW     stores old op operand: `operand` is the step that has the operand (for XCHG: none)
 * CAS     leaves at `leave` if old is not what `operand` compares it with
 * OTHER   what is stored is computed from old otherwise: a CAS of it until that succeeds
 */
enum arm_loop_kind { ARM_LOOP_RMW, ARM_LOOP_CAS, ARM_LOOP_OTHER };

struct arm_loop {
	enum arm_loop_kind kind;
	int load, store; /* steps; the branch back follows */
	int op, operand;
	int leave; /* CAS: the branch; its target is the step at which both go on */
};

struct arm_program {
	struct arm_step step[ARM_STEPS];
	int n;
	struct arm_loop loop[ARM_STEPS]; /* in order */
	int nloops;
};

/* Read a template. False: it is not understood. */
bool arm_parse(const char *text, size_t length, struct arm_program *p);

/* Check the steps against the operands of the state, which is set up, and find the loops. False:
 * some step, or some branch, is not understood. */
bool arm_check(const struct asm_state *s, struct arm_program *p);

/* Is there an access to memory or an event? */
bool arm_concerns(const struct arm_program *p);

/* Where a register or operand lives: an index of asm_state.reg. */
unsigned arm_storage(const struct asm_state *s, const struct asm_place *p);

/* The steps as inserted code. */
void arm_emit(struct asm_state *s, const struct arm_program *p);

/* Which of the operands of a loop's `operand` step is not the loaded value? */
const struct arm_value *arm_other(
	const struct asm_state *s, const struct arm_program *p, const struct arm_loop *l);

#endif
