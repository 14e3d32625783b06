/* SPDX-License-Identifier: ISC */
/* heap.h - what is wrong about a use of the heap, in words. */
#ifndef DETECT_HEAP_H
#define DETECT_HEAP_H

#include "event/event.h"
#include "event/finding.h"

enum heap_wrong {
	HEAP_FREED,	   /* the block has been freed */
	HEAP_OUTSIDE,	   /* the access is not, or not only, to the block it is next to */
	HEAP_NOWHERE,	   /* where a heap may be, but there is no block */
	HEAP_COMMIT,	   /* a store reaches memory that another thread has freed meanwhile */
	HEAP_DOUBLE_FREE,
	HEAP_INVALID_FREE, /* what is freed is no block */
	HEAP_UNINIT,	   /* a value is loaded and used that was never stored */
	HEAP_BROKEN,	   /* the header of the block has been overwritten */
};

struct heap_fault {
	enum heap_wrong what;
	bool write;	/* the access is a store */
	bool realloc;	/* not free(): realloc() */
	u64 addr, size; /* of the access, or what is freed */
	u64 start, block_size; /* of the block; 0: none */
	i32 freer;	/* number of the thread that has freed it, -1 = unknown */
};

/* One line without addresses into to[room], cut off where that ends. */
void heap_describe(const struct heap_fault *f, char *to, size_t room);

/* Two events of an execution graph of which each would be right without the other. */
enum heap_role { HEAP_USES, HEAP_ALLOCATES, HEAP_FREES };

/* What `last` is said to be wrong about, given the other; ordered: that one happens before it. */
const char *heap_pair_words(enum heap_role last, enum heap_role other, bool ordered);

#endif
