/* SPDX-License-Identifier: ISC */
/*
 * waiting.h - states of conditions and futexes.
 *
 * Neither object has room for its state, so it is kept here, in the form of object/waiters.c. Along
 * a graph the state is in the graph; this serves the time before the first event, and store
 * buffers.
 */
#ifndef SYNC_WAITING_H
#define SYNC_WAITING_H

#include "machine/machine.h"

u64 waiting_state(const void *obj);
void waiting_keep(const void *obj, u64 state);

/* More threads may wait, or the search ends (object/state_table.h). */
void waiting_check(void);

#endif
