/* SPDX-License-Identifier: ISC */
/*
 * waiting.h - states of conditions and futexes.
 *
 * Neither has room for it, so that it is kept here, as object/waiters.c has it. While threads
 * follow a graph the graph knows; this is for the time before there are events, and for store
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
