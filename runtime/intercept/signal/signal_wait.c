/* SPDX-License-Identifier: ISC */
/* signal_wait.c - waiting for signals: pause(), sigwait(), signalfd(): machine/wait/delivery.h. */
#include "intercept/intercept.h"
#include "intercept/signal/signals.h"
#include "intercept/signal/timespec.h"
#include "kernel/descriptor.h"
#include "kernel/signalfd.h"
#include "machine/core.h"
#include "machine/wait/interrupt.h"

#include <errno.h>
#include <sys/signalfd.h>

/* Wait for one of the set; its handler does not run. False: interrupted. */
static bool wait_for_signal(u64 set, struct signal_info *info)
{
	bool taken = !interrupt_begins(CALL_RESUMES) && delivery_take(set, true, info);

	interrupt_ends();
	return taken;
}

/* --- until a handler has run ------------------------------------------------------------------ */

static int suspend(u64 blocked)
{
	struct thread *t = thread_self();
	u64 before = t->blocked_signals;
	struct signal_info info;

	machine_hooks.signalled = signal_deliver;
	do {
		if (!wait_for_signal(~blocked, &info))
			break;
		t->blocked_signals = blocked;
	} while (!signal_deliver(&info));
	delivery_unblocked(); /* the others that are pending */
	t->blocked_signals = before;
	return (int)errno_return(-EINTR);
}

INTERCEPT int pause(void)
{
	NATIVELY(pause);
	return suspend(thread_self()->blocked_signals);
}

INTERCEPT int sigsuspend(const sigset_t *set_to)
{
	NATIVELY(sigsuspend, set_to);
	machine_drain();
	return suspend(signals_of(set_to));
}

/* sigpause() of X/Open, with the signal not blocked. */
int __xpg_sigpause(int sig);

INTERCEPT int __xpg_sigpause(int sig)
{
	NATIVELY(__xpg_sigpause, sig);
	if (sig < 1 || sig >= NSIG)
		return (int)errno_return(-EINVAL);
	return suspend(thread_self()->blocked_signals & ~signal_bit((u32)sig));
}

/* sigpause() of BSD: with these signals blocked. The name means the one above where <signal.h>
 * declares it. */
int bsd_sigpause(int mask) __asm__("sigpause");

INTERCEPT int bsd_sigpause(int mask)
{
	sigset_t set;

	NATIVELY(sigpause, mask);
	sigemptyset(&set);
	memcpy(&set, &mask, sizeof mask);
	return suspend(signals_of(&set));
}

/* --- for one of a set ------------------------------------------------------------------------- */

/* Handlers of other signals may run meanwhile. False: one has. */
static bool wait_or_handle(u64 set, struct signal_info *info)
{
	u64 others = ~(thread_self()->blocked_signals | set);

	machine_hooks.signalled = signal_deliver;
	for (;;) {
		if (!wait_for_signal(set | others, info))
			return false;
		if (set & signal_bit(info->signal))
			return true;
		if (signal_deliver(info))
			return false;
	}
}

INTERCEPT int sigwaitinfo(const sigset_t *restrict which, siginfo_t *restrict to)
{
	struct signal_info info;
	siginfo_t found;

	NATIVELY(sigwaitinfo, which, to);
	machine_drain();
	if (!wait_or_handle(signals_of(which), &info))
		return (int)errno_return(-EINTR);
	signal_put_info(&found, &info);
	give(__builtin_return_address(0), to, &found, sizeof found);
	return (int)info.signal;
}

INTERCEPT int sigwait(const sigset_t *restrict which, int *restrict sig)
{
	struct signal_info info;
	siginfo_t found;

	NATIVELY(sigwait, which, sig);
	machine_drain();
	while (!wait_or_handle(signals_of(which), &info))
		;
	signal_put_info(&found, &info);
	*sig = (int)info.signal;
	return 0;
}

INTERCEPT int sigtimedwait(const sigset_t *restrict which, siginfo_t *restrict to,
	const struct timespec *restrict timeout)
{
	struct signal_info info;
	siginfo_t found;
	int error;

	NATIVELY(sigtimedwait, which, to, timeout);
	machine_drain();
	if (!timeout)
		return sigwaitinfo(which, to);
	if (!timespec_is_valid(*timeout))
		return (int)errno_return(-EINVAL);
	machine_hooks.signalled = signal_deliver;
	error = signalfd_wait(signals_of(which), (i64)timespec_ns(*timeout), &info);
	if (error)
		return (int)errno_return(-error);
	signal_put_info(&found, &info);
	give(__builtin_return_address(0), to, &found, sizeof found);
	return (int)info.signal;
}

/* --- signalfd() ------------------------------------------------------------------------------- */

INTERCEPT int signalfd(int fd, const sigset_t *set, int flags)
{
	struct file f;

	NATIVELY(signalfd, fd, set, flags);
	machine_drain();
	if (flags & ~(SFD_NONBLOCK | SFD_CLOEXEC))
		return (int)errno_return(-EINVAL);
	if (fd == -1)
		return (int)errno_return(
			descriptor_open(signalfd_new(signals_of(set), flags & SFD_NONBLOCK)));
	f = descriptor_file(fd);
	if (f.kind != FILE_SIGNAL)
		return (int)errno_return(f.kind ? -EINVAL : -EBADF);
	signalfd_set(f, signals_of(set));
	return fd;
}
