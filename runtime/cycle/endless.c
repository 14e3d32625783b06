/* SPDX-License-Identifier: ISC */
/* endless.c - see endless.h. */
#include "cycle/endless.h"
#include "arch/arch.h"
#include "machine/core.h"
#include "cycle/memory_state.h"
#include "machine/execution/signal.h"
#include "process/bytes.h"
#include "process/module.h"
#include "process/pages.h"

#include <stdio.h>
#include <ucontext.h>

static void report_endless(void *ucontext)
{
	M.finding = (struct finding){.kind = FINDING_LOOP, .thread = M.cur->number,
		.site = (u32)machine_site};
	snprintf(M.finding.message, sizeof M.finding.message,
		"an endless loop in %s without effect on other threads",
		thread_words(M.cur->number));
	if (M.recording)
		signals_record(ucontext, &M.finding, M.cur);
	signals_leave(OUTCOME_FAIL);
}

#define STACK_ROOM (256u << 10)

static struct {
	bool on, kept;
	bool inside; /* of the runtime, by way of __heddle_turn() */
	u32 steps;
	ucontext_t context;
	u64 low, size; /* of the stack */
	u8 *stack;
} E;

static bool same_thread_state(const void *context)
{
	return arch_context_same(context, &E.context) &&
	       bytes_equal(E.stack, (const void *)(uintptr_t)E.low, E.size) && memory_state_same();
}

/* Does the instruction at pc depend on registers and memory only? */
static bool is_closed(u64 pc)
{
	const struct module *m = module_find(pc);

	if (signals_is_own(pc)) {
		E.inside = E.inside || !E.kept || pc == (u64)(uintptr_t)__heddle_turn;
		return E.inside;
	}
	E.inside = false;
	return m && m->instrumented && !arch_is_external((const u8 *)(uintptr_t)pc);
}

static void keep_thread(const void *context)
{
	u64 sp = arch_context_sp(context), high = fiber_end(M.cur->slot);

	if (!E.stack)
		E.stack = pages_need(STACK_ROOM);
	arch_context_copy(&E.context, context);
	E.low = sp - ARCH_RED_ZONE;
	E.size = high - E.low;
	E.kept = sp > fiber_low(M.cur->slot) && sp < high && E.size <= STACK_ROOM &&
		 memory_state_take();
	if (E.kept)
		bytes_copy(E.stack, (const void *)(uintptr_t)E.low, E.size);
}

static void begin_steps(void *ucontext)
{
	if (M.options->break_at_failure) /* a debugger has the trap flag; and it has been proved
					    before */
		report_endless(ucontext);
	E.on = arch_context_step(ucontext, true);
	E.kept = E.inside = false;
	E.steps = 0;
}

/* One more instruction; false: give up. */
static bool look_at_step(void *ucontext)
{
	u64 pc = arch_context_pc(ucontext);

	if (++E.steps == ENDLESS_STEPS || !is_closed(pc))
		return false;
	if (E.kept && pc == arch_context_pc(&E.context) && same_thread_state(ucontext)) {
		E.on = false;
		report_endless(ucontext);
	}
	if (!E.kept && !E.inside)
		keep_thread(ucontext);
	return E.kept || E.inside;
}

static bool end_step(void *ucontext)
{
	if (!E.on)
		return false;
	E.on = look_at_step(ucontext);
	if (!E.on)
		arch_context_step(ucontext, false);
	return true;
}

void endless_install(void)
{
	machine_hooks.computes = begin_steps;
	machine_hooks.trapped = end_step;
}
