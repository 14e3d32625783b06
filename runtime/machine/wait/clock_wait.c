/* SPDX-License-Identifier: ISC */
/* clock_wait.c - see clock_wait.h. */
#include "machine/wait/clock_wait.h"
#include "base/prng.h"
#include "machine/core.h"
#include "machine/wait/object_call.h"
#include "machine/wait/sync.h"
#include "process/fiber.h"

#define FREE_READINGS 2	      /* that begin no iteration */
#define FIRST_SLEEP   2000ull /* nanoseconds */
#define DOUBLINGS     30

static u32 execution;

static struct iteration {
	u32 execution; /* the fields below are of that one */
	u32 readings;  /* of a clock, by the thread */
	u32 same;      /* iterations like the one before, in a row */
	u64 sum, last;
	bool reads, changes, comparable; /* the last one changed nothing */
} iteration[THREADS_MAX];		 /* by slot */

static void dress_clock_wait(struct engine *e);
static struct decorator decorator = {.dress = dress_clock_wait};
static u8 clock_wait_call(const struct object_call *c);
static bool clock_wait_called(const struct object_call *c, u8 before);
static struct object_call_observer observer = {
	.before = clock_wait_call, .after = clock_wait_called, .whole = true};

void clock_wait_begin(void)
{
	execution++;
}

static struct iteration *current(void)
{
	struct iteration *i = &iteration[M.cur->slot];

	if (i->execution != execution)
		*i = (struct iteration){.execution = execution};
	return i;
}

u64 clock_wait_iteration(void)
{
	struct iteration *i = current();
	bool waits = i->reads && !i->changes && i->readings > FREE_READINGS;

	if (M.nthreads == 1 || M.options->strategy == STRATEGY_RF ||
		M.options->strategy == STRATEGY_STATES)
		return 0;
	i->same = waits && i->comparable && i->sum == i->last ? i->same + 1 : 0;
	i->comparable = waits;
	i->last = i->sum;
	i->sum = 0;
	i->reads = i->changes = false;
	if (++i->readings > FREE_READINGS && !decorator.on) {
		engine_decorate(&decorator, true);
		object_calls_observe(&observer, true);
	}
	return !i->same ? 0 : FIRST_SLEEP << (i->same < DOUBLINGS ? i->same - 1 : DOUBLINGS);
}

/* --- what an iteration does ------------------------------------------------------------------- */

static void add_clock_sum(u64 a, u64 b)
{
	struct iteration *i = current();

	i->sum = prng_mix(i->sum ^ a) + b;
	i->reads = true;
}

static void note_change(void)
{
	current()->changes = true;
}

static bool is_on_caller_stack(const void *p)
{
	u64 addr = (u64)(uintptr_t)p;

	return addr >= fiber_low(M.cur->slot) && addr < fiber_end(M.cur->slot);
}

static void clock_wait_load(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	decorator.next->load(p, size, order, flags, out);
	if (!is_on_caller_stack(p))
		add_clock_sum((u64)(uintptr_t)p, prng_mix(out[0]) ^ (size > 8 ? out[1] : 0));
}

static void clock_wait_store(void *p, u32 size, const u64 value[2], int order, u16 flags)
{
	if (!is_on_caller_stack(p))
		note_change();
	decorator.next->store(p, size, value, order, flags);
}

static void clock_wait_announce(const void *p, size_t n, u64 code)
{
	if (!is_on_caller_stack(p))
		note_change();
	decorator.next->announce(p, n, code);
}

/* One that leaves the value as it was is a load. */
static void clock_wait_rmw(void *p, u32 size, u64 value[2], int op, int order)
{
	u64 operand = value[0];

	decorator.next->rmw(p, size, value, op, order);
	if (op != HEDDLE_XCHG || size > 8 || operand != value[0])
		note_change();
	add_clock_sum((u64)(uintptr_t)p, value[0]);
}

static bool clock_wait_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	bool ok = decorator.next->cas(p, size, expected, desired, orders);

	if (ok)
		note_change();
	add_clock_sum((u64)(uintptr_t)p, expected[0] + ok);
	return ok;
}

static void clock_wait_read(void *to, const void *from, size_t n)
{
	const u8 *bytes = to;
	u64 sum = n;

	decorator.next->read(to, from, n);
	if (is_on_caller_stack(from))
		return;
	for (size_t i = 0; i < n; i++)
		sum = prng_mix(sum ^ bytes[i]);
	add_clock_sum((u64)(uintptr_t)from, sum);
}

static void clock_wait_write(void *to, const void *from, size_t n)
{
	if (!is_on_caller_stack(to))
		note_change();
	decorator.next->write(to, from, n);
}

static void clock_wait_fill(void *to, int byte, size_t n)
{
	if (!is_on_caller_stack(to))
		note_change();
	decorator.next->fill(to, byte, n);
}

/* Locks are taken and released in an iteration that only reads. */
static u8 clock_wait_call(const struct object_call *c)
{
	enum event_kind kind = c->op ? c->op->kind : EV_JOIN;

	if (c->kind == OBJECT_CALL_SYNC
			? !kind_has(kind, KIND_LOCK) && kind != EV_YIELD && kind != EV_PAUSE
			: c->kind != OBJECT_CALL_JOIN)
		note_change();
	return 0;
}

static bool clock_wait_called(const struct object_call *c, u8 before)
{
	if (c->kind == OBJECT_CALL_SYNC)
		add_clock_sum((u64)(uintptr_t)c->obj ^ c->op->kind, c->result);
	return false;
}

static void dress_clock_wait(struct engine *e)
{
	e->load = clock_wait_load;
	e->store = clock_wait_store;
	e->rmw = clock_wait_rmw;
	e->cas = clock_wait_cas;
	e->read = clock_wait_read;
	e->write = clock_wait_write;
	e->fill = clock_wait_fill;
	if (e->announce)
		e->announce = clock_wait_announce;
}
