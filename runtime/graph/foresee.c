/* SPDX-License-Identifier: ISC */
/* foresee.c - see foresee.h. */
#include "graph/foresee.h"
#include "graph/sharing.h"
#include "heap/heap_check.h"
#include "heap/heap_priv.h"
#include "machine/core.h"
#include "machine/wait/foreign.h"

static bool known; /* by the explorations of this search */

static struct decorator noting;

/* Has a thread been created, if only to end since? */
static bool has_threads(void)
{
	return M.nthreads > 1;
}

static void note_plain(const void *p, size_t n)
{
	u64 at = (u64)(uintptr_t)p, end = at + n, stop;

	for (; has_threads() && at < end; at = stop) {
		stop = (at | 7) + 1 < end ? (at | 7) + 1 : end;
		sharing_watch(at);
		sharing_plain(M.cur->slot, at, (u32)(stop - at));
	}
}

static void note_atomic(const void *p, u32 size)
{
	struct sharing_location ignored;

	if (!has_threads())
		return;
	sharing_watch((u64)(uintptr_t)p);
	sharing_atomic(M.cur->slot, (u64)(uintptr_t)p, size, &ignored);
}

static void note_access(const void *p, u32 size, u16 flags)
{
	if (flags & EVENT_PLAIN)
		note_plain(p, size);
	else
		note_atomic(p, size);
}

static void noted_load(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	note_access(p, size, flags);
	noting.next->load(p, size, order, flags, out);
}

static void noted_store(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	note_access(p, size, flags);
	noting.next->store(p, size, value, order, flags);
}

static void noted_rmw(void *p, u32 size, u64 value[2], int op, int order)
{
	note_atomic(p, size);
	noting.next->rmw(p, size, value, op, order);
}

static bool noted_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	note_atomic(p, size);
	return noting.next->cas(p, size, expected, desired, orders);
}

static void noted_read(void *to, const void *from, size_t n)
{
	note_plain(from, n);
	noting.next->read(to, from, n);
}

static void noted_write(void *to, const void *from, size_t n)
{
	note_plain(to, n);
	noting.next->write(to, from, n);
}

static void noted_fill(void *to, int byte, size_t n)
{
	note_plain(to, n);
	noting.next->fill(to, byte, n);
}

#define RANGE_MOST 512 /* bytes: a function may write much less than it is allowed to */

static void noted_foreign_call(
	const struct module *m, u64 site, u64 sp, const struct foreign_range *range)
{
	u8 ignored;

	if (m && range && range->size <= RANGE_MOST && has_threads())
		for (u64 at = range->start & ~7ull; at < range->start + range->size; at += 8) {
			sharing_watch(at);
			sharing_foreign(M.cur->slot, at, &ignored);
		}
	if (noting.next->foreign_call)
		noting.next->foreign_call(m, site, sp, range);
}

/* Allocating and freeing a block are accesses to its header (execute_heap.c). */
static void note_header(const void *p)
{
	if (heap_watched)
		note_plain((const u8 *)p - HEAP_ALIGNMENT, 8);
}

static void noted_alloc(const void *p, size_t size, const void *caller)
{
	note_header(p);
	noting.next->alloc(p, size, caller);
}

static void noted_free(const void *p, const void *caller)
{
	note_header(p);
	noting.next->free(p, caller);
}

static void dress_noting(struct engine *e)
{
	e->load = noted_load;
	e->store = noted_store;
	e->rmw = noted_rmw;
	e->cas = noted_cas;
	e->read = noted_read;
	e->write = noted_write;
	e->fill = noted_fill;
	e->foreign_call = noted_foreign_call;
	e->alloc = noted_alloc;
	e->free = noted_free;
}

static struct decorator noting = {.dress = dress_noting};

void foresee_clear(void)
{
	known = false;
}

void foresee_begin(void)
{
	sharing_clear();
	engine_decorate(&noting, true);
}

void foresee_end(void)
{
	engine_decorate(&noting, false);
	known = true;
}

bool foresee_adopt(void)
{
	if (known)
		sharing_keep_shared();
	return known;
}
