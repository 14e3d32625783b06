/* SPDX-License-Identifier: ISC */
/* native_given.h - the program that native.c is to run, and its outcomes by the axioms. Compiled
 * without Heddle: none of this is an event. */
#ifndef AGREE_NATIVE_GIVEN_H
#define AGREE_NATIVE_GIVEN_H

#include "graph_program.h"

/* Of this seed. False: it has too many executions. */
bool given_begin(uint64_t seed);
const struct gprogram *given(void);

int given_threads(void);
int given_length(int thread);
uint64_t given_op(int thread, int i, int half); /* 8 bytes of the operation */
enum gp_object given_object(int place);		/* GP_ROBUST, if a thread ends with it */
unsigned given_initial(int place);
bool given_is_spawned(int thread);
bool given_is_joined(int thread); /* by another one of the program */

/* Random bits that belong to the program: a number in [0, n) for each question. */
unsigned given_style(unsigned question, unsigned n);

bool given_has_race(enum gp_model m);
bool given_is_stuck(enum gp_model m);
unsigned given_outcomes(enum gp_model m);
bool given_has_outcome(enum gp_model m, uint64_t digest);

/* What threads have learned, and what is in memory. */
uint64_t given_digest(uint8_t reg[GP_THREADS][GP_OPS], const int memory[GP_MEMORY]);

#endif
