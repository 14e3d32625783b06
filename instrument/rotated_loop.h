/* SPDX-License-Identifier: ISC */
/*
 * rotated_loop.h - two places in a function with the same continuation.
 */
#ifndef INSTRUMENT_ROTATED_LOOP_H
#define INSTRUMENT_ROTATED_LOOP_H

#include "shim.h"

/* The target and source of an edge, without blocks that only branch on. */
struct twin_edge {
	LLVMBasicBlockRef from, to;
};
struct twin_edge twin_edge(LLVMBasicBlockRef from, unsigned nth_successor);

/* The phi's value on the edge from this block; NULL: none. */
LLVMValueRef twin_incoming(LLVMValueRef phi, LLVMBasicBlockRef from);

/* Does the block only lead to another one? It may compute values that iterations of the loop behind
 * it do not need. */
bool twin_passes_on(LLVMBasicBlockRef block);

#define TWIN_INSNS  64
#define TWIN_PASSED 16
#define TWIN_VALUES 32
#define TWIN_OWN    8
#define TWIN_EXITS  8

/* An exit from the operations of a twin. */
struct twin_exit {
	LLVMBasicBlockRef from;
	unsigned nth; /* its successor */
	struct twin_edge edge;
};

struct twin {
	LLVMValueRef insn[2][TWIN_INSNS]; /* the same operations at the ends of the blocks, and of
					     those before them, the last first */
	unsigned ninsns;
	LLVMValueRef passed[TWIN_PASSED]; /* between those before the loop: of constants */
	unsigned npassed;
	LLVMValueRef value[2][TWIN_VALUES]; /* their operands, where those differ */
	unsigned nvalues;
	LLVMValueRef own[2][TWIN_OWN]; /* local variables of these operations alone */
	unsigned nown;
	struct twin_exit exit[2][TWIN_EXITS];
	unsigned nexits;
};

/* Match the operations at the ends of the two blocks, up to branches to the same blocks. */
void twin_compare(struct twin *t, LLVMBasicBlockRef a, LLVMBasicBlockRef b);

/*
 * Is the continuation the same from insn[0][i] and insn[1][i] on, if each value[0] there equals its
 * value[1] here? Fills in the values. Memory, and values computed before both places, are equal
 * anyway.
 */
bool twin_from(struct twin *t, unsigned i);

#endif
