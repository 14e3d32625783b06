/* SPDX-License-Identifier: ISC */
/*
 * counted.h - generated programs with known verdicts: correct by construction, or with one thing
 * weakened.
 *
 * A program is a graph program (tests/agree), so that the oracle there, which shares no code with
 * Heddle, can judge it; explore.c interprets it, render.c prints it as C. Programs go from one tool
 * to the next as a stream of struct counted.
 */
#ifndef COUNT_COUNTED_H
#define COUNT_COUNTED_H

#include "graph_program.h"

#define COUNT_THREADS 4 /* at most */
#define COUNT_ANY     255

/* The errors of some execution; STUCK: some threads wait for ever. */
enum { HAS_RACE = 1, HAS_FAILURE = 2, HAS_STUCK = 4 };

/*
 * The special meaning of some operations of a protocol, if none of it has been weakened: WAIT: the
 * load of a flag under its lock, for waiting for a condition; SIGNAL: the store there;
 * ONCE: all from this one to the next AWAIT, for pthread_once().
 */
enum role { ROLE_NONE, ROLE_WAIT, ROLE_SIGNAL, ROLE_ONCE };

struct counted {
	struct gprogram program;
	uint64_t seed;
	uint8_t protocols;
	uint8_t plain[GP_MEMORY]; /* its accesses are not atomic */
	uint8_t final[GP_MEMORY]; /* the value at the end of each execution, or COUNT_ANY */
	uint8_t role[COUNT_THREADS][GP_OPS]; /* for render.c */
	char change[80];	  /* the weakened element; "": none */
	uint8_t verdict[GP_MODELS]; /* of the oracle; 0 without it */
};

/* The program of this seed. With `weaken`, one order, fence or lock of it is weaker or
 * missing. */
void counted_generate(struct counted *c, uint64_t seed, bool weaken);

/* With random numbers in [0, n) from below(n). False: there is nothing to weaken. */
bool counted_weaken(struct counted *c, unsigned below(unsigned n));

#endif
