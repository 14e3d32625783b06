/* SPDX-License-Identifier: ISC */
/* memory_state.c - see memory_state.h. */
#include "cycle/memory_state.h"
#include "process/bytes.h"
#include "machine/core.h"
#include "heap/heap_priv.h"
#include "process/module.h"
#include "process/pages.h"
#include "process/snapshot.h"

#define RANGES_MAX 65536

struct image_range {
	u64 start, size;
	u64 copy; /* where in I.copy */
};

static struct {
	struct image_range *range; /* [RANGES_MAX] */
	u8 *copy;		   /* [IMAGE_BYTES] */
	u32 n, at;		   /* ranges; while comparing, the next one */
	u64 used;
	bool taking, good;
	bool lasts;		   /* the range seen stays mapped, at its address */
	bool changed_kept;	   /* is there a copy of */
	u64 changed, changed_copy; /* the eight bytes that differed last, and may again */
} I;

/* The offset of eight bytes that differ, in ranges of eight or more that do. */
static u64 find_difference(const u8 *a, const u8 *b, u64 size)
{
	u64 i = 0;

	while (i < size - 8 && bytes_equal(a + i, b + i, 8))
		i += 8;
	return i < size - 8 ? i : size - 8;
}

static void compare_state_range(u64 start, u64 size)
{
	const struct image_range *r = &I.range[I.at++];
	const void *now = (const void *)(uintptr_t)start;
	u64 offset;

	I.good = I.at <= I.n && r->start == start && r->size == size;
	if (!I.good || bytes_equal(I.copy + r->copy, now, size))
		return;
	I.good = false;
	if (!I.lasts || size < 8)
		return;
	offset = find_difference(I.copy + r->copy, now, size);
	I.changed_kept = true;
	I.changed = start + offset;
	I.changed_copy = r->copy + offset;
}

/* Keep a range, or compare it with the one kept; both see the same ranges in the same order. */
static void visit_state_range(u64 start, u64 end)
{
	u64 size = end - start;

	if (!I.good || start >= end)
		return;
	if (!I.taking) {
		compare_state_range(start, size);
		return;
	}
	I.good = I.n < RANGES_MAX && size <= IMAGE_BYTES - I.used;
	if (!I.good)
		return;
	I.range[I.n++] = (struct image_range){start, size, I.used};
	bytes_copy(I.copy + I.used, (const void *)(uintptr_t)start, size);
	if (I.lasts && size >= 8 && I.changed - start <= size - 8) {
		I.changed_kept = true;
		I.changed_copy = I.used + (I.changed - start);
	}
	I.used += size;
}

/* libc itself, not the loader or libunwind. No strstr(), which may be ours. */
static bool is_libc_itself(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		name = *path == '/' ? path + 1 : name;
	return name[0] == 'l' && name[1] == 'i' && name[2] == 'b' && name[3] == 'c' &&
	       (name[4] == '.' || name[4] == '-');
}

static void see_libc(void)
{
	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);

		if (!m->is_libc || !is_libc_itself(m->path))
			continue;
		for (unsigned k = 0; k < m->nwritable; k++)
			visit_state_range(m->writable[k].start, m->writable[k].end);
	}
}

static void see_errno(void)
{
	static int now[THREADS_MAX];

	if (tls_mode != TLS_ERRNO)
		return; /* with the other thread-local variables */
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		now[i] = t == M.cur ? *fiber_errno : t->fiber.saved_errno;
	}
	visit_state_range((u64)(uintptr_t)now, (u64)(uintptr_t)(now + M.nthreads));
}

/* Rounding, traps and flags. */
static void see_floats(void)
{
	static struct arch_floats now[THREADS_MAX];

	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		now[i] = t->fiber.floats;
		if (t == M.cur)
			arch_floats_read(&now[i]);
	}
	visit_state_range((u64)(uintptr_t)now, (u64)(uintptr_t)(now + M.nthreads));
}

static void visit_state(void)
{
	I.lasts = true;
	snapshot_each_written(visit_state_range);
	I.lasts = false;
	if (machine_hooks.each_state)
		machine_hooks.each_state(visit_state_range);
	arenas_each(visit_state_range);
	for (u32 i = 0; i < M.nthreads; i++)
		tls_each(M.created[i], visit_state_range);
	native_each_internal(visit_state_range);
	see_libc();
	see_errno();
	see_floats();
}

bool memory_state_take(void)
{
	if (!I.range) {
		I.range = pages_need(RANGES_MAX * sizeof *I.range);
		I.copy = pages_need(IMAGE_BYTES);
	}
	I.n = 0;
	I.used = 0;
	I.changed_kept = false;
	I.taking = I.good = true;
	visit_state();
	I.taking = false;
	return I.good;
}

bool memory_state_may_be_same(void)
{
	return !I.changed_kept ||
	       bytes_equal(I.copy + I.changed_copy, (const void *)(uintptr_t)I.changed, 8);
}

bool memory_state_same(void)
{
	I.at = 0;
	I.good = true;
	visit_state();
	return I.good && I.at == I.n;
}
