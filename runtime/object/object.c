/* SPDX-License-Identifier: ISC */
/* object.c - see object.h. */
#include "object/action.h"
#include "object/address.h"
#include "object/alarm.h"
#include "object/arrival.h"
#include "object/barrier.h"
#include "object/cancel.h"
#include "object/channel.h"
#include "object/counter.h"
#include "object/descriptor.h"
#include "object/endpoint.h"
#include "object/flock.h"
#include "object/interest.h"
#include "object/life.h"
#include "object/mutex.h"
#include "object/name.h"
#include "object/once.h"
#include "object/rwlock.h"
#include "object/sem.h"
#include "object/timer.h"
#include "object/signals.h"
#include "object/waiters.h"
#include "object/watchers.h"

static struct object_step (*const steps[OBJECT_OPS])(
	enum object_op op, u64 argument, u32 thread, u64 state) = {
#define OBJECT_OP(name, words, event, object, traits)                                              \
	[OBJECT_##name] = object_##object##_step,
#include "object/object.def"
#undef OBJECT_OP
};

const u32 object_traits[OBJECT_OPS] = {
#define OBJECT_OP(name, words, event, object, traits) [OBJECT_##name] = (traits),
#include "object/object.def"
#undef OBJECT_OP
};

static const u8 events[OBJECT_OPS] = {
#define OBJECT_OP(name, words, event, object, traits) [OBJECT_##name] = (event),
#include "object/object.def"
#undef OBJECT_OP
};

static const char *const names[] = {
	[OBJECT_NONE] = "none",
#define OBJECT_OP(name, words, event, object, traits) [OBJECT_##name] = (words),
#include "object/object.def"
#undef OBJECT_OP
	[OBJECT_REPEAT] = "poll",
};

struct object_step object_step(enum object_op op, u64 argument, u32 thread, u64 state)
{
	return steps[op](op, argument, thread, state);
}

i32 object_owner(enum object_op op, u64 state)
{
	u32 owner = state & OBJECT_UNKNOWN_OWNER;

	return object_op_has(op, OP_LOCK) && owner && owner != OBJECT_UNKNOWN_OWNER ? (i32)owner - 1
									       : -1;
}

enum event_kind object_op_event(enum object_op op)
{
	return op < OBJECT_OPS ? (enum event_kind)events[op] : EV_DRAIN;
}

const char *object_op_name(enum object_op op)
{
	return op <= OBJECT_REPEAT && op != OBJECT_OPS ? names[op] : "unknown";
}
