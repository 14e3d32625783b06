/* SPDX-License-Identifier: ISC */
/*
 * object_call.h - observers of the calls in which a thread may wait for another: operations on
 * objects, and joins.
 *
 * A decorator of the engine wraps the five operations of struct engine that such calls are made
 * of. Observers nest in the order of their registration, the first one innermost. One of them may
 * repeat a call: those within are called again, too.
 */
#ifndef MACHINE_WAIT_OBJECT_CALL_H
#define MACHINE_WAIT_OBJECT_CALL_H

#include "machine/engine.h"

enum object_call_kind {
	OBJECT_CALL_SYNC, /* as the operation of the same name */
	OBJECT_CALL_TIMED,
	OBJECT_CALL_LIMITED,
	OBJECT_CALL_UNTIL,
	OBJECT_CALL_JOIN,
};

/* The arguments of the operation, as far as it has them. */
struct object_call {
	enum object_call_kind kind;
	const struct sync_op *op; /* NULL: a join */
	const struct sync_op *tries;
	const void *obj;
	u64 argument;
	enum arrive_how how;
	bool *late;
	struct thread *joined;
	bool timed;
	u64 result; /* after the call */
};

struct object_call_observer {
	/* By the calling thread. The result of before() is passed to after(), which returns
	 * whether the call is to be repeated. */
	u8 (*before)(const struct object_call *c);
	bool (*after)(const struct object_call *c, u8 before);
	/* Where an engine makes the timed calls of sync() (own_history), observe them, too, and
	 * not only their parts. */
	bool whole;
	bool on;
};

/* From now on, or no longer, observe calls. A call that has begun is not affected. */
void object_calls_observe(struct object_call_observer *o, bool on);

#endif
