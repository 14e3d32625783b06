/* SPDX-License-Identifier: ISC */
/*
 * asm.h - the text of x86-64 inline assembly as a list of instructions.
 *
 * Only syntax: asm_x86.c has the meaning of instructions. Independent of LLVM.
 */
#ifndef INSTRUMENT_ASM_H
#define INSTRUMENT_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASM_INSNS    16 /* in one template */
#define ASM_OPERANDS 3	/* of one instruction */
#define ASM_ARGS     32 /* operands of the inline assembly: $0, $1, ... */

enum asm_reg {
	AX,
	CX,
	DX,
	BX,
	SP,
	BP,
	SI,
	DI,
	R8,
	R9,
	R10,
	R11,
	R12,
	R13,
	R14,
	R15,
	ASM_X86_REGS,
	ASM_REGS = 32, /* AArch64: x0 to x30 */
	ASM_NO_REG
};

/* A register, or an operand of the inline assembly for one. */
struct asm_place {
	bool is_arg;
	unsigned number;    /* of the argument, or an enum asm_reg */
	unsigned char size; /* in bytes, 0: as large as the argument is */
};

enum asm_kind { ASM_REG, ASM_ARG, ASM_IMM, ASM_MEM, ASM_TARGET };

/*
 * REG    place
 * ARG    place; a register, a constant or memory, as its constraint says. With an offset: memory.
 * IMM    value
 * TARGET place.number: an argument that is a label
 * MEM    base + index * scale + value; base and index may be missing (ASM_NO_REG)
 */
struct asm_operand {
	enum asm_kind kind;
	struct asm_place place, index;
	unsigned scale;
	int64_t value;
};

struct asm_insn {
	bool lock, rep;
	char name[16]; /* lower case, as written */
	unsigned n;
	struct asm_operand operand[ASM_OPERANDS]; /* AT&T order: the destination is last */
};

/* Fill in insn[] from a template. Returns their number, or -1 if it is not understood. */
int asm_parse(const char *text, size_t length, bool intel, struct asm_insn insn[ASM_INSNS]);

enum asm_constraint_kind { ASM_OUTPUT, ASM_INPUT, ASM_CLOBBER, ASM_LABEL };

struct asm_constraint {
	enum asm_constraint_kind kind;
	unsigned label; /* LABEL: which of the labels, counted from 0 */
	bool memory;  /* an address is passed: the operand is what lies there */
	int tied;     /* an input that shares the place of this output, or -1 */
	unsigned reg; /* a fixed register, or ASM_NO_REG */
	char flag[8]; /* an output that is a condition: "z", "c", ...; else empty */
};

struct asm_constraints {
	unsigned n; /* operands; clobbers are not counted */
	struct asm_constraint c[ASM_ARGS];
	bool clobbers_memory;
};

/* Take a constraint string apart. Returns false if it is not understood. */
bool asm_parse_constraints(const char *text, size_t length, struct asm_constraints *out);

#endif
