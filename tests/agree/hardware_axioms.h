/* SPDX-License-Identifier: ISC */
/*
 * hardware_axioms.h - the axioms of ARMv8, POWER, RISC-V and IMM, on relations, as published:
 * aarch64.cat, ppc.cat, riscv.cat (herdtools7), Podkopaev et al. (POPL 2019).
 */
#ifndef AGREE_HARDWARE_AXIOMS_H
#define AGREE_HARDWARE_AXIOMS_H

#include "hardware_program.h"

#define HA_EVENTS 32
#define HA_INIT	  (-1)

struct ha_graph {
	int n;
	bool llsc, rcpc;
	struct hp_event e[HA_EVENTS];
	uint8_t thread[HA_EVENTS], index[HA_EVENTS]; /* in order of threads, then of po */
	int8_t rf[HA_EVENTS];			     /* of a read: its source, or HA_INIT */
	uint8_t at[HA_EVENTS];			     /* of a write: its place in co, 1 first */
};

/* The part that does not depend on rf and co; then whether one with these is allowed. */
void ha_begin(const struct ha_graph *graph);
bool ha_allows(enum hp_model m);
/* Have po and rf a cycle? */
bool ha_buffers_loads(void);

#endif
