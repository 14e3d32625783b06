/* SPDX-License-Identifier: ISC */
/* asm_meaning.h - the effect of an x86-64 instruction in inline assembly on memory. */
#ifndef GCC_ASM_MEANING_H
#define GCC_ASM_MEANING_H

#include "gcc/asm_line.h"

enum asm_does {
	ASM_NOTHING, /* to memory that is shared */
	ASM_ACCESSES,
	ASM_FENCES, /* and is run */
	ASM_PAUSES, /* likewise */
	ASM_COUNTS, /* cycles, and is not run */
	ASM_IS_UNKNOWN,
	ASM_MAY_ORDER, /* unknown, and it may order accesses */
};

struct asm_meaning {
	enum asm_does does;
	unsigned memory; /* ACCESSES: the operand that is */
	unsigned size;
	int before, operation; /* a call before: an enum heddle_asm, -1 for none */
	unsigned flags;
	const char *operand; /* of that call, NULL if it has none */
	bool run;	     /* the instruction is run, on the cell */
	bool store;	     /* and its result there is stored */
	const char *name;    /* of the instruction that is run */
};

struct asm_meaning asm_meaning(const struct asm_line *line);

#endif
