/* SPDX-License-Identifier: ISC */
/* private_program.h - small random programs with locks, atomics and plain data, for private.c. */
#ifndef AGREE_PRIVATE_PROGRAM_H
#define AGREE_PRIVATE_PROGRAM_H

#include "outcomes.h"

#include <stdbool.h>
#include <stdint.h>

#define THREADS OUTCOME_THREADS
#define OPS	9
#define PLAIN	3 /* plain locations; two in the same 8 bytes, one beside an atomic one */
#define ATOMS	2

enum op_kind {
	OP_LOCK,
	OP_UNLOCK,
	OP_WRITE,
	OP_READ,
	OP_STORE,
	OP_LOAD,
	OP_ADD,
	OP_CAS,
	OP_FENCE,
	OP_COPY
};

struct op {
	enum op_kind kind;
	int location, value, order;
};

/* The next program, in place of the last. For the explored code: not part of its memory. */
void program_generate(uint64_t seed);
void program_print(void);
int program_threads(void);
int program_length(int thread);
struct op program_op(int thread, int i);

#endif
