/* SPDX-License-Identifier: ISC */
/*
 * asm_line.h - x86-64 assembly as gcc has written it (AT&T syntax), an instruction at a time.
 *
 * Unlike the input of instrument/asm.h, operands have been substituted.
 */
#ifndef GCC_ASM_LINE_H
#define GCC_ASM_LINE_H

#include <stdbool.h>
#include <stddef.h>

#define ASM_LINE_OPERANDS 4
#define ASM_LINE_MAX	  1024 /* characters of an instruction */

struct asm_line {
	const char *text; /* in the source: a label, prefixes, the instruction */
	size_t length;
	bool label;	/* it is one: `name:' */
	bool directive; /* it begins with a dot */
	bool lock, rep;
	char name[24]; /* of the instruction, lower case */
	unsigned n;
	const char *operand[ASM_LINE_OPERANDS]; /* AT&T order: the destination is last */
	char buffer[ASM_LINE_MAX];
};

/*
 * The first instruction, label or directive between text and end; prefixes that stand alone belong
 * to the next one. Returns the text after it, or NULL if there is none. One that cannot be read has
 * no name.
 */
const char *asm_line_next(const char *text, const char *end, struct asm_line *line);

/* Does the operand name memory that C could share? Memory relative to fs or gs is not, nor are the
 * constants of the linker's table. */
bool asm_line_is_memory(const char *operand);
bool asm_line_is_register(const char *operand);

/* Bytes of a general register, 16 of an xmm register, else 0. */
unsigned asm_line_register_size(const char *operand);

#endif
