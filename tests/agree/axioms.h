/* SPDX-License-Identifier: ISC */
/*
 * axioms.h - the memory models by the axioms in the literature, on matrices of bits.
 *
 * Slow on purpose and written from the definitions: nothing here is shared with runtime/model.
 */
#ifndef AGREE_AXIOMS_H
#define AGREE_AXIOMS_H

#include "graph_program.h"

#define EVENTS_MAX 64 /* bits of a row */

/* EV_MARK: start and end of a thread, barrier; a full barrier, and ordered by `mark`. */
enum event_kind { EV_READ, EV_WRITE, EV_FENCE, EV_MARK };
enum barrier { BARRIER_NONE, BARRIER_STORES, BARRIER_FULL };

/*
 * An RMW is a read and a write, both `excl`. The barriers that x86 and SPARC need for a C operation
 * are fences of their own, around it, which only TSO and PSO see (`hardware`).
 */
struct ax_event {
	uint8_t thread, slot; /* as in executions.h */
	uint8_t kind, place;
	uint8_t order;		    /* of the C operation */
	uint8_t barrier[GP_MODELS]; /* of a fence: for TSO and PSO */
	bool plain, sync, excl, hardware;
	int8_t rf; /* reads: the write, or -1 = the initial one */
	uint8_t value;
	uint8_t piece; /* > 0: of an access of several places, with the others of the slot that have
			  numbers */
	uint8_t mark; /* not 0: comes after all others of this number if it `waits` */
	bool waits;
	uint8_t at; /* writes: position in co, 1 = first after the initial one */
};

struct ax_graph {
	int n;
	struct ax_event e[EVENTS_MAX]; /* threads one after the other, each in program order */
};

/* Begin with a graph whose events and sources are final, while its co is not. */
void ax_begin(const struct ax_graph *graph);

/* The read that belongs to the write i of an RMW. */
int ax_read_of(int i);

/* Does the place obey coherence and atomicity on its own? All models require that. */
bool ax_coherent(int place);

/* Now co is final, too, and all places are coherent. */
void ax_ordered(void);
bool ax_consistent(enum gp_model m);

/* Is there a data race in the happens-before of the model? */
bool ax_racy(enum gp_model m);

#endif
