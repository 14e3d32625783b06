/* SPDX-License-Identifier: ISC */
/* signal_send.c - sending signals to threads, and waiting for them; see machine/wait/delivery.h. */
#include "intercept/intercept.h"
#include "process/coverage.h"
#include "intercept/signal/signals.h"
#include "machine/core.h"
#include "machine/wait/interrupt.h"
#include "object/state_table.h"

#include <errno.h>

/* --- sending ---------------------------------------------------------------------------------- */

/* The only step of an agent: the signal arrives. */
static void *carry(void *number)
{
	struct signal_info info = signal_of((u64)(uintptr_t)number);

	thread_self()->blocked_signals = ~(u64)0;
	delivery_arrive(&info);
	return NULL;
}

void signal_learn(u32 to, u32 signal)
{
	machine_hooks.signalled = signal_deliver;
	delivery_learn(to, signal);
}

static u64 kept_number(const struct signal_info *info)
{
	signal_learn(info->to, info->signal);
	if (state_table_is_full())
		machine_refuse("%s", state_table_limit);
	return signal_number(info);
}

void signal_name_agent(struct thread *agent, u32 signal)
{
	const char *known = sigabbrev_np((int)signal);
	char name[16] = "signal";

	if (known)
		snprintf(name, sizeof name, "SIG%s", known);
	thread_name(agent, name);
}

/* The signal is pending; an agent makes it arrive, at any time from now on. If it was pending
 * before, it is delivered once, and the first agent can arrive whenever a second one could. */
static int send_to_other(const struct signal_info *info)
{
	u64 number = kept_number(info);
	pthread_t agent;
	int error = delivery_send(info);

	if (error)
		return error == EALREADY ? 0 : error;
	error = create_thread(&agent, carry, (void *)(uintptr_t)number, true);
	if (!error)
		signal_name_agent(thread_of(agent), info->signal);
	return error;
}

static bool is_signal_blocked(int sig)
{
	return thread_self()->blocked_signals & signal_bit((u32)sig);
}

/* The signal is pending, and has arrived. */
static int send_at_once(const struct signal_info *info)
{
	int error;

	kept_number(info);
	error = delivery_send(info);
	if (error && error != EALREADY)
		return error;
	delivery_arrive(info);
	return 0;
}

static int send_to_self(const struct signal_info *info)
{
	if (!is_signal_blocked((int)info->signal))
		return (signal_deliver(info), 0);
	return send_at_once(info);
}

/* Any thread that does not block it may take it, including the caller. */
static int send_to_process(struct signal_info *info)
{
	int error;

	info->to = DELIVERY_PROCESS;
	if (M.nthreads == 1)
		info->to = 0;
	if (M.nthreads == 1)
		return send_to_self(info);
	if (is_signal_blocked((int)info->signal))
		return send_to_other(info);
	error = send_at_once(info);
	delivery_now();
	return error;
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
		return code == SI_TKILL && !is_signal_blocked(sig) ? signal_raise(sig)
							     : send_to_self(&info);
	return send_to_other(&info);
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
	if (pid == 0 || pid == -getpgrp())
		coverage_note("signals to the group of processes reach only the program itself");
	else
		check_process(pid, "kill");
	return (int)errno_return(-signal_to(NULL, sig, SI_USER, 0));
}

INTERCEPT int killpg(pid_t group, int sig)
{
	NATIVELY(killpg, group, sig);
	return group < 0 ? (int)errno_return(-EINVAL) : kill(-group, sig);
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
