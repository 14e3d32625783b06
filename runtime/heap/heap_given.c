/* SPDX-License-Identifier: ISC */
/*
 * heap_given.c - blocks that libc allocates while exploring, and gives to the program: those of
 * obstacks, regcomp(), glob() and the like.
 *
 * The program sees their addresses, which may only depend on the thread's own history, and libc
 * keeps none. So each thread has an area for them, filled from its beginning; a freed block is not
 * used again in the execution.
 */
#include "heap/heap_priv.h"
#include "machine/machine.h"
#include "process/bytes.h"
#include "process/stop.h"

#include <sys/mman.h>

#define AREA_SIZE (64ull << 20) /* of a thread; later blocks are libc's own */

_Static_assert(GIVEN_SPAN == THREADS_MAX * AREA_SIZE, "an area a thread");

static u64 used[THREADS_MAX]; /* bytes */
static bool mapped[THREADS_MAX];
static u32 areas; /* those above are not used */
static PER_EXECUTION bool gives[THREADS_MAX];

void heap_gives(bool yes)
{
	gives[thread_id(thread_self())] = yes;
}

static u64 area_of(u32 id)
{
	return GIVEN_BASE + id * AREA_SIZE;
}

static bool map_area(u32 id)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
	void *at = (void *)area_of(id);

	if (!mapped[id])
		mapped[id] = mmap(at, AREA_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0) == at;
	return mapped[id];
}

void *given_block(size_t size)
{
	const struct thread *t = thread_self();
	u32 id = t ? thread_id(t) : 0;
	u64 at;

	if (likely(!t || !gives[id]))
		return NULL;
	size = (size + HEAP_ALIGNMENT - 1) & ~(size_t)(HEAP_ALIGNMENT - 1);
	if (size > AREA_SIZE - used[id] || !map_area(id))
		return NULL;
	at = area_of(id) + used[id];
	used[id] += size;
	areas = areas > id ? areas : id + 1;
	return (void *)at;
}

void given_each(void (*see)(u64 start, u64 end))
{
	for (u32 id = 0; id < areas; id++)
		if (used[id])
			see(area_of(id), area_of(id) + used[id]);
}

void given_reset(void)
{
	for (u32 id = 0; id < areas; id++) {
		native_forget_area(area_of(id), area_of(id) + used[id]);
		bytes_fill((void *)area_of(id), 0, used[id]);
		used[id] = 0;
	}
	areas = 0;
}
