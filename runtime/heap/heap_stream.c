/* SPDX-License-Identifier: ISC */
/*
 * heap_stream.c - the blocks of streams that the program opens while exploring.
 *
 * The C library allocates them, but the program sees their addresses, which may only depend on the
 * thread's own history. A block that another thread closes is not reused in the execution.
 */
#include "heap/heap_priv.h"
#include "machine/machine.h"
#include "process/bytes.h"
#include "process/stop.h"
#include "process/pages.h"

#include <sys/mman.h>

#define STREAM_BASE 0x530100000000u
#define STREAM_SIZE 1024u /* of a block with its header */
#define STREAMS	    32u	  /* of a thread, at once */
#define POOL_SIZE   ((size_t)THREADS_MAX * STREAMS * STREAM_SIZE)

static u32 used[THREADS_MAX]; /* a bit each */
static PER_EXECUTION bool begun;
static bool reserved;
static bool expected; /* the next allocation of the C library is a stream */

void heap_expect_stream(bool yes)
{
	expected = yes;
}

static void begin_streams(void)
{
	void *at = (void *)STREAM_BASE;

	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;

	if (!reserved && mmap(at, POOL_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0) != at)
		fatal("out of memory: cannot reserve memory for streams (ulimit -v?)");
	reserved = true;
	bytes_fill(used, 0, sizeof used);
	begun = true;
}

void *stream_block(size_t size)
{
	u32 id, i;

	if (likely(!expected) || size > STREAM_SIZE)
		return NULL;
	expected = false;
	id = thread_id(thread_self());
	if (!begun)
		begin_streams();
	if (!~used[id])
		return NULL;
	i = (u32)__builtin_ctz(~used[id]);
	used[id] |= 1u << i;
	return (void *)(uintptr_t)(STREAM_BASE + (id * STREAMS + i) * (u64)STREAM_SIZE);
}

bool stream_block_free(const void *p)
{
	u64 at = (u64)(uintptr_t)p - STREAM_BASE;
	u32 id = (u32)(at / STREAM_SIZE / STREAMS);

	if (likely(at >= POOL_SIZE))
		return false;
	if (thread_self() && id == thread_id(thread_self()))
		used[id] &= ~(1u << at / STREAM_SIZE % STREAMS);
	return true;
}
