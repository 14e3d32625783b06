/* SPDX-License-Identifier: ISC */
/* private_program.h - small random programs with locks, atomics and plain data, for private.c. */
#ifndef AGREE_PRIVATE_PROGRAM_H
#define AGREE_PRIVATE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define THREADS 3
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

/* The next program, in place of the last. For the explored code: it is no part of its memory. */
void program_generate(uint64_t seed);
void program_print(void);
int program_threads(void);
int program_length(int thread);
struct op program_op(int thread, int i);

/* Outcomes, each with the last execution that had it. */
struct outcomes {
	unsigned n;
	uint64_t executions;
	struct {
		uint64_t reads[THREADS], memory, last;
	} o[4096];
};

void outcomes_add(struct outcomes *s, const uint64_t reads[THREADS], uint64_t memory);
/* Is each of a, seen after its first `skip_a` executions, among those of b, seen after its first
 * `skip_b`? */
bool outcomes_subset(const struct outcomes *a, uint64_t skip_a, const struct outcomes *b,
	uint64_t skip_b);

#endif
