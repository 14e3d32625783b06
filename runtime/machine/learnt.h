/* SPDX-License-Identifier: ISC */
/*
 * learnt.h - facts about the program that a search learns: features that add steps to executions.
 *
 * The first use of a feature ends the execution, and the search begins again with the new fact, so
 * that programs that never use it do not pay for it. The facts are shared by all processes of a
 * search, and are kept in replay files.
 */
#ifndef MACHINE_LEARNT_H
#define MACHINE_LEARNT_H

#include "base/base.h"

/* Kinds of facts; each is a set, of a bit for each: */
enum learnt {
	LEARNT_CANCELLED, /* threads */
	LEARNT_SIGNALLED, /* threads, the process */
	LEARNT_SIGNALS,	  /* numbers that are sent (signal_bit()) */
	LEARNT_UNSAFE,	  /* handlers make unsafe calls (unsafe.h) */
	LEARNT_STREAM_LOCKS, /* of stdio are taken by name */
	LEARNT_FOREIGN,	     /* libraries that are not instrumented have state (foreign.h) */
	LEARNT_PATHS,	     /* an operation concerns several paths at once */
	LEARNT_SERIAL_ROUNDS, /* of barriers, modulo 64: results that the program looks at */
	LEARNT_STANDARD,      /* descriptors 0, 1, 2 that the program puts others in place of */
	LEARNT_KINDS
};

/* An exploration begins, with the facts of a replay file; 0 = nothing is known. adopted() is called
 * whenever facts are adopted. */
void learnt_begin(const u64 facts[LEARNT_KINDS], void (*adopted)(void));
/* The adopted facts. */
u64 learnt_known(enum learnt what);
/* The search begins again: adopt the new facts. */
void learnt_adopt(void);
/* Has the last execution ended because of a new fact, not adopted yet? */
extern bool learnt_changed;
/* Add a fact. The first time this ends the execution. */
void learnt_add(enum learnt what, u64 bit);
/* The same between executions. */
void learnt_note(enum learnt what, u64 bit);

#endif
