/* SPDX-License-Identifier: ISC */
/* heap_priv.h - the two kinds of blocks behind heap.h: native ones and those in arenas. */
#ifndef HEAP_HEAP_PRIV_H
#define HEAP_HEAP_PRIV_H

#include "heap/heap.h"

/* --- heap_native.c: glibc's blocks behind a header of ours ------------------------------------ */

enum native_flag {
	NATIVE_INTERNAL = 1 << 0, /* libc's own: contents never saved or restored */
	NATIVE_SAVED = 1 << 1,	  /* existed when exploration began */
	NATIVE_FREED = 1 << 2,	  /* noted as freed in this execution */
};

/* Lies right before the user's memory: 32 bytes keep its alignment. */
struct native_block {
	u32 magic;
	u32 shift; /* from glibc's address to the user's */
	u64 size : 56, flags : 8;
	struct native_block *next, **link; /* in the list of its shard */
};

void *native_alloc(size_t size, size_t alignment, bool zero, unsigned flags);
void *native_realloc(void *p, size_t size);
void native_free(void *p);
bool native_is_block(const void *p);

static inline struct native_block *native_of(const void *p)
{
	return (struct native_block *)((uintptr_t)p - sizeof(struct native_block));
}

/* The program frees p while exploring: only noted, until native_restore(). False: it was freed. */
bool native_free_later(void *p);

void native_init(void);
void native_save(void);
void native_restore(void);
void native_forget(void);
/* The blocks of libc itself. */
void native_each_internal(void (*see)(u64 start, u64 end));
bool native_find(const void *p, struct heap_block *b);

/* --- heap_stream.c: the C library's streams -------------------------------------------------- */

/* Memory for the next stream; NULL: none is expected. / True: the block is a stream's, now free. */
void *stream_block(size_t size);
bool stream_block_free(const void *p);

/* --- heap_given.c: blocks that libc allocates for the program --------------------------------- */

/* Memory for a block, with its header; NULL: the thread is in no call of a function that gives. */
void *given_block(size_t size);
void given_reset(void);

static inline bool given_block_is(const void *p)
{
	return (u64)(uintptr_t)p - GIVEN_BASE < GIVEN_SPAN;
}

/* heap_native.c: the blocks of such an area are no longer there. */
void native_forget_area(u64 start, u64 end);

/* --- heap_arena.c: blocks of an execution ----------------------------------------------------- */


static inline bool arena_has(const void *p)
{
	return (u64)(uintptr_t)p - ARENA_BASE < ARENA_SPAN;
}

enum arena_verdict { ARENA_OK, ARENA_FREED, ARENA_INSIDE, ARENA_BROKEN };

u32 arena_blocks(unsigned thread); /* allocated in this execution */
void *arena_alloc(unsigned thread, size_t size, size_t alignment, bool zero);
/* The result of free(p). size is filled in when OK or FREED. */
enum arena_verdict arena_check(const void *p, size_t *size);
void arena_free(void *p, unsigned freer, bool early);
void arenas_reset(void);
void arenas_forget(void);
bool arena_find(const void *p, struct heap_block *b);

/* Do accesses look up blocks by address (arena_view)? Set before the first allocation. */
void arenas_watch(bool on);

/* The block of an access. */
struct arena_view {
	u64 start, size;
	u32 nth;
	u16 thread, freer; /* slots of the threads that allocated it, freed it */
	bool freed, early; /* early: freed before there were other threads */
};

/* The block that contains the byte at addr, or is next to it. False: none is near. O(1). */
bool arena_view(u64 addr, struct arena_view *v);

/* The block's header, whose address represents the whole block and is never used otherwise. */
static inline u64 arena_header(const struct arena_view *v)
{
	return v->start - HEAP_ALIGNMENT;
}
/* The memory that contains the blocks of this execution. */
void arenas_each(void (*see)(u64 start, u64 end));
u32 arenas_list(struct heap_block *to, u32 max);

/* Allocate a freed block again, to this thread; its contents stay. */
void arena_again(void *p, unsigned thread);

/* --- heap_reuse.c ----------------------------------------------------------------------------- */

void reuse_reset(void); /* an execution begins */
void reuse_keep(u32 slot, const void *p, u64 size); /* the thread has freed it */
/* A block freed by it, for reuse (arena_again), or NULL. May be a choice. */
void *reuse_take(u32 slot, u64 size, u64 alignment);

#endif
