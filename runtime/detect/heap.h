/* SPDX-License-Identifier: ISC */
/* heap.h - heap errors in words. */
#ifndef DETECT_HEAP_H
#define DETECT_HEAP_H

#include "event/event.h"
#include "event/finding.h"

enum heap_wrong {
	HEAP_FREED,	   /* the block has been freed */
	HEAP_OUTSIDE,	   /* the access is at least partly outside of the nearest block */
	HEAP_NOWHERE,	   /* in the heap's address range, but in no block */
	HEAP_COMMIT,	   /* a store reaches memory that another thread has freed by then */
	HEAP_DOUBLE_FREE,
	HEAP_INVALID_FREE, /* free of a pointer to no block */
	HEAP_UNINIT,	   /* a loaded and used value was never stored */
	HEAP_BROKEN,	   /* the header of the block has been overwritten */
};

struct heap_fault {
	enum heap_wrong what;
	enum event_kind kind; /* of the access, or of the operation on an object there */
	bool realloc;	/* not free(): realloc() */
	u64 addr, size; /* of the access, or the pointer freed */
	u64 start, block_size; /* of the block; 0: none */
	i32 freer;	/* number of the freeing thread, -1 = unknown */
};

/* One line without addresses into to[room], truncated. */
void heap_describe(const struct heap_fault *f, char *to, size_t room);

/* Two events of an execution graph, each correct without the other. */
enum heap_role { HEAP_USES, HEAP_ALLOCATES, HEAP_FREES };

/* The error of `last`, given the other event; ordered: that one happens before it. */
const char *heap_pair_words(enum heap_role last, enum heap_role other, bool ordered);

#endif
