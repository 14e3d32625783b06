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
} I;

/* Keep a range, or compare it with the one kept; both see the same ranges in the same order. */
static void see_range(u64 start, u64 end)
{
	u64 size = end - start;
	struct image_range *r;

	if (!I.good || start >= end)
		return;
	if (!I.taking) {
		r = &I.range[I.at++];
		I.good = I.at <= I.n && r->start == start && r->size == size &&
			 bytes_equal(I.copy + r->copy, (const void *)(uintptr_t)start, size);
		return;
	}
	I.good = I.n < RANGES_MAX && size <= IMAGE_BYTES - I.used;
	if (!I.good)
		return;
	I.range[I.n++] = (struct image_range){start, size, I.used};
	bytes_copy(I.copy + I.used, (const void *)(uintptr_t)start, size);
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
			see_range(m->writable[k].start, m->writable[k].end);
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
	see_range((u64)(uintptr_t)now, (u64)(uintptr_t)(now + M.nthreads));
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
	see_range((u64)(uintptr_t)now, (u64)(uintptr_t)(now + M.nthreads));
}

static void see_all(void)
{
	snapshot_each_written(see_range);
	if (machine_hooks.each_state)
		machine_hooks.each_state(see_range);
	arenas_each(see_range);
	for (u32 i = 0; i < M.nthreads; i++)
		tls_each(M.created[i], see_range);
	native_each_internal(see_range);
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
	I.taking = I.good = true;
	see_all();
	I.taking = false;
	return I.good;
}

bool memory_state_same(void)
{
	I.at = 0;
	I.good = true;
	see_all();
	return I.good && I.at == I.n;
}
