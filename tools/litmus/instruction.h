/* SPDX-License-Identifier: ISC */
/* instruction.h - shared by the files that write instructions as C statements (litmus.h). The
 * macros LOAD, STORE, UPDATE and SWAP are those of write.c. */
#ifndef LITMUS_INSTRUCTION_H
#define LITMUS_INSTRUCTION_H

#include "litmus/litmus.h"

/* Take a line apart; a label before it is written. False: there is no more. */
bool instruction_read(struct litmus *t, unsigned thread, const struct litmus_line *l,
	struct instruction *i, FILE *out);

/* It has so many operands, or is refused. */
void instruction_operands(struct litmus *t, const struct instruction *i, unsigned n);

/* Heddle does not know the instruction. */
_Noreturn void instruction_refuse(struct litmus *t, const struct instruction *i);

/* The name of a label, for C; an operand that is none is refused. */
const char *instruction_label(struct litmus *t, const struct instruction *i, const char *operand);

/* A number, perhaps after a sign such as '#'; refused if it is none. */
int64_t instruction_number(
	struct litmus *t, const struct instruction *i, const char *operand, char sign);

/* An exclusive load and the store behind it. target, status: assignments without their end,
 * "x5 = (". */
struct exclusive {
	const char *address, *target, *value, *status;
	const char *order;	/* of both */
	const char *load_order; /* of the load, if the store fails */
	bool same; /* it stores the value that it has loaded */
};
void arm_exclusive(struct litmus *t, const struct instruction *load,
	const struct instruction *store, struct exclusive *x);
void power_exclusive(struct litmus *t, const struct instruction *load,
	const struct instruction *store, struct exclusive *x);
void riscv_exclusive(struct litmus *t, const struct instruction *load,
	const struct instruction *store, struct exclusive *x);

/* A row of a table of instructions d = a OP b. The symbol, NULL: it is none of them. */
struct binary_operation {
	const char *name, *symbol;
};
const char *operation_find(const struct binary_operation *table, const char *name);

#endif
