/* SPDX-License-Identifier: ISC */
/*
 * place.h - the locations of a program, numbered; values of 16 bytes, numbered.
 *
 * A location is a range of bytes that is always accessed as a whole, or a synchronisation object
 * (size 0). Who finds two accesses that overlap without being equal makes the locations finer and
 * starts the exploration again (graph/execute.c).
 */
#ifndef MODEL_PLACE_H
#define MODEL_PLACE_H

#include "base/base.h"

#define PLACES_MAX	  16384
#define PLACE_BUCKET_BITS TINY(1, 10)

struct place {
	u64 addr;
	u32 size;   /* 0: an object */
	u32 hash_next;
	u64 init;   /* value, or state of the object, before the first event of an execution */
	bool atomic; /* accessed by atomic operations, too */
	u16 stack;   /* on the stack of the thread in this slot; 0: on none, or main's */
};

struct places {
	struct place *place; /* [PLACES_MAX], 0 is none */
	u32 n;
	u32 bucket[1 << PLACE_BUCKET_BITS];
	u64 (*wide)[2]; /* 16-byte values: [0] is 0 */
	u32 nwide, maxwide;
	bool stacks; /* some are on stacks */
};

/* Number of the location, or 0. */
u32 place_find(const struct places *p, u64 addr, u32 size);

/* The same, made if need be with this initial value; 0 when there are too many. */
u32 place_intern(struct places *p, u64 addr, u32 size, u64 init);

/* A 16-byte value as one number; 0 for zero; BUG when there are too many (maxwide). */
u64 wide_intern(struct places *p, u64 low, u64 high);

static inline u128 wide_value(const struct places *p, u64 number)
{
	return (u128)p->wide[number][1] << 64 | p->wide[number][0];
}

/* What an RMW writes; op is HEDDLE_ADD ... of abi.h. For size 16 the values are numbers. */
u64 value_compute(struct places *p, u32 size, u64 old, u64 operand, int op);

#endif
