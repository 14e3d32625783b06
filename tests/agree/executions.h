/* SPDX-License-Identifier: ISC */
/* executions.h - executions of a graph program, in a form that explorer and oracle share, and sets
 * of them. */
#ifndef AGREE_EXECUTIONS_H
#define AGREE_EXECUTIONS_H

#include "graph_program.h"

#define SLOT_INIT 0   /* otherwise: 1 + thread * GP_OPS + operation */
#define SLOT_NONE 255 /* did not read */
#define CO_MAX	  8

/*
 * Complete execution. Operations are called by their slots. The first part decides the rest but co.
 * An operation reads more than once if it waits for two places, or is of several.
 */
struct execution {
	uint8_t rf[GP_SLOTS][GP_PIECES]; /* sources; CHOOSE: [0] is the number chosen */
	uint8_t rare[GP_SLOTS];	       /* a weak CAS failed spuriously */
	uint8_t reg[GP_SLOTS];	       /* the value that the operation learned */
	uint8_t memory[GP_PLACES];     /* at the end */
	uint8_t co[GP_PLACES][CO_MAX]; /* slots of the writes, 0-terminated */
};

static inline int gp_slot(int thread, int i)
{
	return 1 + thread * GP_OPS + i;
}

void execution_clear(struct execution *x);
/* The operation does not end: its reads so far do not count. */
void execution_waits(struct execution *x, int slot);
void execution_print(const struct gprogram *p, const struct execution *x);

/* An execution, its reads-from part only, or its outcome only: the rest is 0. */
enum part { PART_ALL, PART_RF, PART_OUTCOME };
struct execution execution_part(const struct execution *x, enum part part);

/* A set of executions, or of parts of them. */
struct executions {
	struct execution *x;
	unsigned *bucket; /* hash -> 1 + index */
	unsigned n, max;
};

void executions_clear(struct executions *s);

/* Returns false if it is there already. */
bool executions_add(struct executions *s, const struct execution *x, enum part part);
bool executions_have(const struct executions *s, const struct execution *x);

#endif
