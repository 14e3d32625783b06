/* SPDX-License-Identifier: ISC */
/*
 * sync_events.h - steps on synchronisation objects that are several events: operations of the
 * engines on which the steps of a thread depend on its own history only (struct engine,
 * own_history). A choice determines whether a timed wait ends early.
 */
#ifndef MACHINE_WAIT_SYNC_EVENTS_H
#define MACHINE_WAIT_SYNC_EVENTS_H

#include "machine/machine.h"

u64 events_limited(const struct sync_op *op, const void *obj, bool *late);
u64 events_until(const struct sync_op *waits, const struct sync_op *tries, const void *obj,
	bool *late);
bool events_woken_late(
	const struct sync_op *takes, const struct sync_op *leaves, const void *obj);
bool events_join(const struct sync_op *join, const struct sync_op *leave, u64 argument,
	const u32 *word, u32 expected);

#endif
