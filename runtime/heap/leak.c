/* SPDX-License-Identifier: ISC */
/* leak.c - see leak.h. */
#include "heap/leak.h"
#include "machine/core.h"
#include "heap/heap.h"
#include "machine/execution/key.h"
#include "machine/record/record.h"
#include "process/snapshot.h"
#include "process/pages.h"

#include <stdio.h>
#include <string.h>

#define BLOCKS	   (1u << 16) /* blocks that are checked; further ones count as reachable */
#define ADDRESS(w) ((w) & 0xffffffffffff)

static struct heap_block *block; /* [BLOCKS], by address */
static u8 *reached;
static u32 *todo;
static u32 nblocks, ntodo;

/* --- reachability ---------------------------------------------------------------------------- */

/* The last block that begins at or before a. */
static u32 find_leak_block(u64 a)
{
	u32 low = 0, high = nblocks;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (block[middle].start <= a)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

static void reach_block(u64 a)
{
	u32 i;

	if (a < block[0].start || a > block[nblocks - 1].start + block[nblocks - 1].size)
		return;
	i = find_leak_block(a);
	if (a > block[i].start + block[i].size || reached[i])
		return;
	reached[i] = 1;
	todo[ntodo++] = i;
}

static void scan_range(u64 start, u64 end)
{
	for (u64 at = (start + 7) & ~7ull; at + 8 <= end; at += 8) {
		u64 word = *(const u64 *)at;

		reach_block(word);
		if (unlikely(word >> 48))
			reach_block(ADDRESS(word));
	}
}

static void scan_stack(const struct thread *t, u64 sp)
{
	u64 top = fiber_end(t->slot);

	if (sp < top && top - sp <= FIBER_STACK_MAX)
		scan_range(sp, top);
}

static void scan_stacks(void)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];
		bool running = M.in_execution && t == M.cur;

		if (!t->started)
			reach_block((u64)(uintptr_t)t->arg);
		if (!i || !t->finished)
			scan_stack(t, (u64)(uintptr_t)(running ? __builtin_frame_address(0)
							       : t->fiber.sp));
	}
}

static bool need_leak_memory(void)
{
	if (!block) {
		block = pages_take(BLOCKS * sizeof *block);
		reached = pages_take(BLOCKS);
		todo = pages_take(BLOCKS * sizeof *todo);
	}
	return block && reached && todo;
}

/* Mark the reachable blocks. False: there are no blocks, or too many. */
static bool mark_block(void)
{
	if (!need_leak_memory())
		return false;
	nblocks = heap_list(block, BLOCKS);
	if (!nblocks || nblocks == BLOCKS)
		return false;
	memset(reached, 0, nblocks);
	ntodo = 0;
	snapshot_each(scan_range);
	scan_stacks();
	key_each(reach_block);
	while (ntodo) {
		const struct heap_block *b = &block[todo[--ntodo]];

		scan_range(b->start, b->start + b->size);
	}
	return true;
}

static void describe_leak(struct finding *f, const struct heap_block *b, u32 others, u64 bytes)
{
	char more[80] = "";

	if (others)
		snprintf(more, sizeof more, ", nor to %u other%s: %llu bytes in all", others,
			others > 1 ? "s" : "", (unsigned long long)bytes);
	*f = (struct finding){.kind = FINDING_LEAK, .thread = M.thread[b->thread].number};
	snprintf(f->message, sizeof f->message,
		"leak: nothing points to a block of %llu bytes any more%s",
		(unsigned long long)b->size, more);
}

const struct heap_block *leak_find(struct finding *f)
{
	const struct heap_block *b = NULL;
	u64 bytes = 0;
	u32 n = 0;

	if (!mark_block())
		return NULL;
	for (u32 i = 0; i < nblocks; i++) {
		if (reached[i])
			continue;
		b = b ? b : &block[i];
		bytes += block[i].size;
		n++;
	}
	if (b)
		describe_leak(f, b, n - 1, bytes);
	return b;
}

u32 leak_record(const struct heap_block *b, u16 thread)
{
	struct event e = {.kind = EV_FAIL, .addr = b->start, .thread = thread};

	for (u32 i = 0; i < record.nevents; i++)
		if (record.event[i].kind == EV_MALLOC && record.event[i].addr == b->start)
			e.stack = record.event[i].stack;
	return record_event(&e);
}

/* --- on store buffers ------------------------------------------------------------------------ */

void leak_check(void)
{
	const struct heap_block *b;

	if (!heap_balance_all() || M.nlive != 1)
		return;
	b = leak_find(&M.finding);
	if (!b)
		return;
	if (M.recording)
		M.finding.step = leak_record(b, M.finding.thread);
	execution_fail();
}
