/* SPDX-License-Identifier: ISC */
/*
 * unjoined.h - threads neither joined nor detached when the program ends (--detect=threads).
 *
 * Such a thread's stack and result are never released, and if it still runs, the program's end
 * terminates it. Excluded are threads that detach themselves or are joined by any other, and the
 * main thread.
 */
#ifndef MACHINE_OBSERVER_UNJOINED_H
#define MACHINE_OBSERVER_UNJOINED_H

#include "event/finding.h"
#include "model/graph.h"

struct cache;

/* On store buffers, called by the thread that ends the program: if there is such a thread, the
 * execution ends as a finding. */
void unjoined_check(void);

/* May g, a complete execution, have a thread that is not joined? */
bool unjoined_may_be(const struct graph *g, const struct cache *c);

/* The native threads are at their final positions: is any unjoined? *f names it. */
bool unjoined_find(struct finding *f);

/* Record that failure, at its creation. */
u32 unjoined_record(const struct finding *f);

#endif
