/* SPDX-License-Identifier: ISC */
/*
 * cyclic.h - random programs of threads that loop for ever, and an abstract machine that has all
 * of their states. Compiled without Heddle.
 *
 * Two or three threads, of one register each, share variables and mutexes; values are 0, 1 and 2.
 */
#ifndef AGREE_CYCLIC_H
#define AGREE_CYCLIC_H

#include <stdbool.h>
#include <stdint.h>

#define CYCLIC_THREADS 3
#define CYCLIC_OPS     10
#define CYCLIC_VARS    3
#define CYCLIC_LOCKS   2
#define CYCLIC_BUFFER  8 /* stores and markers, at most */

enum cyclic_kind {
	CYCLIC_STORE,	 /* the constant */
	CYCLIC_STORE_R,	 /* the register */
	CYCLIC_LOAD,	 /* into the register, as are the results of */
	CYCLIC_EXCHANGE, /* for the constant */
	CYCLIC_CAS,	 /* of the constant for the other one */
	CYCLIC_FENCE,
	CYCLIC_LOCK,
	CYCLIC_UNLOCK,
	CYCLIC_SKIP,   /* the next operation, if the register is the constant */
	CYCLIC_AGAIN,  /* from the operation before on, likewise */
	CYCLIC_ASSERT, /* that it is not */
	CYCLIC_LOOP,   /* to the first operation */
};

enum cyclic_order { CYCLIC_RELAXED, CYCLIC_RELEASE, CYCLIC_SEQ_CST };

enum cyclic_model { CYCLIC_SC, CYCLIC_TSO, CYCLIC_PSO };

struct cyclic_op {
	uint8_t kind, where, value, other, order;
};

struct cyclic_program {
	unsigned threads;
	struct cyclic_op op[CYCLIC_THREADS][CYCLIC_OPS];
};

/* What is seen whenever a thread begins an operation: memory, places and registers. */
#define CYCLIC_VIEW (CYCLIC_VARS + 2 * CYCLIC_THREADS)

struct cyclic_views {
	uint32_t n, room;
	uint64_t *view; /* a hash table of packed views, + 1; 0: free */
};

/* Pack a view of bytes. */
uint64_t cyclic_pack(const uint8_t view[CYCLIC_VIEW]);
void cyclic_see(struct cyclic_views *v, uint64_t view);
void cyclic_clear(struct cyclic_views *v);
/* All of a's are b's. */
bool cyclic_includes(const struct cyclic_views *b, const struct cyclic_views *a);
bool cyclic_same(const struct cyclic_views *a, const struct cyclic_views *b);

/* All that the abstract machine says of a program. */
struct cyclic_result {
	bool fails;	/* an assertion can */
	bool deadlocks; /* the threads can */
	bool full;	/* a store has waited for room in its buffer */
	bool unused;	/* it would not have with one for one store */
	uint32_t states;
	bool cut; /* there are more than `most' states */
};

/* A seed with this remainder modulo 8 has a program of threads that take turns. */
#define CYCLIC_TURNS 5
void cyclic_generate(uint64_t seed, struct cyclic_program *p);
struct cyclic_op cyclic_op(const struct cyclic_program *p, int thread, int i);
void cyclic_print(const struct cyclic_program *p);
/* by_step: stores and fences are steps, too. Its views are added to v's. */
struct cyclic_result cyclic_explore(const struct cyclic_program *p, enum cyclic_model model,
	unsigned buffer, bool by_step, uint32_t most, struct cyclic_views *v);

#endif
