/* SPDX-License-Identifier: ISC */
/* op.h - operations on the objects behind descriptors. */
#ifndef KERNEL_OP_H
#define KERNEL_OP_H

#include "kernel/descriptor.h"
#include "kernel/poll.h"
#include "kernel/watch.h"
#include "machine/wait/sync.h"
#include "sync/waiting.h"

static inline void op_keep(const void *obj, u64 state)
{
	waiting_keep(obj, state);
	poll_changed();
}

/* static const struct sync_op NAME. FILE_WAITS: one that may have to wait, depending on its
 * argument. */
#define FILE_WAITS(name, kind, op, object) \
	static bool name##_ready(const struct thread *t, const void *obj) \
	{ \
		return object_##object##_step( \
			op, sync_argument(t), thread_id(t), waiting_state(obj)) \
			.ready; \
	} \
	SYNC_KEPT(name, kind, name##_ready, op, object, waiting_state, op_keep)
#define FILE_OP(name, kind, op, object) \
	SYNC_KEPT(name, kind, NULL, op, object, waiting_state, op_keep)

/* One that may make a new state. Then the object's watchers are notified, if they have to be. */
static inline u64 op_step(const struct sync_op *op, const void *obj, u64 argument)
{
	waiting_check();
	return watch_notify(op, obj, argument, sync_step(op, obj, argument));
}

/* The same for a call that is a cancellation point. Its wait may end with OBJECT_INTERRUPTED. */
u64 op_call(const struct sync_op *op, const void *obj, u64 argument);

/* Create an object in this state; returns its number. */
u32 op_new_object(u64 state, const char *name);

#endif
