/* SPDX-License-Identifier: ISC */
/* signal_send.c - sending signals to threads, and waiting for them; see machine/delivery.h. */
#include "intercept/intercept.h"
#include "intercept/signals.h"
#include "machine/core.h"
#include "machine/interrupt.h"
#include "object/state_table.h"

#include <errno.h>

/* --- sending ---------------------------------------------------------------------------------- */

/* The only step of an agent. */
static void *carry(void *number)
{
	struct signal_info info = signal_of((u64)(uintptr_t)number);

	thread_self()->blocked_signals = ~(u64)0;
	delivery_send(&info);
	return NULL;
}

static u64 kept_number(const struct signal_info *info)
{
	machine_hooks.signalled = signal_deliver;
	delivery_learn(info->to);
	if (state_table_is_full())
		machine_refuse("%s", state_table_limit);
	return signal_number(info);
}

/* An agent does it, at any time from now on. */
static int send_later(const struct signal_info *info, void *(*how)(void *))
{
	pthread_t agent;
	int error = create_thread(&agent, how, (void *)(uintptr_t)kept_number(info), true);
	const char *known = sigabbrev_np((int)info->signal);
	char name[16] = "signal";

	if (known)
		snprintf(name, sizeof name, "SIG%s", known);
	if (!error)
		thread_name(thread_of(agent), name);
	return error;
}

static bool is_blocked(int sig)
{
	return thread_self()->blocked_signals & signal_bit((u32)sig);
}

static int send_to_self(const struct signal_info *info)
{
	if (!is_blocked((int)info->signal))
		return (signal_deliver(info), 0);
	kept_number(info);
	delivery_send(info);
	return 0;
}

/* Any thread that does not block it may take it, the caller, too. */
static int send_to_process(struct signal_info *info)
{
	info->to = DELIVERY_PROCESS;
	if (M.nthreads == 1)
		info->to = 0;
	if (M.nthreads == 1)
		return send_to_self(info);
	if (is_blocked((int)info->signal))
		return send_later(info, carry);
	kept_number(info);
	delivery_send(info);
	delivery_now();
	return 0;
}

static int signal_to(struct thread *t, int sig, int code, u64 value)
{
	struct signal_info info = {.signal = (u32)sig, .code = code, .value = value};

	if (sig < 0 || sig >= SIGNALS)
		return EINVAL;
	if (!sig)
		return 0;
	machine_drain();
	info.sender = thread_id(thread_self());
	info.to = t ? thread_id(t) : 0;
	if (!t)
		return send_to_process(&info);
	if (t == thread_self())
		return code == SI_TKILL && !is_blocked(sig) ? signal_raise(sig)
							     : send_to_self(&info);
	return send_later(&info, carry);
}

INTERCEPT int raise(int sig)
{
	NATIVELY(raise, sig);
	return (int)errno_return(-signal_to(thread_self(), sig, SI_TKILL, 0));
}

static void check_process(pid_t pid, const char *call)
{
	if (pid != getpid())
		machine_refuse("the program calls %s() for another process: not simulated", call);
}

INTERCEPT int kill(pid_t pid, int sig)
{
	NATIVELY(kill, pid, sig);
	check_process(pid, "kill");
	return (int)errno_return(-signal_to(NULL, sig, SI_USER, 0));
}

INTERCEPT int sigqueue(pid_t pid, int sig, const union sigval value)
{
	NATIVELY(sigqueue, pid, sig, value);
	check_process(pid, "sigqueue");
	return (int)errno_return(-signal_to(NULL, sig, SI_QUEUE, (u64)(uintptr_t)value.sival_ptr));
}

int signal_thread(pid_t tid, int sig)
{
	struct thread *t = tid > 0 ? thread_of_tid(tid) : NULL;

	if (tid <= 0 || !t)
		return (int)errno_return(tid <= 0 ? -EINVAL : -ESRCH);
	return (int)errno_return(-signal_to(t, sig, SI_TKILL, 0));
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
	return t ? signal_to(t, sig, SI_TKILL, 0) : ESRCH;
}

INTERCEPT int pthread_sigqueue(pthread_t handle, int sig, const union sigval value)
{
	struct thread *t;

	NATIVELY(pthread_sigqueue, handle, sig, value);
	t = thread_of(handle);
	return t ? signal_to(t, sig, SI_QUEUE, (u64)(uintptr_t)value.sival_ptr) : ESRCH;
}

/* --- alarm() ---------------------------------------------------------------------------------- */

static PER_EXECUTION u32 alarms; /* set so far: an agent serves the last one */

static void *ring(void *number)
{
	struct signal_info info = signal_of((u64)(uintptr_t)number);

	thread_self()->blocked_signals = ~(u64)0;
	machine_sleep(info.value);
	info.value = 0;
	delivery_send(&info);
	return NULL;
}

bool signal_alarm(u64 ns)
{
	struct signal_info info = {
		.signal = SIGALRM, .to = DELIVERY_PROCESS, .code = SI_KERNEL, .value = ns};

	if (!signal_is_expected(SIGALRM))
		return false;
	if (alarms++)
		machine_refuse("limit: the program calls alarm() or setitimer() more than once");
	if (M.nthreads == 1)
		info.to = 0;
	return ns && !send_later(&info, ring);
}

/* --- waiting ---------------------------------------------------------------------------------- */

/* One of the set; its handler does not run. False: EINTR. */
static bool wait_for_signal(u64 set, struct signal_info *info)
{
	bool taken = !interrupt_begins(CALL_RESUMES) && delivery_take(set, true, info);

	interrupt_ends();
	return taken;
}

/* Until a handler has run. */
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
	t->blocked_signals = before;
	return (int)errno_return(-EINTR);
}

INTERCEPT int pause(void)
{
	NATIVELY(pause);
	return suspend(thread_self()->blocked_signals);
}

INTERCEPT int signalfd(int fd, const sigset_t *set, int flags)
{
	NATIVELY(signalfd, fd, set, flags);
	machine_refuse("the program calls signalfd(): not simulated; sigwait() in a thread is");
}

INTERCEPT int sigsuspend(const sigset_t *set_to)
{
	NATIVELY(sigsuspend, set_to);
	machine_drain();
	return suspend(signals_of(set_to));
}

static void put_info(siginfo_t *to, const struct signal_info *info)
{
	*to = (siginfo_t){.si_signo = (int)info->signal, .si_code = info->code};
	to->si_value.sival_ptr = (void *)(uintptr_t)info->value;
	to->si_pid = getpid();
}

INTERCEPT int sigwaitinfo(const sigset_t *restrict which, siginfo_t *restrict to)
{
	struct signal_info info;

	NATIVELY(sigwaitinfo, which, to);
	machine_drain();
	if (!wait_for_signal(signals_of(which), &info))
		return (int)errno_return(-EINTR);
	if (to)
		put_info(to, &info);
	return (int)info.signal;
}

INTERCEPT int sigwait(const sigset_t *restrict which, int *restrict sig)
{
	struct signal_info info = {0};

	NATIVELY(sigwait, which, sig);
	machine_drain();
	while (!info.signal)
		wait_for_signal(signals_of(which), &info);
	*sig = (int)info.signal;
	return 0;
}

INTERCEPT int sigtimedwait(const sigset_t *restrict which, siginfo_t *restrict to,
	const struct timespec *restrict timeout)
{
	struct signal_info info;

	NATIVELY(sigtimedwait, which, to, timeout);
	machine_drain();
	if (!timeout)
		return sigwaitinfo(which, to);
	if (timeout->tv_sec || timeout->tv_nsec)
		machine_refuse("the program calls sigtimedwait() with a time-out: not simulated");
	delivery_take(signals_of(which), false, &info);
	if (to && info.signal)
		put_info(to, &info);
	return info.signal ? (int)info.signal : (int)errno_return(-EAGAIN);
}
