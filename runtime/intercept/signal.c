/* SPDX-License-Identifier: ISC */
/*
 * signal.c - signals while exploring.
 *
 * No signal arrives by itself during an execution. The program's handlers are kept, not installed
 * (the runtime needs its own for crashes), and called when it raises a signal in itself, in the
 * calling thread. Signals from thread to thread and waiting for one are
 * refused.
 */
#include "intercept/intercept.h"

#include <errno.h>

#define SIGNALS 65

static struct disposition {
	u8 flags;
	void (*handler)(int);
} dispositions[SIGNALS];

/* Bit sig - 1: this execution has set dispositions[sig]; else the kernel's is valid. */
static PER_EXECUTION u64 have_set;

#define WITH_INFO  1
#define RESET_HAND 2

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

static void set_disposition(int sig, void (*handler)(int), u8 flags)
{
	dispositions[sig] = (struct disposition){flags, handler};
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
		old->sa_flags = flags & WITH_INFO ? SA_SIGINFO : 0;
	}
	if (act) {
		flags = (act->sa_flags & SA_SIGINFO ? WITH_INFO : 0) |
			(act->sa_flags & SA_RESETHAND ? RESET_HAND : 0);
		set_disposition(sig, act->sa_handler, flags);
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
	set_disposition(sig, handler, 0);
	return old;
}

/* --- raising --------------------------------------------------------------------------------- */

static bool ignored_by_default(int sig)
{
	return sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
}

static void call_handler(int sig, void (*handler)(int), u8 flags)
{
	siginfo_t info = {.si_signo = sig, .si_code = SI_TKILL};

	if (flags & RESET_HAND)
		dispositions[sig].handler = SIG_DFL;
	if (flags & WITH_INFO)
		((void (*)(int, siginfo_t *, void *))(uintptr_t)handler)(sig, &info, NULL);
	else
		handler(sig);
}

bool process_signal(int sig)
{
	u8 flags;
	void (*handler)(int) = handler_of(sig, &flags);

	if (handler == SIG_DFL)
		return ignored_by_default(sig);
	if (handler != SIG_IGN)
		call_handler(sig, handler, flags);
	return true;
}

static int raise_here(int sig)
{
	if (sig < 0 || sig >= SIGNALS)
		return (int)errno_return(-EINVAL);
	machine_drain();
	if (!sig || process_signal(sig))
		return 0;
	if (sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU)
		machine_refuse("the program stops itself by %s", strsignal(sig));
	machine_fail(FINDING_CRASH, NULL, 0, NULL, "the program raised signal %d (%s)", sig,
		strsignal(sig));
}

INTERCEPT int raise(int sig)
{
	NATIVELY(raise, sig);
	return raise_here(sig);
}

INTERCEPT int kill(pid_t pid, int sig)
{
	NATIVELY(kill, pid, sig);
	if (pid == getpid() && !sig)
		return 0;
	machine_refuse("the program calls kill(): signals between threads or processes are not "
		       "simulated");
}

int signal_thread(pid_t tid, int sig)
{
	struct thread *t = tid > 0 ? thread_of_tid(tid) : NULL;

	if (tid <= 0 || !t)
		return (int)errno_return(tid <= 0 ? -EINVAL : -ESRCH);
	if (t == thread_self())
		return raise_here(sig);
	if (!sig)
		return 0;
	machine_refuse("the program calls tgkill(): signals between threads are not simulated");
}

INTERCEPT int tgkill(pid_t process, pid_t tid, int sig)
{
	NATIVELY(tgkill, process, tid, sig);
	return process == getpid() ? signal_thread(tid, sig) : (int)errno_return(-ESRCH);
}

INTERCEPT int pthread_kill(pthread_t handle, int sig)
{
	struct thread *t;

	NATIVELY(pthread_kill, handle, sig);
	t = thread_of(handle);
	if (!t)
		return ESRCH;
	if (t == thread_self())
		return raise_here(sig) ? EINVAL : 0;
	if (!sig)
		return 0;
	machine_refuse(
		"the program calls pthread_kill(): signals between threads are not simulated");
}

INTERCEPT int pthread_sigqueue(pthread_t handle, int sig, const union sigval value)
{
	NATIVELY(pthread_sigqueue, handle, sig, value);
	machine_refuse("the program calls pthread_sigqueue(): signals between threads are not "
		       "simulated");
}

/* --- masks: no effect ------------------------------------------------------------------------ */

INTERCEPT int pthread_sigmask(int how, const sigset_t *set_to, sigset_t *old)
{
	NATIVELY(pthread_sigmask, how, set_to, old);
	machine_drain();
	if (old)
		sigemptyset(old);
	return 0;
}

INTERCEPT int sigprocmask(int how, const sigset_t *set_to, sigset_t *old)
{
	NATIVELY(sigprocmask, how, set_to, old);
	return pthread_sigmask(how, set_to, old);
}

/* --- waiting for signals --------------------------------------------------------------------- */

static _Noreturn void refuse_wait(const char *call)
{
	machine_refuse("the program calls %s(): no signal ever arrives while exploring", call);
}

INTERCEPT int pause(void)
{
	NATIVELY(pause);
	refuse_wait("pause");
}

INTERCEPT int sigsuspend(const sigset_t *set_to)
{
	NATIVELY(sigsuspend, set_to);
	refuse_wait("sigsuspend");
}

INTERCEPT int sigwait(const sigset_t *restrict which, int *restrict sig)
{
	NATIVELY(sigwait, which, sig);
	refuse_wait("sigwait");
}

INTERCEPT int sigwaitinfo(const sigset_t *restrict which, siginfo_t *restrict info)
{
	NATIVELY(sigwaitinfo, which, info);
	refuse_wait("sigwaitinfo");
}

INTERCEPT int sigtimedwait(const sigset_t *restrict which, siginfo_t *restrict info,
	const struct timespec *restrict timeout)
{
	NATIVELY(sigtimedwait, which, info, timeout);
	refuse_wait("sigtimedwait");
}
