/* SPDX-License-Identifier: ISC */
/* hardware.h - limits and assumptions of searches under arm8, power, riscv and imm. */
#ifndef SEARCH_LIMIT_HARDWARE_H
#define SEARCH_LIMIT_HARDWARE_H

#include "base/option.h"
#include "trust/trust.h"

/* Does the search need the dependencies of the program itself? */
bool hardware_tracks(const struct options *o);

/* Why the program cannot be explored with these options; NULL: it can. */
const char *hardware_refusal(const struct options *o);

/* The search has ended: add to M.bounds, and note the assumptions of a finding. No effect under
 * other models. Called once, by the searching thread. */
void hardware_end(void);

/*
 * Explore the executions with load buffering, after all others, of a program that `x' has been over
 * with: each is judged by `leaf', as by struct program. False: the search stops there; what is left
 * out is noted.
 */
bool hardware_search(struct trust *x,
	bool (*leaf)(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other));

#endif
