/* SPDX-License-Identifier: ISC */
/* buffers.h - the programs of program.h, and their outcomes by plain search over store buffers. */
#ifndef AGREE_BUFFERS_H
#define AGREE_BUFFERS_H

#include "executions.h"

/* The program of this seed by program.c, as a graph program. */
void buffers_generate(struct gprogram *p, bool waits, uint64_t seed);

/* Plain search of it under SC, TSO or PSO; returns false if that takes too long. */
bool buffers_search(enum gp_model m);

/* Did the search find the outcome; the number of outcomes; was some execution stuck? */
bool buffers_has(const struct gprogram *p, const struct execution *x);
unsigned buffers_outcomes(void);
bool buffers_stuck(void);

#endif
