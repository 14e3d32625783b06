/* SPDX-License-Identifier: ISC */
/* endless.c - see endless.h. */
#include "cycle/endless.h"
#include "machine/core.h"
#include "cycle/memory_state.h"
#include "machine/signal.h"
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

#if defined(__x86_64__)

#define TRAP_FLAG  0x100
#define OWN_FLAGS  (TRAP_FLAG | 0x10000) /* and the resume flag: the kernel's business */
#define STACK_ROOM (256u << 10)
#define RED_ZONE   128

static struct {
	bool on, kept;
	bool inside; /* of the runtime, by way of __heddle_turn() */
	u32 steps;
	gregset_t registers;
	struct _libc_fpstate floats;
	u64 low, size; /* of the stack */
	u8 *stack;
} E;

static bool same_registers(const mcontext_t *m)
{
	for (int i = 0; i <= REG_RIP; i++)
		if (m->gregs[i] != E.registers[i])
			return false;
	return !((m->gregs[REG_EFL] ^ E.registers[REG_EFL]) & ~(greg_t)OWN_FLAGS) &&
	       bytes_equal(m->fpregs, &E.floats, sizeof E.floats);
}

static bool same_state(const mcontext_t *m)
{
	return same_registers(m) && bytes_equal(E.stack, (const void *)(uintptr_t)E.low, E.size) &&
	       memory_state_same();
}

/* May it depend on more than its state? */
static bool is_closed(u64 pc)
{
	const struct module *m = module_find(pc);
	const u8 *code = (const u8 *)(uintptr_t)pc;

	if (signals_is_own(pc)) {
		E.inside = E.inside || !E.kept || pc == (u64)(uintptr_t)__heddle_turn;
		return E.inside;
	}
	E.inside = false;
	if (!m || !m->instrumented)
		return false;
	if (code[0] == 0x0f) /* syscall, rdtsc, sysenter, rdtscp and the like, rdrand */
		return code[1] != 0x05 && code[1] != 0x31 && code[1] != 0x34 && code[1] != 0x01 &&
		       code[1] != 0xc7;
	return code[0] != 0xcd;
}

static void keep(const mcontext_t *m)
{
	u64 sp = (u64)m->gregs[REG_RSP], high = fiber_end(M.cur->slot);

	if (!E.stack)
		E.stack = pages_need(STACK_ROOM);
	bytes_copy(E.registers, m->gregs, sizeof E.registers);
	bytes_copy(&E.floats, m->fpregs, sizeof E.floats);
	E.low = sp - RED_ZONE;
	E.size = high - E.low;
	E.kept = sp > fiber_low(M.cur->slot) && sp < high && E.size <= STACK_ROOM &&
		 memory_state_take();
	if (E.kept)
		bytes_copy(E.stack, (const void *)(uintptr_t)E.low, E.size);
}

static void begin_steps(void *ucontext)
{
	mcontext_t *m = &((ucontext_t *)ucontext)->uc_mcontext;

	if (M.options->break_at_failure) /* a debugger has the trap flag; and it has been proved
					    before */
		report_endless(ucontext);
	E.on = true;
	E.kept = E.inside = false;
	E.steps = 0;
	m->gregs[REG_EFL] |= TRAP_FLAG;
}

/* One more instruction; false: it is in vain. */
static bool look(const mcontext_t *m, void *ucontext)
{
	u64 pc = (u64)m->gregs[REG_RIP];

	if (++E.steps == ENDLESS_STEPS || !is_closed(pc))
		return false;
	if (E.kept && pc == (u64)E.registers[REG_RIP] && same_state(m)) {
		E.on = false;
		report_endless(ucontext);
	}
	if (!E.kept && !E.inside)
		keep(m);
	return E.kept || E.inside;
}

static bool end_step(void *ucontext)
{
	mcontext_t *m = &((ucontext_t *)ucontext)->uc_mcontext;

	if (!E.on)
		return false;
	E.on = look(m, ucontext);
	if (!E.on)
		m->gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	return true;
}

#else

static void begin_steps(void *ucontext)
{
	if (M.options->break_at_failure)
		report_endless(ucontext);
}

static bool end_step(void *ucontext)
{
	return false;
}

#endif

void endless_install(void)
{
	machine_hooks.computes = begin_steps;
	machine_hooks.trapped = end_step;
}
