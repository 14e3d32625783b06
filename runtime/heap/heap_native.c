/* SPDX-License-Identifier: ISC */
/*
 * heap_native.c - blocks from glibc, each behind a header that links it into a list.
 *
 * Idea.   heddle_check() may begin at any time; it must then know every block that the program
 *         has, to restore its contents after each execution. The lists are spread over shards, so
 *         that native threads seldom wait for each other.
 * Freeing while exploring. A block that existed before must exist again in the next execution, and
 *         a block that libc made in this one (getline) may still be written by a buffered store
 *         after the program has freed it. So both are only noted in `noted`: at the end of the
 *         execution the first kind is alive again, and the second is freed.
 */
#include "heap/heap_priv.h"
#include "process/bytes.h"
#include "process/snapshot.h"
#include "process/stop.h"
#include "process/pages.h"
#include "process/sys.h"
#include "process/tls.h"

#include <malloc.h>
#include <pthread.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

#define NATIVE_MAGIC 0x6e617469u
#define SHARDS	     TINY(1, 16)
#define NOTED_MAX    (16u << 20) /* frees in one execution that can be noted */

static struct shard {
	int lock;
	struct native_block *first;
} __attribute__((aligned(64))) shards[SHARDS];

/* The thread that is in fork() holds all locks; 0 = none. Other libraries' fork handlers may
 * allocate meanwhile: they run in that thread, which passes. */
static u64 forking;

static struct native_block **noted; /* [NOTED_MAX], reserved only */
static u32 nnoted;

static struct shard *heap_shard(const struct native_block *h)
{
	u64 a = (u64)(uintptr_t)h;

	return &shards[(a >> 4 ^ a >> 12 ^ a >> 26) % SHARDS];
}

/* Returns whether the lock was taken. Acquire pairs with the release in shard_unlock(): without it
 * a list could appear half linked. */
static bool shard_lock(struct shard *s)
{
	for (unsigned tries = 0;
		__atomic_exchange_n(&s->lock, 1, __ATOMIC_ACQUIRE); tries++) {
		if (__atomic_load_n(&forking, __ATOMIC_RELAXED) == tls_pointer())
			return false;
		if (tries > 100)
			sys_call4(SYS_sched_yield, 0, 0, 0, 0);
	}
	return true;
}

static void shard_unlock(struct shard *s, bool locked)
{
	if (locked)
		__atomic_store_n(&s->lock, 0, __ATOMIC_RELEASE);
}

static void native_link(struct native_block *h)
{
	struct shard *s = heap_shard(h);
	bool locked = shard_lock(s);

	h->next = s->first;
	h->link = &s->first;
	if (h->next)
		h->next->link = &h->next;
	s->first = h;
	shard_unlock(s, locked);
}

static void native_unlink(struct native_block *h)
{
	struct shard *s = heap_shard(h);
	bool locked = shard_lock(s);

	*h->link = h->next;
	if (h->next)
		h->next->link = h->link;
	shard_unlock(s, locked);
}

void *native_alloc(size_t size, size_t alignment, bool zero, unsigned flags)
{
	size_t shift =
		alignment > sizeof(struct native_block) ? alignment : sizeof(struct native_block);
	size_t whole = size + shift;
	struct native_block *h;
	char *p;

	if (whole < size || whole >> 48 || shift >> 31)
		return NULL;
	if (alignment > HEAP_ALIGNMENT)
		p = __libc_memalign(alignment, whole);
	else if (!(flags & NATIVE_INTERNAL) ||
		 (!(p = stream_block(whole)) && !(p = given_block(whole))))
		p = zero ? __libc_calloc(1, whole) : __libc_malloc(whole);
	if (!p)
		return NULL;
	p += shift;
	if (zero && alignment > HEAP_ALIGNMENT)
		bytes_fill(p, 0, size);
	h = native_of(p);
	h->magic = NATIVE_MAGIC;
	h->shift = (u32)shift;
	h->size = size;
	h->flags = (u8)flags;
	native_link(h);
	if (flags & NATIVE_INTERNAL)
		snapshot_touch(p, size); /* libc may let the kernel write there */
	return p;
}

bool native_is_block(const void *p)
{
	return (uintptr_t)p % HEAP_ALIGNMENT == 0 && native_of(p)->magic == NATIVE_MAGIC;
}

void native_free(void *p)
{
	struct native_block *h = native_of(p);

	/* Not one of ours: glibc reports it. */
	if (unlikely(!native_is_block(p))) {
		__libc_free(p);
		return;
	}
	native_unlink(h);
	h->magic = 0;
	if (!stream_block_free(h) && !given_block_is(h))
		__libc_free((char *)p - h->shift);
}

void *native_realloc(void *p, size_t size)
{
	struct native_block *h = native_of(p), *moved;
	unsigned flags;
	void *to;

	if (unlikely(!native_is_block(p)))
		return __libc_realloc(p, size);
	flags = h->flags;
	if (size > PTRDIFF_MAX - sizeof(*h))
		return NULL;
	if (h->shift == sizeof(*h) && !given_block_is(h)) {
		native_unlink(h);
		moved = __libc_realloc(h, size + sizeof(*h));
		if (moved)
			moved->size = size;
		native_link(moved ? moved : h);
		if (moved && flags & NATIVE_INTERNAL)
			snapshot_touch(moved + 1, size);
		return moved ? moved + 1 : NULL;
	}
	to = native_alloc(size, HEAP_ALIGNMENT, false, flags);
	if (to) {
		bytes_copy(to, p, size < h->size ? size : h->size);
		native_free(p);
	}
	return to;
}

bool native_free_later(void *p)
{
	struct native_block *h = native_of(p);

	if (h->flags & NATIVE_FREED)
		return false;
	h->flags |= NATIVE_FREED;
	/* A program that frees more in one execution leaks the rest. */
	if (nnoted < NOTED_MAX)
		noted[nnoted++] = h;
	return true;
}

/* --- between executions ----------------------------------------------------------------------- */

void native_save(void)
{
	if (!noted) {
		noted = pages_take(NOTED_MAX * sizeof(*noted));
		if (!noted)
			fatal("out of memory: cannot watch the program's heap (ulimit -v?)");
	}
	nnoted = 0;
	for (unsigned i = 0; i < SHARDS; i++)
		for (struct native_block *h = shards[i].first; h; h = h->next) {
			h->flags |= NATIVE_SAVED;
			if (h->flags & NATIVE_INTERNAL)
				snapshot_avoid(h + 1, h->size);
			else
				snapshot_add_block(h + 1, h->size);
		}
}

void native_restore(void)
{
	while (nnoted) {
		struct native_block *h = noted[--nnoted];

		if (h->flags & NATIVE_SAVED)
			h->flags &= (u8)~NATIVE_FREED;
		else
			native_free(h + 1);
	}
}

void native_forget_area(u64 start, u64 end)
{
	while (start < end) {
		struct native_block *h = (struct native_block *)(uintptr_t)start;

		if (h->magic == NATIVE_MAGIC)
			native_unlink(h);
		start += (sizeof *h + h->size + HEAP_ALIGNMENT - 1) & ~(u64)(HEAP_ALIGNMENT - 1);
	}
}

void native_forget(void)
{
	for (unsigned i = 0; i < SHARDS; i++)
		for (struct native_block *h = shards[i].first; h; h = h->next)
			h->flags &= (u8)~NATIVE_SAVED;
}

void native_each_internal(void (*see)(u64 start, u64 end))
{
	for (unsigned i = 0; i < SHARDS; i++)
		for (struct native_block *h = shards[i].first; h; h = h->next)
			if (h->flags & NATIVE_INTERNAL)
				see((u64)(uintptr_t)(h + 1), (u64)(uintptr_t)(h + 1) + h->size);
}

bool native_find(const void *p, struct heap_block *b)
{
	u64 a = (u64)(uintptr_t)p;

	for (unsigned i = 0; i < SHARDS; i++)
		for (struct native_block *h = shards[i].first; h; h = h->next) {
			u64 start = (u64)(uintptr_t)(h + 1);

			if (a - start >= h->size && !(a == start && !h->size))
				continue;
			*b = (struct heap_block){ .start = start, .size = h->size,
				.freed = h->flags & NATIVE_FREED };
			return true;
		}
	return false;
}

/* --- fork ------------------------------------------------------------------------------------- */

static void fork_begins(void)
{
	for (unsigned i = 0; i < SHARDS; i++)
		shard_lock(&shards[i]);
	__atomic_store_n(&forking, tls_pointer(), __ATOMIC_RELAXED);
}

/* In the parent and in the child: the thread pointer is the same in both. */
static void fork_ends(void)
{
	__atomic_store_n(&forking, 0, __ATOMIC_RELAXED);
	for (unsigned i = 0; i < SHARDS; i++)
		shard_unlock(&shards[i], true);
}

void native_init(void)
{
	pthread_atfork(fork_begins, fork_ends, fork_ends);
}
