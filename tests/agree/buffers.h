/* SPDX-License-Identifier: ISC */
/* buffers.h - the programs of program.h, whose outcomes plain search over store buffers knows. */
#ifndef AGREE_BUFFERS_H
#define AGREE_BUFFERS_H

#include "executions.h"

/* The program that program.c makes of this seed, as a graph program. */
void buffers_generate(struct gprogram *p, bool waits, uint64_t seed);

/* Plain search of it under SC, TSO or PSO; returns false if that takes too long. */
bool buffers_search(enum gp_model m);

/* Whether that saw the outcome, and how many it saw; whether some execution was stuck. */
bool buffers_has(const struct gprogram *p, const struct execution *x);
unsigned buffers_outcomes(void);
bool buffers_stuck(void);

#endif
