/* SPDX-License-Identifier: ISC */
/* hardware.h - limits and assumptions of searches under arm8, power, riscv and imm. */
#ifndef SEARCH_HARDWARE_H
#define SEARCH_HARDWARE_H

/* The search has ended: add to M.bounds, and note the assumptions of a finding. No effect under
 * other models. Called once, by the searching thread. */
void hardware_end(void);

#endif
