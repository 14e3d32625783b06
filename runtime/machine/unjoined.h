/* SPDX-License-Identifier: ISC */
/*
 * unjoined.h - threads neither joined nor detached when the program ends (--detect=threads).
 *
 * Such a thread's stack and result are kept for ever, and if it still runs the end of the program
 * cuts it off wherever it is. A thread that detaches itself, or that is joined by any other, is
 * none of these; the main thread neither.
 */
#ifndef MACHINE_UNJOINED_H
#define MACHINE_UNJOINED_H

#include "event/finding.h"
#include "model/graph.h"

struct cache;

/* On store buffers, by the thread that ends the program: such a thread ends it as a finding. */
void unjoined_check(void);

/* May there be one in g, a complete execution: one that no join in it is for? */
bool unjoined_may_be(const struct graph *g, const struct cache *c);

/* The native threads are where they stand at the end: is there one? *f says who. */
bool unjoined_find(struct finding *f);

/* Record that failure, at its creation. */
u32 unjoined_record(const struct finding *f);

#endif
