/* SPDX-License-Identifier: ISC */
/* heap_check.c - see heap_check.h. */
#include "heap/heap_check.h"
#include "machine/core.h"
#include "heap/heap_priv.h"
#include "machine/record/record.h"
#include "heap/uninit.h"

#include "detect/heap.h"

u64 heap_watched, access_watched;
struct heap_known heap_object, heap_block;

void heap_check_begin(void)
{
	bool on = M.options->detect & DETECT_HEAP;

	heap_object.size = heap_block.size = 0;
	uninit_begin();
	M.watched = uninit_on;
	engine_update();
	heap_watched = on ? ARENA_SPAN : 0;
	stack_check_begin();
	access_watched = M.options->detect & (DETECT_UNWRITTEN | DETECT_STACK)
				 ? FIBER_STACKS + STACK_SPAN - ARENA_BASE
				 : heap_watched;
	arenas_watch(on || M.options->reuse != REUSE_NEVER ||
		     (M.options->regions && M.options->strategy == STRATEGY_GRAPH));
}

static _Noreturn void fail_access(const struct heap_fault *f)
{
	char words[200];

	heap_describe(f, words, sizeof words);
	machine_fail_at(f->start ? f->start : f->addr, FINDING_HEAP, "%s", words);
}

static struct heap_fault access_fault(
	enum heap_wrong what, u64 addr, u64 size, enum event_kind kind, const struct arena_view *v)
{
	return (struct heap_fault){
		.what = what,
		.kind = kind,
		.addr = addr,
		.size = size,
		.start = v->start,
		.block_size = v->size,
		.freer = v->freed ? M.thread[v->freer].number : -1,
	};
}

void heap_bounds(u64 addr, u64 size, enum event_kind kind, struct arena_view *v)
{
	struct heap_fault f;

	*v = (struct arena_view){.start = 0};
	if (unlikely(!arena_view(addr, v))) {
		f = access_fault(HEAP_NOWHERE, addr, size, kind, v);
		fail_access(&f);
	}
	if (unlikely(addr < v->start || addr - v->start > v->size ||
		     size > v->size - (addr - v->start))) {
		f = access_fault(HEAP_OUTSIDE, addr, size, kind, v);
		fail_access(&f);
	}
}

void heap_check_ours(u64 addr)
{
	machine_fail_at(0, FINDING_MEMORY,
		"%s stores to 0x%llx, memory of heddle: beyond the end of a global variable, or "
		"through a wild pointer",
		thread_words(M.cur->number), (unsigned long long)addr);
}

void heap_check_freed(u64 addr, u64 size, enum event_kind kind, const struct arena_view *v)
{
	struct heap_fault f = access_fault(HEAP_FREED, addr, size, kind, v);

	fail_access(&f);
}

void heap_check_block(u64 addr, u64 size, enum event_kind kind)
{
	struct arena_view v;

	if (!size)
		return;
	heap_bounds(addr, size, kind, &v);
	if (unlikely(v.freed))
		heap_check_freed(addr, size, kind, &v);
	else
		heap_block = (struct heap_known){v.start, v.size};
}

void heap_check_object(const void *obj, enum event_kind kind)
{
	u64 addr = (u64)(uintptr_t)obj;
	struct arena_view v;

	heap_bounds(addr, 1, kind, &v);
	if (unlikely(v.freed))
		heap_check_freed(addr, 1, kind, &v);
	heap_object = (struct heap_known){v.start, v.size};
}

void heap_check_commit(struct thread *t, const struct store *s)
{
	struct heap_fault f;
	struct arena_view v;

	if (!heap_is_watched(s->addr)) {
		stack_check_commit(t, s);
		return;
	}
	uninit_wrote(s->addr, s->size);
	if (likely(!arena_view(s->addr, &v) || !v.freed || v.freer == t->slot))
		return;
	f = access_fault(HEAP_COMMIT, s->addr, s->size, EV_WRITE, &v);
	M.cur = t;
	M.fail_stack = M.recording && s->step ? record.event[s->step - 1].stack : 0;
	fail_access(&f);
}

size_t heap_room(const void *p, size_t n)
{
	u64 addr = (u64)(uintptr_t)p;
	struct arena_view v;

	if (likely(!heap_is_watched(addr)) || !arena_view(addr, &v) || addr < v.start ||
		addr - v.start >= v.size || v.size - (addr - v.start) > n)
		return n;
	return v.size - (addr - v.start);
}
