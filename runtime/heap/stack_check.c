/* SPDX-License-Identifier: ISC */
/* stack_check.c - see stack_check.h. */
#include "heap/stack_check.h"
#include "heap/fresh.h"
#include "machine/core.h"
#include "machine/memory.h"
#include "machine/record/record.h"
#include "machine/execution/tsan_store.h"
#include "model/buffer.h"
#include "process/stack.h"

#include <stdio.h>

_Static_assert(STACK_SPAN == (u64)THREADS_MAX * FIBER_STACK_STRIDE, "a stack a thread");

static bool written_on, alive_on;
static const struct finding *expected; /* NULL: any */
static bool records_returns;

void stack_check_begin(void)
{
	written_on = M.options->detect & DETECT_UNWRITTEN;
	alive_on = M.options->detect & DETECT_STACK;
}

void stack_check_expect(const struct finding *f)
{
	expected = f;
	records_returns = f && f->kind == FINDING_STACK;
}

void stack_check_execution(void)
{
	if (!M.recording && !expected)
		records_returns = false;
}

bool stack_check_expects(enum finding_kind kind)
{
	return !expected || expected->kind == kind;
}

static struct thread *owner_of(u64 addr)
{
	return &M.thread[(addr - FIBER_STACKS) / FIBER_STACK_STRIDE];
}

static inline bool is_own_fiber_stack(u64 addr)
{
	return addr - fiber_low(M.cur->slot) < FIBER_STACK_STRIDE;
}

/* The running thread uses its stack from there on. */
static void revive(u64 addr)
{
	struct thread *t = M.cur;

	if (addr - t->dead_low < t->dead_high - t->dead_low)
		t->dead_high = addr;
}

void stack_check_variable(u64 addr, u64 n)
{
	if (!is_own_fiber_stack(addr))
		return;
	revive(addr);
	if (written_on)
		fresh_fill(addr, n < FRESH_MAX ? n : FRESH_MAX);
}

static void record_return(struct thread *t)
{
	struct event e = {.thread = t->number, .kind = EV_FRAME_END};

	t->returned = record_event(&e);
}

void stack_check_leave(u64 sp, u64 frame)
{
	struct thread *t = M.cur;

	if (!alive_on || !stack_check_expects(FINDING_STACK) || !is_own_fiber_stack(sp) ||
		!is_own_fiber_stack(frame) ||
		frame <= t->foreign_sp || tsan_store_used)
		return;
	t->foreign_sp = 0;
	if (t->dead_high + 2 * sizeof(u64) < sp || t->dead_low > sp)
		t->dead_low = sp;
	t->dead_high = frame;
	if (unlikely(M.recording && records_returns))
		record_return(t);
}

void stack_check_foreign(u64 sp)
{
	struct thread *t = M.cur;

	t->dead_high = t->dead_low;
	if (is_own_fiber_stack(sp) && sp > t->foreign_sp)
		t->foreign_sp = sp;
}

/* --- is it alive? ---------------------------------------------------------------------------- */

static bool is_dead_stack(const struct thread *owner, u64 addr)
{
	return addr - owner->dead_low < owner->dead_high - owner->dead_low;
}

/* That of main lasts as long as the process. */
static bool owner_has_exited(const struct thread *owner)
{
	return owner->finished && owner->slot;
}

/* The step at which the thread exited, or its function returned. */
static u32 step_of_end(const struct thread *owner)
{
	u32 step = record_steps();

	if (!owner_has_exited(owner))
		return owner->returned;
	while (step && (record.event[step - 1].thread != owner->number ||
			       record.event[step - 1].kind != EV_EXIT))
		step--;
	return step;
}

static u32 record_stack_access(const struct thread *t, u64 addr, u64 size, bool write)
{
	struct event e = {
		.thread = t->number,
		.kind = write ? EV_WRITE : EV_READ,
		.flags = EVENT_USE,
		.size = (u32)size,
		.addr = addr,
		.from = write ? 0 : record_writer(addr),
		.buffered = M.engine->stores(t),
	};

	memory_read(addr, size < 16 ? (u32)size : 16, e.value);
	return record_event(&e);
}

/* step: of t's access; 0: to be recorded. */
static _Noreturn void fail_use(struct thread *t, u64 addr, u64 size, bool write, u32 step)
{
	const struct thread *owner = owner_of(addr);
	struct finding *f = &M.finding;
	bool exited = owner_has_exited(owner);

	*f = (struct finding){.kind = FINDING_STACK, .thread = t->number};
	if (M.options->judged)
		f->site = stack_site();
	if (M.recording) {
		f->other = step_of_end(owner);
		f->step = step ? step : record_stack_access(t, addr, size, write);
	} else {
		records_returns = true;
	}
	snprintf(f->message, sizeof f->message, "use of the stack of a %s that has %s",
		exited ? "thread" : "function", exited ? "exited" : "returned");
	execution_fail();
}

static bool uses_dead(const struct thread *t, u64 addr)
{
	const struct thread *owner = owner_of(addr);

	return owner != t && alive_on && (owner_has_exited(owner) || is_dead_stack(owner, addr)) &&
	       stack_check_expects(FINDING_STACK);
}

void stack_check_access(u64 addr, u64 size, bool write)
{
	if (is_own_fiber_stack(addr))
		revive(addr);
	else if (stack_has(addr) && unlikely(uses_dead(M.cur, addr)))
		fail_use(M.cur, addr, size, write, 0);
}

void stack_check_commit(struct thread *t, const struct store *s)
{
	if (stack_has(s->addr) && unlikely(uses_dead(t, s->addr)))
		fail_use(t, s->addr, s->size, true, s->step);
}

/* --- is it written? -------------------------------------------------------------------------- */

void stack_check_value(u64 addr, const u64 value[2], u32 bytes)
{
	if (!written_on || __builtin_popcount(bytes) < FRESH_SURE || !fresh_has(addr, value, bytes))
		return;
	machine_fail_at(addr, FINDING_UNINIT,
		"use of uninitialised memory: %s uses a local variable that was never stored",
		thread_words(M.cur->number));
}
