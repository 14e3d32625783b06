/* SPDX-License-Identifier: ISC */
/*
 * signal.c - a crash of the tested program is a finding; a timer watches for time and endless loops.
 *
 * The handlers run on a stack of their own (the fiber's may be the problem) and leave by switching
 * to the scheduler; nothing returns into the crashed code. A first write to a protected page is not
 * a crash but the snapshot's business.
 */
#include "machine/signal.h"
#include "machine/core.h"
#include "machine/record.h"
#include "process/fiber.h"
#include "process/snapshot.h"
#include "process/stack.h"
#include "process/sys.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define ALT_STACK  (256 * 1024)
#define TICK	   50000000 /* nanoseconds of CPU time */
#define TICK_SIGNAL SIGVTALRM

volatile bool signals_time_up;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
static struct sigaction saved[array_size(fatal)], saved_tick, saved_size;
static stack_t saved_stack;
static void *alt_stack;
static timer_t timer;
static bool have_timer;
static u64 deadline;	     /* clock_ns(), 0 = none */
static u64 last_execution;   /* what the timer saw at its last tick */
static u32 last_steps, idle; /* ticks without an event */
static u64 execution_number;

void signals_execution_begins(void)
{
	execution_number++;
}

/* --- crashes --------------------------------------------------------------------------------- */

static const char *signal_what(int sig, const siginfo_t *info)
{
	switch (sig) {
	case SIGSEGV: return "invalid memory access";
	case SIGBUS: return "bus error";
	case SIGFPE:
		return info->si_code == FPE_INTDIV ? "integer division by zero"
						   : "arithmetic exception";
	case SIGILL: return "illegal instruction";
	case SIGABRT: return "aborted";
	case SIGTRAP: return "trap";
	}
	return "fatal signal";
}

static void describe(
	struct finding *f, int sig, const siginfo_t *info, const struct thread *t, u64 site)
{
	u64 address = (u64)(uintptr_t)info->si_addr;
	int guard = sig == SIGSEGV ? fiber_guard_slot(address) : -1;

	*f = (struct finding){.kind = FINDING_CRASH, .signal = sig, .thread = t->number, .site = site};
	if (guard >= 0) {
		f->kind = FINDING_MEMORY;
		snprintf(f->message, sizeof f->message, "stack overflow of %s (%u MiB)",
			thread_words(M.thread[guard].number), FIBER_STACK_SIZE >> 20);
		return;
	}
	if ((sig == SIGSEGV || sig == SIGBUS) && info->si_code > 0)
		snprintf(f->message, sizeof f->message, "%s at %s%p (SIG%s)",
			signal_what(sig, info), address < 4096 ? "null pointer " : "",
			info->si_addr, sigabbrev_np(sig));
	else
		snprintf(f->message, sizeof f->message, "%s (SIG%s)", signal_what(sig, info),
			sigabbrev_np(sig));
}

/* Let further signals through (we never return) and leave the execution. */
static _Noreturn void leave(enum outcome outcome)
{
	sys_unblock_signals();
	if (outcome == OUTCOME_FAIL)
		execution_fail();
	execution_end(outcome);
}

static u64 instruction_of(const void *ucontext)
{
	const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;

#if defined(__x86_64__)
	return (u64)m->gregs[REG_RIP];
#else
	return m->pc;
#endif
}

static void record_crash(void *ucontext, struct finding *f, const struct thread *t)
{
	struct event e = {.thread = t->number, .kind = EV_FAIL};

	e.stack = stack_capture_signal(ucontext);
	f->step = record_event(&e);
}

static void on_fatal(int sig, siginfo_t *info, void *ucontext)
{
	struct thread *t;

	if (sig == SIGSEGV && info->si_code == SEGV_ACCERR && snapshot_fault(info->si_addr))
		return;
	if (!M.in_execution) {
		signals_remove(); /* not the program's: die of it, with a core */
		raise(sig);
		return;
	}
	t = M.committer ? M.committer : M.cur;
	describe(&M.finding, sig, info, t, instruction_of(ucontext));
	if (M.recording)
		record_crash(ucontext, &M.finding, t);
	leave(OUTCOME_FAIL);
}

/* --- time ------------------------------------------------------------------------------------ */

static void on_hang(void *ucontext)
{
	M.finding = (struct finding){.kind = FINDING_LOOP, .thread = M.cur->number,
		.site = (u32)machine_site};
	snprintf(M.finding.message, sizeof M.finding.message,
		"a loop in %s does not end and does nothing that others see",
		thread_words(M.cur->number));
	if (M.recording)
		record_crash(ucontext, &M.finding, M.cur);
	leave(OUTCOME_FAIL);
}

static void on_tick(int sig, siginfo_t *info, void *ucontext)
{
	u32 steps = M.steps + M.alone_steps;
	bool same = M.in_execution && steps == last_steps && execution_number == last_execution;

	if (deadline && clock_ns() >= deadline)
		signals_time_up = true;
	idle = same ? idle + 1 : 0;
	last_steps = steps;
	last_execution = execution_number;
	if (idle * (u64)TICK >= M.options->hang * 1000 && M.options->hang)
		on_hang(ucontext);
}

static void start_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = TICK_SIGNAL};
	struct itimerspec every = {{0, TICK}, {0, TICK}};

	have_timer = timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0;
	if (have_timer)
		timer_settime(timer, 0, &every, NULL);
}

/* A process that was forked inherits all but the timer. */
void signals_forked(void)
{
	start_timer();
}

bool signals_deadline_passed(void)
{
	return signals_time_up || (deadline && clock_ns() >= deadline);
}

void signals_deadline(u64 microseconds)
{
	deadline = clock_ns() + microseconds * 1000;
	signals_time_up = false;
}

void signals_install(void)
{
	struct sigaction crash = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct sigaction tick = {
		.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
	struct sigaction error = {.sa_handler = SIG_IGN};
	stack_t stack = {.ss_size = ALT_STACK};

	if (!alt_stack)
		alt_stack = mmap(NULL, ALT_STACK, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack.ss_sp = alt_stack;
	sigaltstack(&stack, &saved_stack);
	sigfillset(&tick.sa_mask);
	for (size_t i = 0; i < array_size(fatal); i++)
		sigaction(fatal[i], &crash, &saved[i]);
	sigaction(TICK_SIGNAL, &tick, &saved_tick);
	sigaction(SIGXFSZ, &error, &saved_size); /* a file of ours that gets too large is an error of write() */
	signals_time_up = false;
	deadline = M.options->time ? clock_ns() + M.options->time * 1000 : 0;
	start_timer();
}

void signals_remove(void)
{
	if (have_timer)
		timer_delete(timer);
	have_timer = false;
	for (size_t i = 0; i < array_size(fatal); i++)
		sigaction(fatal[i], &saved[i], NULL);
	sigaction(TICK_SIGNAL, &saved_tick, NULL);
	sigaction(SIGXFSZ, &saved_size, NULL);
	sigaltstack(&saved_stack, NULL);
}
