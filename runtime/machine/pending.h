/* SPDX-License-Identifier: ISC */
/*
 * pending.h - the pending access of each thread: a decorator of the engine, on while it is wanted.
 *
 * For state cycles (cycle/state_cycle.h), and strategies that depend on the next accesses of agents
 * (strategy_ops.wants_accesses). Synchronisation operations are in struct thread (op, obj).
 */
#ifndef MACHINE_PENDING_H
#define MACHINE_PENDING_H

#include "base/base.h"

enum pending_kind {
	PENDING_NONE, /* or not known */
	PENDING_LOAD,
	PENDING_STORE,
	PENDING_RMW,
	PENDING_CAS,
	PENDING_FENCE,
	PENDING_READS, /* ranges of bytes: perhaps several steps, of which `addr` is the first */
	PENDING_WRITES,
};

struct pending {
	u8 kind; /* enum pending_kind */
	u8 part; /* of one with virtual fences (override/): PENDING_ACCESS, or at a fence */
	u16 flags;
	u32 size;
	int order, op;
	u64 addr;
	u64 value[4];
};

static inline bool pending_writes(const struct pending *p)
{
	return p->kind != PENDING_LOAD && p->kind != PENDING_READS && p->kind != PENDING_FENCE;
}

/* After the access `value' is its result. */
enum pending_part { PENDING_ACCESS, PENDING_BEFORE, PENDING_AFTER };

enum pending_user { PENDING_FOR_CYCLES = 1, PENDING_FOR_STRATEGY = 2 };

/* Begin or end noting accesses for this user. At first all pending accesses are unknown. */
void pending_want(enum pending_user user, bool on);

#endif
