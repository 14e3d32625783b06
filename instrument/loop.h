/* SPDX-License-Identifier: ISC */
/* loop.h - a loop that may wait for another thread, and the call at its head. */
#ifndef INSTRUMENT_LOOP_H
#define INSTRUMENT_LOOP_H

#include "counter.h"
#include "llvm_pass.h"
#include "rotated_loop.h"

#define VALUES_MAX 64

/* Private variables that a loop changes, and that are live at its head. */
struct variables {
	LLVMValueRef *list;
	unsigned long long *size;
	unsigned n;
};

/* A place for the call. */
struct hook {
	LLVMValueRef before; /* this instruction */
	LLVMValueRef value[VALUES_MAX];
	const struct counter *counter[VALUES_MAX]; /* the counter that the value is; NULL: none */
	unsigned n, ncounters;
	unsigned long long bytes; /* of all values and variables, without counters */
	LLVMValueRef entered;	  /* is the loop being entered? */
	bool counted;		  /* only counters end the loop: it does not wait */
	bool skipped;		  /* too much is live, or an unknown amount */
};

/* At the head, or a pair of values of a twin. */
struct loop_counter {
	struct counter counter;
	const struct twin *twin;
	unsigned pair;
};

struct loop {
	LLVMBasicBlockRef *block; /* the first is the head */
	unsigned n;
	struct variables variables;
	struct hook hook;  /* at the head */
	struct twin *twin; /* by test before the loop: the test at the end of an iteration */
	unsigned ntwins, nlatches;
	struct loop_counter *counter;
	unsigned ncounters;
};

/* A counter at the head of a loop, and after the call. */
struct moved {
	LLVMValueRef before, after;
};

struct loops {
	struct pass *p;
	struct loop *loop;
	unsigned n, names;
	struct moved *moved;
	unsigned nmoved;
};

void *loop_grown(void *list, size_t size);
bool loop_has(const struct loop *l, LLVMBasicBlockRef block);

/* The place for a call in a block, after the phis; NULL: none. */
LLVMValueRef loop_place(LLVMBasicBlockRef head);

/* --- loop_call.c ------------------------------------------------------------------------------ */

/* Before any block is split, while the blocks of each loop are known. / Insert the calls. */
void loop_prepare(struct emit *e, struct loop *l);
void loop_insert(struct loops *all, struct loop *l);

#endif
