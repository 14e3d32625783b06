/* SPDX-License-Identifier: ISC */
/* hardware.h - limits and assumptions of searches under arm8, power, riscv and imm. */
#ifndef SEARCH_HARDWARE_H
#define SEARCH_HARDWARE_H

#include "base/option.h"

/* Does the search need the dependencies of the program itself? */
bool hardware_tracks(const struct options *o);

/* Why the program cannot be explored with these options; NULL: it can. */
const char *hardware_refusal(const struct options *o);

/* The search has ended: add to M.bounds, and note the assumptions of a finding. No effect under
 * other models. Called once, by the searching thread. */
void hardware_end(void);

#endif
