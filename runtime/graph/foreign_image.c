/* SPDX-License-Identifier: ISC */
/* foreign_image.c - see foreign_image.h. */
#include "graph/foreign_image.h"
#include "heap/heap_priv.h"
#include "machine/core.h"
#include "machine/wait/foreign.h"
#include "process/bytes.h"
#include "process/fiber.h"
#include "process/module.h"
#include "process/pages.h"
#include "process/snapshot.h"

#define RANGES 4096
#define PAGE   4096u
#define CHUNK  256 /* bytes compared at once */
#define WIDEST 16ull /* bytes of a location */

struct copied_range {
	u64 start, size;
	const u8 *copy;
};

static struct {
	struct copied_range *range; /* [RANGES] */
	u8 *copy;	     /* [FOREIGN_IMAGE] */
	u32 n;
	u64 used;
	u32 heated; /* snapshot_heated, then */
	bool good;
	bool whole; /* not only of a range */
} I;

/* Of the runtime, or of a module of which the program reads no variables. */
static bool is_image_left_out(u64 addr)
{
	const struct module *m = module_find(addr);

	return module_is_runtime_data(addr, 8) || (m && !m->instrumented && !m->is_program);
}

static void keep_range(u64 start, u64 end)
{
	u64 size = end - start;

	if (!I.good || start >= end)
		return;
	I.good = I.n < RANGES && size <= FOREIGN_IMAGE - I.used;
	if (!I.good)
		return;
	bytes_copy(I.copy + I.used, (const void *)(uintptr_t)start, size);
	I.range[I.n++] = (struct copied_range){start, size, I.copy + I.used};
	I.used += size;
}

static void keep_written(u64 start, u64 end)
{
	if (!is_image_left_out(start))
		keep_range(start, end);
}

bool foreign_image_take(const struct foreign_range *range)
{
	if (!I.range) {
		I.range = pages_need(RANGES * sizeof *I.range);
		I.copy = pages_need(FOREIGN_IMAGE);
	}
	I.n = 0;
	I.used = 0;
	I.good = true;
	I.heated = snapshot_heated;
	I.whole = !range;
	if (range) {
		if (range->size)
			keep_range(range->start & ~(WIDEST - 1),
				(range->start + range->size + WIDEST - 1) & ~(WIDEST - 1));
		return I.good;
	}
	snapshot_each_written(keep_written);
	arenas_each(keep_range);
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		if (t != M.cur && t->started)
			keep_range((u64)(uintptr_t)t->fiber.sp, fiber_end(t->slot));
	}
	return I.good;
}

static const struct copied_range *find_foreign_range(u64 addr)
{
	for (u32 i = 0; i < I.n; i++)
		if (addr - I.range[i].start < I.range[i].size)
			return &I.range[i];
	return NULL;
}

bool foreign_image_read(u64 addr, u32 size, void *to)
{
	const struct copied_range *r = find_foreign_range(addr);

	if (!r || addr - r->start + size > r->size)
		return false;
	bytes_copy(to, r->copy + (addr - r->start), size);
	return true;
}

static void (*see_word)(u64 word);

static void compare_foreign_range(u64 start, const u8 *was, u64 size)
{
	const u8 *now = (const u8 *)(uintptr_t)start;
	u64 at = 0, end, next;

	while (at < size) {
		end = at + CHUNK < size ? at + CHUNK : size;
		if (bytes_equal(now + at, was + at, end - at)) {
			at = end;
			continue;
		}
		for (; at < end; at = next) {
			next = ((start + at) | 7) + 1 - start;
			if (next > size)
				next = size;
			if (!bytes_equal(now + at, was + at, next - at))
				see_word((start + at) & ~7ull);
		}
	}
}

/* A page that was not written in any execution before. */
static void compare_heated(u64 start, u64 copy, u64 size)
{
	if (is_image_left_out(start))
		return;
	for (u64 at = start, next; at < start + size; at = next) {
		next = (at | (PAGE - 1)) + 1 < start + size ? (at | (PAGE - 1)) + 1 : start + size;
		if (!find_foreign_range(at))
			compare_foreign_range(at, (const u8 *)(uintptr_t)(copy + (at - start)),
				next - at);
	}
}

/* Blocks that are new. */
static void see_arena(u64 start, u64 end)
{
	const struct copied_range *r = find_foreign_range(start);

	for (u64 at = r ? start + r->size : start; at < end; at += 8)
		see_word(at);
}

void foreign_image_changes(void (*see)(u64 word))
{
	see_word = see;
	for (u32 i = 0; i < I.n; i++)
		compare_foreign_range(I.range[i].start, I.range[i].copy, I.range[i].size);
	if (!I.whole)
		return;
	if (I.heated != snapshot_heated)
		snapshot_each_copied(compare_heated);
	arenas_each(see_arena);
}
