/* SPDX-License-Identifier: ISC */
/*
 * execution.c - one execution: restored memory, the program on fibers, and its ends.
 *
 * It runs on the stack of the search until fiber_switch() to main; it ends by switching back
 * (execution_end() in sched.c), from any fiber.
 */
#include "machine/execution/execution.h"
#include "machine/execution/clock.h"
#include "machine/core.h"
#include "machine/invariants.h"
#include "machine/execution/tsan_store.h"
#include "machine/observer/lock_order.h"
#include "machine/execution/hang.h"
#include "machine/wait/vtime.h"
#include "model/model.h"
#include "machine/record/record.h"
#include "process/input.h"
#include "process/libc_state.h"
#include "process/output.h"
#include "process/snapshot.h"
#include "process/stop.h"
#include "process/stack.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct engine no_engine; /* before the first exploration */
struct machine M = {.engine = &no_engine};
struct entry_frame *machine_frame;
u64 machine_site;
u8 machine_exploring;
bool machine_recording;

static const struct sync_op exit_op = {.kind = EV_EXIT};

void machine_set_model(enum model_id m)
{
	M.model = m;
	M.buffers = model_of(m)->buffers;
}

/* --- one execution --------------------------------------------------------------------------- */

static void main_entry(void)
{
	int status;

	status = M.fn(M.arg);
	machine_entered(); /* completes announced stores */
	machine_exit(status);
}

static u64 max_alone(void)
{
	u64 steps = 1024 * (u64)M.max_steps;

	return steps > M.max_alone_least ? steps : M.max_alone_least;
}

static void reset_machine(void)
{
	if (M.engine->begin)
		M.engine->begin();
	M.nthreads = M.nlive = M.reuse_from = 0;
	M.steps = 0;
	M.alone_steps = 0;
	M.max_alone = max_alone();
	M.tally = (struct tally){0};
	M.committer = NULL;
	M.fail_stack = 0;
	M.alone = true;
	M.alone_at = !M.stepwise;
	M.status->nchoices = 0;
	vtime_begin();
	INVARIANT(vtime_check_begin());
	lock_order_begin();
}

void execution_prepare(void)
{
	struct thread *t;

	tsan_store_begin();
	snapshot_restore();
	reset_machine();
	t = thread_begin(0, NULL, main_entry, 0);
	if (!t)
		fatal("out of memory: cannot reserve a stack for the program's main (ulimit -v?)");
	M.cur = t;
	hang_execution_begins();
}

void execution_over(void)
{
	M.status->steps += M.steps;
	if (machine_hooks.execution_ends)
		machine_hooks.execution_ends();
	output_end();
	input_end();
	libc_state_end();
}

/* --- how an execution ends ------------------------------------------------------------------- */

void step_bound(void)
{
	if (clock_is_over && !M.recording) {
		clock_abandoned_at = machine_frame ? machine_frame->return_address - 1 : 0;
		execution_end(OUTCOME_STOPPED);
	}
	M.bounds |= BOUND_STEPS;
	execution_end(OUTCOME_STEPS);
}

/* `heddle replay --gdb` stops here: the callers are on the failing thread's stack. */
static __attribute__((noinline)) void __heddle_failure_point(void)
{
	arch_breakpoint();
}

void failure_point(void)
{
	if (M.options->break_at_failure)
		__heddle_failure_point();
}

void execution_fail(void)
{
	if (M.recording) /* along a graph, others may still reach the failure */
		failure_point();
	execution_end(OUTCOME_FAIL);
}

static PER_EXECUTION struct {
	bool on;
	int signal, status;
} expected_end;

void machine_expect_end(int signal, int status)
{
	expected_end.on = true;
	expected_end.signal = signal;
	expected_end.status = status & 0xff;
}

static void check_status(int status)
{
	if (expected_end.signal)
		machine_fail(FINDING_EXIT, NULL, 0, NULL, "exit status %d, not signal %d (SIG%s)",
			status, expected_end.signal, sigabbrev_np(expected_end.signal));
	if (status != expected_end.status && expected_end.on)
		machine_fail(FINDING_EXIT, NULL, 0, NULL, "exit status %d, not %d", status,
			expected_end.status);
	if (status && !expected_end.on)
		machine_fail(FINDING_EXIT, NULL, 0, NULL, "exit status %d", status);
}

static _Noreturn void end_process(void)
{
	if (M.engine->finish)
		M.engine->finish();
	execution_end(OUTCOME_EXIT);
}

void machine_exit(int status)
{
	sync_arrive(&exit_op, NULL);
	sync_event(EV_EXIT, NULL, M.cur->number, (u64)status);
	M.exit_status = status;
	check_status(status & 0xff);
	end_process();
}

bool machine_expects_signal(int signal)
{
	return signal && signal == expected_end.signal;
}

void machine_end_by(int signal)
{
	if (!machine_expects_signal(signal))
		return;
	sync_arrive(&exit_op, NULL);
	sync_event(EV_EXIT, NULL, M.cur->number, 128 + (u64)signal);
	M.exit_status = 0;
	end_process();
}

static void copy_status_text(char *to, size_t room, const char *from)
{
	snprintf(to, room, "%s", from ? from : "");
}

static void begin_finding(enum finding_kind kind, int line)
{
	M.finding = (struct finding){.kind = kind, .line = line, .thread = M.cur->number};
	if (M.options->judged)
		M.finding.site = stack_site();
}

static _Noreturn void end_with_failure(u64 addr)
{
	struct event e = {.kind = EV_FAIL,
		.thread = M.cur->number,
		.addr = addr,
		.stack = M.fail_stack,
		.buffered = thread_stores(M.cur)};

	if (machine_recording && M.in_execution)
		record_event(&e);
	M.finding.step = record_steps();
	execution_fail();
}

void machine_fail(enum finding_kind kind, const char *file, int line, const char *function,
	const char *format, ...)
{
	struct finding *f = &M.finding;
	va_list ap;

	begin_finding(kind, line);
	va_start(ap, format);
	vsnprintf(f->message, sizeof f->message, format, ap);
	va_end(ap);
	copy_status_text(f->file, sizeof f->file, file);
	copy_status_text(f->function, sizeof f->function, function);
	end_with_failure(0);
}

void machine_fail_at(u64 addr, enum finding_kind kind, const char *format, ...)
{
	va_list ap;

	begin_finding(kind, 0);
	va_start(ap, format);
	vsnprintf(M.finding.message, sizeof M.finding.message, format, ap);
	va_end(ap);
	end_with_failure(addr);
}

PER_EXECUTION bool machine_mapped;

void machine_unrepeatable(const char *things)
{
	M.unrepeatable = things;
}

void machine_abandon(void)
{
	execution_end(OUTCOME_ABANDON);
}

void machine_cut(void)
{
	execution_end(OUTCOME_CUT);
}

void machine_unsupported(const char *format, ...)
{
	char words[sizeof M.status->note];
	va_list ap;

	if (!M.engine->unsupported)
		return;
	va_start(ap, format);
	vsnprintf(words, sizeof words, format, ap);
	va_end(ap);
	M.engine->unsupported(words);
}

void machine_refuse(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(M.status->note, sizeof M.status->note, format, ap);
	va_end(ap);
	M.status->state = STATUS_REFUSED;
	execution_end(OUTCOME_REFUSE);
}
