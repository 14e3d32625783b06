/* SPDX-License-Identifier: ISC */
/*
 * signal.c - signals while exploring.
 *
 * The program's handlers are kept, not installed (the runtime needs its own for crashes). They are
 * called when a thread raises a signal in itself, and when one is delivered (machine/delivery.h)
 * that another thread has sent (signal_send.c). The kernel's own signals never arrive.
 */
#include "intercept/intercept.h"
#include "intercept/signals.h"
#include "machine/core.h"

#include <errno.h>

#define SIGNALS 65

static struct disposition {
	u8 flags;
	void (*handler)(int);
	u64 mask; /* blocked while it runs */
} dispositions[SIGNALS];

/* Bit sig - 1: this execution has set dispositions[sig]; else the kernel's is valid. */
static PER_EXECUTION u64 have_set;

#define WITH_INFO  1
#define RESET_HAND 2
#define RESTARTS   4
#define NO_DEFER   8

static bool is_crash(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL ||
	       sig == SIGABRT || sig == SIGTRAP;
}

static void (*handler_of(int sig, u8 *flags))(int)
{
	struct sigaction now;

	*flags = 0;
	if (have_set >> (sig - 1) & 1) {
		*flags = dispositions[sig].flags;
		return dispositions[sig].handler;
	}
	if (is_crash(sig) || real(sigaction)(sig, NULL, &now))
		return SIG_DFL; /* the runtime's own handler is not the program's */
	if (now.sa_flags & SA_SIGINFO)
		*flags |= WITH_INFO;
	return now.sa_handler;
}

static void set_disposition(int sig, void (*handler)(int), u8 flags, u64 mask)
{
	dispositions[sig] = (struct disposition){flags, handler, mask};
	have_set |= 1ull << (sig - 1);
	if (is_crash(sig) && handler != SIG_DFL)
		coverage_note("the program's handler for %s is not called for crashes: they are "
				 "findings",
			strsignal(sig));
}

INTERCEPT int sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	u8 flags = 0;

	NATIVELY(sigaction, sig, act, old);
	if (sig < 1 || sig >= SIGNALS || ((sig == SIGKILL || sig == SIGSTOP) && act))
		return (int)errno_return(-EINVAL);
	machine_drain();
	if (old) {
		*old = (struct sigaction){.sa_handler = handler_of(sig, &flags)};
		old->sa_flags = (flags & WITH_INFO ? SA_SIGINFO : 0) |
				(flags & RESTARTS ? SA_RESTART : 0);
	}
	if (act) {
		flags = (act->sa_flags & SA_SIGINFO ? WITH_INFO : 0) |
			(act->sa_flags & SA_RESETHAND ? RESET_HAND : 0) |
			(act->sa_flags & SA_RESTART ? RESTARTS : 0) |
			(act->sa_flags & SA_NODEFER ? NO_DEFER : 0);
		set_disposition(sig, act->sa_handler, flags, signals_of(&act->sa_mask));
	}
	return 0;
}

INTERCEPT sighandler_t signal(int sig, sighandler_t handler)
{
	sighandler_t old;
	u8 flags;

	NATIVELY(signal, sig, handler);
	if (sig < 1 || sig >= SIGNALS || sig == SIGKILL || sig == SIGSTOP) {
		errno_return(-EINVAL);
		return SIG_ERR;
	}
	old = handler_of(sig, &flags);
	set_disposition(sig, handler, RESTARTS, 0);
	return old;
}

/* --- handlers --------------------------------------------------------------------------------- */

static bool ignored_by_default(int sig)
{
	return sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
}

bool signal_is_expected(int sig)
{
	u8 flags;

	return handler_of(sig, &flags) != SIG_DFL ||
	       thread_self()->blocked_signals & signal_bit((u32)sig);
}

static void call_handler(const struct signal_info *from, void (*handler)(int), u8 flags)
{
	struct thread *t = thread_self();
	int sig = (int)from->signal;
	siginfo_t info = {.si_signo = sig, .si_code = from->code};
	u64 before = t->blocked_signals;

	info.si_value.sival_ptr = (void *)(uintptr_t)from->value;
	info.si_pid = getpid();
	t->blocked_signals |= dispositions[sig].mask;
	if (!(flags & NO_DEFER))
		t->blocked_signals |= signal_bit((u32)sig);
	if (flags & RESET_HAND)
		dispositions[sig].handler = SIG_DFL;
	sync_event(EV_GET_SIGNAL, NULL, (u64)sig, 0);
	if (flags & WITH_INFO)
		((void (*)(int, siginfo_t *, void *))(uintptr_t)handler)(sig, &info, NULL);
	else
		handler(sig);
	sync_event(EV_SIGNAL_END, NULL, (u64)sig, 0);
	t->blocked_signals = before;
}

/* False: the process ends. */
static bool handle(const struct signal_info *from, u32 *delivered)
{
	u8 flags;
	void (*handler)(int) = handler_of((int)from->signal, &flags);

	if (handler == SIG_DFL)
		return ignored_by_default((int)from->signal);
	if (handler != SIG_IGN) {
		call_handler(from, handler, flags);
		*delivered |= DELIVERED | (flags & RESTARTS ? 0 : DELIVERED_FAILS);
	}
	return true;
}

bool process_signal(int sig)
{
	struct signal_info info = {.signal = (u32)sig, .code = SI_TKILL};
	u32 delivered = 0;

	return handle(&info, &delivered);
}

static _Noreturn void end_by(int sig, const char *how)
{
	if (sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU)
		machine_refuse("the program stops itself by %s", strsignal(sig));
	machine_fail(FINDING_CRASH, NULL, 0, NULL, "%s signal %d (%s)", how, sig, strsignal(sig));
}

u32 signal_deliver(const struct signal_info *info)
{
	u32 delivered = 0;

	if (!handle(info, &delivered))
		end_by((int)info->signal, "nothing handles");
	return delivered;
}

int signal_raise(int sig)
{
	machine_drain();
	if (!sig || process_signal(sig))
		return 0;
	end_by(sig, "the program raised");
}

/* --- masks ------------------------------------------------------------------------------------ */

u64 signals_of(const sigset_t *set)
{
	u64 bits;

	memcpy(&bits, set, sizeof bits); /* the kernel's 64 signals come first */
	return bits & ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP));
}

static void put_set(sigset_t *to, u64 bits)
{
	sigemptyset(to);
	memcpy(to, &bits, sizeof bits);
}

INTERCEPT int pthread_sigmask(int how, const sigset_t *set_to, sigset_t *old)
{
	struct thread *t;
	u64 before, set;

	NATIVELY(pthread_sigmask, how, set_to, old);
	machine_drain();
	t = thread_self();
	before = t->blocked_signals;
	set = set_to ? signals_of(set_to) : 0;
	if (set_to && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
		return EINVAL;
	if (old)
		put_set(old, before);
	if (!set_to)
		return 0;
	t->blocked_signals = how == SIG_BLOCK	  ? before | set
			     : how == SIG_UNBLOCK ? before & ~set : set;
	if (before & ~t->blocked_signals)
		delivery_now();
	return 0;
}

INTERCEPT int sigprocmask(int how, const sigset_t *set_to, sigset_t *old)
{
	NATIVELY(sigprocmask, how, set_to, old);
	return (int)errno_return(-pthread_sigmask(how, set_to, old));
}

INTERCEPT int sigpending(sigset_t *set)
{
	NATIVELY(sigpending, set);
	put_set(set, delivery_pending() & thread_self()->blocked_signals);
	return 0;
}
