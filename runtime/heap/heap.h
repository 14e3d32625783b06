/* SPDX-License-Identifier: ISC */
/*
 * heap.h - the program's heap: malloc and friends, natively and while exploring.
 *
 * Natively a block comes from glibc (__libc_malloc) behind a header of ours, so that a later
 * heddle_check() knows every live block and can save it. While exploring, each thread allocates
 * from its own arena at a fixed address, by bumping a pointer: an address depends only on the
 * thread's own history. Freed memory is used again within an execution only if --reuse says so.
 * Blocks that libc allocates for itself (stdio buffers: seen by the return address) always come
 * from glibc and outlive the execution; those it gives to the program are the execution's.
 */
#ifndef HEAP_HEAP_H
#define HEAP_HEAP_H

#include "base/base.h"

#define HEAP_ALIGNMENT 16 /* of every block, at least */

/* Blocks of an execution: thread i's begin at ARENA_BASE + i * ARENA_SIZE. */
#define ARENA_BASE 0x100000000000u
#define ARENA_SIZE 0x100000000u /* 4 GiB a thread */
#define ARENA_SPAN (512ull * ARENA_SIZE) /* THREADS_MAX of them */

/* Blocks that libc allocates for the program (heap_given.c). */
#define GIVEN_BASE 0x330000000000u
#define GIVEN_SPAN (512ull << 26)

/* Once, from the constructor: keeps the lists of native blocks consistent across fork(). */
void heap_init(void);

/* `caller` is the return address of the malloc() call. Alignment is a power of two.
 * Returns NULL when memory is exhausted (errno is not set). Contents: zero if `zero`; else, while
 * exploring, the same in every execution: the byte 0xA5, or zero in blocks above 1 MiB. */
void *heap_alloc(size_t size, size_t alignment, bool zero, const void *caller);

/* Double and invalid frees while exploring are findings. NULL is ignored. */
void heap_free(void *p, const void *caller);

/* While exploring a block always moves, and its contents are read through the store buffers.
 * NULL: out of memory, p is unchanged. size > 0. */
void *heap_realloc(void *p, size_t size, const void *caller);
size_t heap_size(const void *p); /* malloc_usable_size: the requested size */

/* The number of blocks that the thread has allocated in this execution. / Is p in a freed one after
 * its first `blocks`? */
u32 heap_blocks(unsigned thread);
bool heap_is_gone(const void *p, unsigned thread, u32 blocks);

/* Between executions. */
void heap_save(void); /* before the first, and before snapshot_take(), which keeps the contents */
void heap_restore(void); /* before each: empties arenas, revives native blocks */
void heap_forget(void);	 /* after the last; the contents of the arenas are gone */

/* For reports: the block that contains p. False: none. */
struct heap_block {
	u16 thread; /* that allocated it */
	u32 nth;    /* its n-th allocation, 1 first; 0 = before exploration */
	u64 start, size;
	bool freed;
	u16 freer;  /* the thread that has freed it; arenas only */
};
bool heap_find(const void *p, struct heap_block *b);

/* Blocks of this execution that are not freed, by address: their number, at most max. */
u32 heap_list(struct heap_block *to, u32 max);

/* Allocations less frees of a thread, and of all threads, in this execution. Unknown for a slot
 * above HEAP_BALANCES: 0. */
#define HEAP_BALANCES 64
i32 heap_balance(u32 slot);
i32 heap_balance_all(void);

/* The calling thread calls a function of libc that allocates blocks for the program, or (false) it
 * has returned: their addresses depend only on the thread's history, and they end with the
 * execution. / The memory with such blocks. */
void heap_gives(bool yes);
void given_each(void (*see)(u64 start, u64 end));

/* The calling thread is about to open a stream, or (false) has opened it: the address of the block
 * that the C library allocates for it depends only on the thread's earlier calls. */
void heap_expect_stream(bool yes);

#endif
