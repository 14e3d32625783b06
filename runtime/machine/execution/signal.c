/* SPDX-License-Identifier: ISC */
/*
 * signal.c - a crash of the tested program is a finding.
 *
 * The handlers run on a stack of their own (the fiber's may be the problem) and leave by switching
 * to the scheduler; nothing returns into the crashed code. The first write to a protected page is
 * not a crash: the snapshot handles it.
 */
#include "machine/execution/signal.h"
#include "machine/core.h"
#include "machine/observer/reach.h"
#include "machine/record/record.h"
#include "process/fiber.h"
#include "process/snapshot.h"
#include "process/stack.h"
#include "process/sys.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALT_STACK (256 * 1024)

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
static struct sigaction saved[array_size(fatal)], saved_size;
static stack_t saved_stack;
static void *alt_stack;

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

static void describe_crash(
	struct finding *f, int sig, const siginfo_t *info, const struct thread *t, u64 site)
{
	u64 address = (u64)(uintptr_t)info->si_addr;
	int guard = sig == SIGSEGV ? fiber_guard_slot(address) : -1;

	*f = (struct finding){
		.kind = FINDING_CRASH, .signal = sig, .thread = t->number, .site = site};
	if (guard >= 0) {
		f->kind = FINDING_MEMORY;
		snprintf(f->message, sizeof f->message, "stack overflow of %s (%llu MiB: --stack)",
			thread_words(M.thread[guard].number),
			(unsigned long long)(fiber_mapped[guard] >> 20));
		return;
	}
	if ((sig == SIGSEGV || sig == SIGBUS) && info->si_code == SI_KERNEL) {
		f->signal = SIGSEGV; /* the other one if the base register is that of the stack */
		snprintf(f->message, sizeof f->message,
			"invalid memory access: no memory can have the address, or the "
			"instruction needs it aligned");
	} else if ((sig == SIGSEGV || sig == SIGBUS) && info->si_code > 0) {
		char where[40];

		snprintf(where, sizeof where, address - 1 < 4095 ? "null pointer + %llu" : "%#llx",
			(unsigned long long)address);
		snprintf(f->message, sizeof f->message, "%s at %s (SIG%s)", signal_what(sig, info),
			address ? where : "null pointer", sigabbrev_np(sig));
	} else {
		snprintf(f->message, sizeof f->message, "%s (SIG%s)", signal_what(sig, info),
			sigabbrev_np(sig));
	}
}

_Noreturn void signals_leave(enum outcome outcome)
{
	sys_unblock_signals();
	if (outcome == OUTCOME_FAIL)
		execution_fail();
	execution_end(outcome);
}

/* Defined by the linker. */
extern const u8 __start_heddle_text[] __attribute__((visibility("hidden")));
extern const u8 __stop_heddle_text[] __attribute__((visibility("hidden")));

bool signals_is_own(u64 pc)
{
	return pc >= (u64)(uintptr_t)__start_heddle_text && pc < (u64)(uintptr_t)__stop_heddle_text;
}

void signals_record(void *ucontext, struct finding *f, const struct thread *t)
{
	struct event e = {.thread = t->number, .kind = EV_FAIL};

	e.stack = stack_capture_signal(ucontext);
	f->step = record_event(&e);
}

static PER_EXECUTION int ending; /* by this signal */

/* On the stack of the thread. */
static void end_by_signal(void)
{
	sys_unblock_signals();
	machine_end_by(ending);
	BUG_ON(ending);
}

static void on_fatal(int sig, siginfo_t *info, void *ucontext)
{
	struct thread *t;

	if (sig == SIGSEGV && info->si_code == SEGV_ACCERR && snapshot_fault(info->si_addr))
		return;
	if (sig == SIGTRAP && info->si_code == SI_KERNEL && reach_trapped(ucontext))
		return;
	if (sig == SIGTRAP && info->si_code == TRAP_TRACE && machine_hooks.trapped &&
		machine_hooks.trapped(ucontext))
		return;
	if (!M.in_execution) {
		signals_remove(); /* not the program's: die by it, with a core dump */
		raise(sig);
		return;
	}
	if (machine_expects_signal(sig) && !ending) {
		ending = sig;
		arch_context_call(ucontext, end_by_signal);
		return;
	}
	t = M.committer ? M.committer : M.cur;
	describe_crash(&M.finding, sig, info, t, arch_context_pc(ucontext));
	if (M.recording)
		signals_record(ucontext, &M.finding, t);
	signals_leave(OUTCOME_FAIL);
}

/* --- all of them ------------------------------------------------------------------------------ */

void signals_install(void)
{
	struct sigaction crash = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct sigaction error = {.sa_handler = SIG_IGN};
	stack_t stack = {.ss_size = ALT_STACK};

	if (!alt_stack)
		alt_stack = mmap(NULL, ALT_STACK, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack.ss_sp = alt_stack;
	sigaltstack(&stack, &saved_stack);
	for (size_t i = 0; i < array_size(fatal); i++)
		sigaction(fatal[i], &crash, &saved[i]);
	sigaction(SIGXFSZ, &error,
		&saved_size); /* for a file that grows too large, write() returns an error */
	reach_begin(M.options);
}

void signals_remove(void)
{
	reach_end();
	for (size_t i = 0; i < array_size(fatal); i++)
		sigaction(fatal[i], &saved[i], NULL);
	sigaction(SIGXFSZ, &saved_size, NULL);
	sigaltstack(&saved_stack, NULL);
}
