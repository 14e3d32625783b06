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

#include "base/option.h"

/* Kinds of facts, an option each; a bit for each: */
enum learnt {
	LEARNT_CANCELLED,     /* thread that is cancelled */
	LEARNT_SIGNALLED,     /* thread that signals are sent to, or the process */
	LEARNT_SIGNALS,	      /* number of a signal that is sent (signal_bit()) */
	LEARNT_UNSAFE,	      /* handlers make unsafe calls (unsafe.h) */
	LEARNT_STREAM_LOCKS,  /* locks of stdio are taken by name */
	LEARNT_FOREIGN,	      /* libraries that are not instrumented have state (foreign.h) */
	LEARNT_PATHS,	      /* an operation concerns several paths at once */
	LEARNT_SERIAL_ROUNDS, /* round of a barrier, modulo 64, whose results are looked at */
	LEARNT_STANDARD,      /* descriptor 0, 1, 2 that the program puts another in place of */
	LEARNT_KINDS
};

/* An exploration begins, with the facts in the options of a replay file. adopted() is called
 * whenever facts are adopted. / Write them to the options, for a replay file. */
void learnt_begin(const struct options *o, void (*adopted)(void));
void learnt_put(struct options *o);
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
