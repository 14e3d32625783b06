/* SPDX-License-Identifier: ISC */
/*
 * asm_x86.h - inline assembly as a small program over LLVM values.
 *
 * asm_site.c sets the state up from the operands of one inline assembly, checks that every
 * instruction is understood, runs asm_x86.c's actions, which insert calls of the runtime, and takes
 * the results out.
 */
#ifndef INSTRUMENT_ASM_X86_H
#define INSTRUMENT_ASM_X86_H

#include "asm.h"
#include "llvm_pass.h"

/* The known state of the processor's flags. */
enum asm_flags { FLAGS_NONE, FLAGS_ZERO, FLAGS_CARRY, FLAGS_NO_CARRY, FLAGS_ALL };

/* How a flag follows from the operands of the instruction that set it. */
enum asm_arithmetic { FROM_ADD, FROM_SUB, FROM_LOGIC };

struct asm_state {
	struct pass *p;
	struct emit *e;
	LLVMValueRef call;
	struct asm_constraints constraints;
	LLVMValueRef address[ASM_ARGS]; /* of memory operands */
	LLVMTypeRef type[ASM_ARGS];	/* of the operand's value; NULL if not known */
	unsigned storage[ASM_ARGS];	/* where a value operand lives: index in reg */
	bool writable[ASM_ARGS];
	LLVMValueRef reg[ASM_REGS + ASM_ARGS]; /* integers, of at most 16 bytes; NULL = never set */
	enum asm_flags flags;
	enum asm_arithmetic arithmetic;
	LLVMValueRef a, b, result; /* of the last arithmetic instruction */
	LLVMValueRef zero, carry;  /* i1, if known otherwise */
};

enum asm_action {
	DO_NOTHING,
	DO_KEEP,
	DO_MOVE,
	DO_EXTEND,
	DO_LEA,
	DO_BINARY,
	DO_COMPARE,
	DO_TEST,
	DO_STEP,
	DO_NEG,
	DO_NOT,
	DO_XADD,
	DO_XCHG,
	DO_CMPXCHG,
	DO_CMPXCHG_PAIR,
	DO_BIT,
	DO_SET,
	DO_FENCE,
	DO_PAUSE,
	DO_CYCLES, /* how: rdtscp */
	DO_JUMP
};

/* One instruction with what it does: `how` depends on the action. */
struct asm_step {
	const struct asm_insn *insn;
	enum asm_action action;
	int how;	/* an enum heddle_rmw, a memory order, a condition, ... */
	unsigned width; /* of the operation in bytes */
	unsigned from;	/* DO_EXTEND: width of the source */
};

/* Conditions: the low bit negates. */
enum asm_condition {
	IF_OVERFLOW = 0,
	IF_CARRY = 2,
	IF_ZERO = 4,
	IF_BELOW_EQUAL = 6,
	IF_SIGN = 8,
	IF_LESS = 10,
	IF_LESS_EQUAL = 12,
	ALWAYS = 14
};

/* The condition of a suffix as in setz, or -1; ALWAYS: as in jmp; and whether these flags decide
 * it. */
int asm_condition(const char *name);
bool asm_condition_known(int condition, enum asm_flags flags);
LLVMValueRef asm_condition_value(struct asm_state *s, int condition);

bool asm_is_memory(const struct asm_state *s, const struct asm_operand *o);

/* The flags as they will be after a step. */
enum asm_flags asm_flags_after(const struct asm_step *step, enum asm_flags before);

/* Insert the code of one step, which has been checked. */
void asm_do(struct asm_state *s, const struct asm_step *step);

/* The value of a storage as an integer of this many bytes. */
LLVMValueRef asm_storage_read(struct asm_state *s, unsigned storage, unsigned width);

#endif
