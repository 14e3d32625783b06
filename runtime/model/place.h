/* SPDX-License-Identifier: ISC */
/*
 * place.h - the locations of a program, numbered; values of 16 bytes, numbered.
 *
 * A location is a range of bytes that is always accessed as a whole, or a synchronisation object
 * (size 0). When two accesses overlap without being equal, the locations are refined and the
 * exploration restarts (graph/execute.c).
 *
 * Where atomic accesses of different sizes overlap, the larger one accesses several locations at
 * once, its *pieces*. The range of such an access also has a number, so that its label can name it;
 * it is no location.
 */
#ifndef MODEL_PLACE_H
#define MODEL_PLACE_H

#include "base/option.h"

#define PLACES_MAX	  16384
#define PLACE_BUCKET_BITS TINY(1, 10)

struct place {
	u64 addr;
	u32 size;   /* 0: an object */
	u32 hash_next;
	u64 init;   /* value, or state of the object, before the first event of an execution */
	bool atomic; /* also accessed by atomic operations */
	bool tally;  /* only counted, and never used (graph/tally.h): its values do not matter */
	u16 stack;   /* 1 + slot of the thread on whose stack it is; 0: on none */
	u16 cuts;    /* of a range of pieces: bit i, one begins at byte i. 0: a location */
	u16 updated; /* by an RMW of this range; 0: none */
	u32 span;    /* of a region (graph/region.h), which begins at addr & ~7: its bytes; 0: it is
		      * none */
};

#define PIECES_MAX 16

/* The instructions of C operations, and their dependencies: model/hardware/hardware.h. */
struct hardware {
	enum dependencies dependencies; /* tracked: by labels */
	bool llsc; /* an RMW is a loop of load-linked and store-conditional, not one instruction */
	bool rcpc; /* ARMv8: acquire loads are LDAPR, not LDAR */
	struct dependency_table *table; /* of labels; NULL: all are empty */
};

struct places {
	struct place *place; /* [PLACES_MAX], 0 is none */
	u32 n;
	u32 bucket[1 << PLACE_BUCKET_BITS];
	u64 (*wide)[2]; /* 16-byte values: [0] is 0 */
	u32 nwide, maxwide;
	bool stacks; /* some are on stacks that end, or of functions that do */
	bool clock; /* the program looks at clocks */
	bool mixed; /* some range has pieces; */
	bool contended; /* and RMWs of different ranges share a location */
	struct hardware hardware; /* the same in all executions */
	struct cat_model *cat; /* of MODEL_CAT, or the reference of a comparison; NULL: none */
};

/* Does it not matter what is read and written there? Not of no location: 0. */
static inline bool place_is_tally(const struct places *p, u32 loc)
{
	return loc && p->place[loc].tally;
}

/* Number of the location, or 0. */
u32 place_find(const struct places *p, u64 addr, u32 size);

/* The same, created on demand with this initial value; 0 if there are too many. */
u32 place_intern(struct places *p, u64 addr, u32 size, u64 init);

/* The pieces of a range, in the order of their addresses; they exist. Returns their number; 1: it
 * is a location. */
u32 place_pieces(const struct places *p, u32 range, u16 piece[PIECES_MAX]);
/* Do they exist and make up the range? For data from a file. */
bool place_is_whole(const struct places *p, u32 range);
/* The part of a range's value that a piece has. / The range's value, from those of its pieces. */
u64 place_split(const struct places *p, u32 range, u32 piece, u64 value);
u64 place_join(struct places *p, u32 range, const u64 value[PIECES_MAX]);

/* A 16-byte value as one number; 0 for zero; BUG when there are too many (maxwide). */
u64 wide_intern(struct places *p, u64 low, u64 high);

/* The value written where a function returns, or its stack is used again (graph/execute_frame.c):
 * the offsets of a range in the stack; `dies`: that memory is dead. Never 0. */
static inline u64 place_frame(u64 low, u64 high, bool dies)
{
	return low << 32 | high << 1 | dies;
}

static inline bool place_frame_has(u64 frame, u64 offset)
{
	return offset >= frame >> 32 && offset < (u32)frame >> 1;
}

static inline u128 wide_value(const struct places *p, u64 number)
{
	return (u128)p->wide[number][1] << 64 | p->wide[number][0];
}

/* The value that an RMW writes; op: HEDDLE_ADD ... of abi.h. For size 16 values are numbers. */
u64 value_compute(struct places *p, u32 size, u64 old, u64 operand, int op);

#endif
