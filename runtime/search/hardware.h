/* SPDX-License-Identifier: ISC */
/* hardware.h - searches under arm8, power, riscv and imm: what they leave out and assume. */
#ifndef SEARCH_HARDWARE_H
#define SEARCH_HARDWARE_H

/* The search has ended: adds to M.bounds, and notes what a finding depends on. Under other models,
 * nothing. Once, by the thread that searches. */
void hardware_end(void);

#endif
