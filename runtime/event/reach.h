/* SPDX-License-Identifier: ISC */
/*
 * reach.h - the table of `heddle run --coverage': the code that executions have reached.
 *
 * The tool makes it (memfd), lists lines and conditional branches of the program, and passes its
 * descriptor as option coverage-fd; the runtime marks the places it reaches. All processes of a
 * search share it.
 */
#ifndef EVENT_REACH_H
#define EVENT_REACH_H

#include "base/base.h"

#define REACH_PAIRS 65536 /* a power of two */

/* Of a point: the question, and the observations. */
enum reach_flag {
	REACH_LINE = 1 << 0,   /* asked: code of a line begins there */
	REACH_BRANCH = 1 << 1, /* asked: a conditional branch */
	REACH_SEEN = 1 << 2,   /* of a line */
	REACH_TAKEN = 1 << 3,  /* of a branch: it has jumped; it has not */
	REACH_PASSED = 1 << 4,
};

struct reach_point {
	u64 address;	   /* of an instruction, in the file of the program */
	volatile u8 flags; /* enum reach_flag */
	u32 first;	   /* its first bytes, which a breakpoint replaces */
};

struct reach {
	u32 npoints;
	volatile u32 more; /* pairs without room */
	u64 base;	   /* load base of the program; the runtime sets it */
	/* Reads and their sources, of graphs: lower halves of code addresses, the read's in the
	 * upper half; of the initial value: 0. A hash table: 0 is free. */
	volatile u64 pair[REACH_PAIRS];
	struct reach_point point[]; /* by address */
};

#endif
