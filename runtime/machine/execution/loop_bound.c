/* SPDX-License-Identifier: ISC */
/* loop_bound.c - see loop_bound.h. */
#include "machine/execution/loop_bound.h"
#include "machine/core.h"
#include "machine/execution/tsan_store.h"
#include "process/bytes.h"
#include "process/pages.h"

#define LOOPS 256 /* of a thread; beyond, the outermost is dropped */

struct bounded_loop {
	const void *name;
	u64 frame; /* never above that of the loop before */
	u64 iterations;
	bool exempt;
};

struct loops {
	u32 n, last; /* last: the loop whose iteration began last */
	struct bounded_loop loop[LOOPS];
};

bool loop_bound_on;
static u64 bound;
static struct loops *loops; /* [THREADS_MAX] */

static void dress_loop_bound(struct engine *e);
static struct decorator decorator = {.dress = dress_loop_bound};

bool loop_bound_begin(const struct options *o)
{
	bound = o->loop_bound;
	loop_bound_on = bound != 0;
	if (loop_bound_on && !loops)
		loops = pages_take(THREADS_MAX * sizeof *loops);
	engine_decorate(&decorator, loop_bound_on && tsan_store_used);
	return !loop_bound_on || loops;
}

void loop_bound_thread(u32 slot)
{
	loops[slot].n = loops[slot].last = 0;
}

static struct bounded_loop *find_loop(struct loops *l, const void *name, u64 frame)
{
	while (l->n && l->loop[l->n - 1].frame < frame)
		l->n--;
	for (u32 i = l->n; i-- > 0 && l->loop[i].frame == frame;)
		if (l->loop[i].name == name)
			return &l->loop[i];
	if (l->n == LOOPS)
		bytes_copy(l->loop, l->loop + 1, --l->n * sizeof *l->loop);
	l->loop[l->n] = (struct bounded_loop){name, frame, 0, false};
	return &l->loop[l->n++];
}

void loop_bound_iteration(const void *name, u64 frame, bool entered)
{
	struct loops *l = &loops[M.cur->slot];
	struct bounded_loop *loop = find_loop(l, name, frame);

	l->last = (u32)(loop - l->loop);
	if (entered)
		*loop = (struct bounded_loop){name, frame, 0, false};
	if (++loop->iterations > bound && !loop->exempt)
		machine_cut();
}

void loop_bound_exempt(void)
{
	struct loops *l = &loops[M.cur->slot];

	if (l->last < l->n)
		l->loop[l->last].exempt = true;
}

/* --- code of other compilers ----------------------------------------------------------------- */

static void count_access(void)
{
	loop_bound_iteration((const void *)(uintptr_t)machine_frame->return_address,
		(u64)(uintptr_t)(machine_frame + 1), false);
}

static void counted_load(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	if (!(flags & EVENT_PLAIN))
		count_access();
	decorator.next->load(p, size, order, flags, out);
}

static void counted_rmw(void *p, u32 size, u64 value[2], int op, int order)
{
	count_access();
	decorator.next->rmw(p, size, value, op, order);
}

static bool counted_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	count_access();
	return decorator.next->cas(p, size, expected, desired, orders);
}

static void dress_loop_bound(struct engine *e)
{
	e->load = counted_load;
	e->rmw = counted_rmw;
	e->cas = counted_cas;
}
