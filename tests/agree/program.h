/* SPDX-License-Identifier: ISC */
/* program.h - a small random concurrent program, and its behaviour according to plain search. */
#ifndef AGREE_PROGRAM_H
#define AGREE_PROGRAM_H

#include "outcomes.h"

#include <stdbool.h>
#include <stdint.h>

#define THREADS	  OUTCOME_THREADS
#define OPS	  5
#define LOCATIONS 3
#define OTHER(l)  (((l) + 1) % LOCATIONS) /* OP_AWAIT_ANY waits for this one, too */

enum op_kind { OP_LOAD, OP_STORE, OP_ADD, OP_XCHG, OP_CAS, OP_FENCE, OP_AWAIT, OP_AWAIT_ANY };
enum model_kind { SC, TSO, PSO, MODELS };

struct op {
	enum op_kind kind;
	int location;
	int value; /* stored, added, waited for, or desired; CAS expects value - 1 */
	int order; /* C11 memory order */
};

struct program {
	int nthreads, nops[THREADS];
	bool waits; /* has an OP_AWAIT */
	struct op op[THREADS][OPS];
};

extern struct program program;

/* The program of this seed, into `program`; with waits: some operations wait for a value. */
void program_generate(uint64_t seed, bool waits);
void program_print(void);

/* For the explored code: the program itself must not be made of events. */
struct op program_op(int thread, int i);
int program_length(int thread);
int program_threads(void);

/*
 * Every execution of `program` under the model, by plain search over the rules of the store-buffer
 * machines in their textbook form: a queue a thread (TSO), a queue a thread and variable with the
 * markers of sfence removed from all queues together (PSO). Returns false if there are more than
 * `limit`. Counts what dfs counts: store issue and waits for an empty buffer are not choices; a
 * load is one, from the buffer or from memory.
 */
bool program_search(enum model_kind m, uint64_t limit, struct outcomes *s);

#endif
