/* SPDX-License-Identifier: ISC */
/*
 * signal.c - signals while exploring.
 *
 * The program's handlers are kept, not installed (the runtime needs its own for crashes). They are
 * called when a thread raises a signal in itself, and when a signal that another thread has sent
 * (signal_send.c) is delivered (machine/wait/delivery.h). The kernel's own signals never arrive.
 */
#include "intercept/intercept.h"
#include "intercept/signal/signals.h"
#include "kernel/alarm.h"
#include "machine/core.h"
#include "machine/wait/sync.h"
#include "object/action.h"
#include "object/state_table.h"

#include <errno.h>

struct disposition {
	void (*handler)(int);
	u64 mask; /* blocked while it runs */
	u64 flags;
};

#define WITH_INFO  1
#define RESET_HAND 2
#define RESTARTS   4
#define NO_DEFER   8

/* By signal: the number of a disposition; 0: the kernel's is valid. Valid if `begun' is this
 * execution. */
static u64 actions[SIGNALS];
static PER_EXECUTION bool begun;

static u64 *action_of(const void *obj)
{
	if (!begun)
		memset(actions, 0, sizeof actions);
	begun = true;
	return (u64 *)(uintptr_t)obj;
}

static u64 action_state(const void *obj)
{
	return *action_of(obj);
}

static void keep_action(const void *obj, u64 next)
{
	*action_of(obj) = next;
}

SYNC_KEPT(op_get, EV_GET_SIGNAL, NULL, OBJECT_ACTION_GET, action, action_state, keep_action);
SYNC_KEPT(op_set, EV_GET_SIGNAL, NULL, OBJECT_ACTION_SET, action, action_state, keep_action);

static bool is_crash(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL ||
	       sig == SIGABRT || sig == SIGTRAP;
}

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

static u64 flags_of(int sa_flags)
{
	return (sa_flags & SA_SIGINFO ? WITH_INFO : 0) |
	       (sa_flags & SA_RESETHAND ? RESET_HAND : 0) | (sa_flags & SA_RESTART ? RESTARTS : 0) |
	       (sa_flags & SA_NODEFER ? NO_DEFER : 0);
}

static struct disposition disposition_of(int sig)
{
	u64 number = sync_step(&op_get, &actions[sig], 0);
	struct sigaction now;
	const struct disposition *d;
	u32 size;

	d = number ? state_of(number, &size) : NULL;
	if (d)
		return *d;
	if (is_crash(sig) || real(sigaction)(sig, NULL, &now)) /* not the runtime's own handler */
		return (struct disposition){SIG_DFL};
	return (struct disposition){
		now.sa_handler, signals_of(&now.sa_mask), flags_of(now.sa_flags)};
}

static bool ignored_by_default(int sig)
{
	return sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
}

static void set_disposition(int sig, void (*handler)(int), u64 flags, u64 mask)
{
	const struct disposition d = {handler, mask, flags};

	if (state_table_is_full())
		machine_refuse("%s", state_table_limit);
	sync_step(&op_set, &actions[sig], state_intern(&d, sizeof d));
	if (is_crash(sig) && handler != SIG_DFL)
		coverage_note("the program's handler for %s is not called for crashes: they are "
				 "findings",
			strsignal(sig));
	if (handler == SIG_IGN || (handler == SIG_DFL && ignored_by_default(sig)))
		delivery_discard((u32)sig);
}

INTERCEPT int sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct disposition before;
	void (*handler)(int) = SIG_DFL;
	u64 flags = 0, mask = 0;

	NATIVELY(sigaction, sig, act, old);
	if (sig < 1 || sig >= SIGNALS || ((sig == SIGKILL || sig == SIGSTOP) && act))
		return (int)errno_return(-EINVAL);
	machine_drain();
	if (act) {
		handler = act->sa_handler;
		flags = flags_of(act->sa_flags);
		mask = signals_of(&act->sa_mask);
	}
	if (old) {
		before = disposition_of(sig);
		*old = (struct sigaction){.sa_handler = before.handler};
		old->sa_flags = (before.flags & WITH_INFO ? SA_SIGINFO : 0) |
				(before.flags & RESET_HAND ? (int)SA_RESETHAND : 0) |
				(before.flags & RESTARTS ? SA_RESTART : 0) |
				(before.flags & NO_DEFER ? SA_NODEFER : 0);
		put_set(&old->sa_mask, before.mask);
	}
	if (act)
		set_disposition(sig, handler, flags, mask);
	return 0;
}

INTERCEPT sighandler_t signal(int sig, sighandler_t handler)
{
	sighandler_t old;

	NATIVELY(signal, sig, handler);
	if (sig < 1 || sig >= SIGNALS || sig == SIGKILL || sig == SIGSTOP) {
		errno_return(-EINVAL);
		return SIG_ERR;
	}
	old = disposition_of(sig).handler;
	set_disposition(sig, handler, RESTARTS, 0);
	return old;
}

/* --- handlers --------------------------------------------------------------------------------- */

bool signal_is_expected(int sig)
{
	return disposition_of(sig).handler != SIG_DFL ||
	       thread_self()->blocked_signals & signal_bit((u32)sig);
}

void signal_put_info(siginfo_t *to, const struct signal_info *from)
{
	*to = (siginfo_t){.si_signo = (int)from->signal, .si_code = from->code};
	to->si_value.sival_ptr = (void *)(uintptr_t)from->value;
	if (from->code != SI_TIMER)
		to->si_pid = getpid();
	if (from->timer)
		to->si_overrun = (int)alarm_taken(from->timer);
}

#define AUTODISARM (int)(1u << 31) /* of linux/signal.h, which collides with signal.h */

/* Handlers run on the stack of the thread; the real alternative is that of the runtime
 * (machine/execution/signal.c). */
INTERCEPT int sigaltstack(const stack_t *stack, stack_t *old)
{
	stack_t *now;

	NATIVELY_OR_OURS(sigaltstack, stack, old);
	machine_drain();
	now = &self_of(thread_self())->signal_stack;
	if (old)
		*old = now->ss_sp ? *now : (stack_t){.ss_flags = SS_DISABLE};
	if (!stack)
		return 0;
	if (stack->ss_flags & ~(int)(SS_DISABLE | SS_ONSTACK | AUTODISARM))
		return (int)errno_return(-EINVAL);
	if (!(stack->ss_flags & SS_DISABLE) && stack->ss_size < (size_t)MINSIGSTKSZ)
		return (int)errno_return(-ENOMEM);
	*now = stack->ss_flags & SS_DISABLE ? (stack_t){0} : *stack;
	return 0;
}

/* The kernel gives a handler the initial floating-point environment, and restores it after. */
static void run_handler(int sig, siginfo_t *info, const struct disposition *d)
{
	struct arch_floats before;

	arch_floats_switch(&before, &arch_floats_initial);
	if (d->flags & WITH_INFO)
		((void (*)(int, siginfo_t *, void *))(uintptr_t)d->handler)(sig, info, NULL);
	else
		d->handler(sig);
	arch_floats_load(&before);
}

static void call_handler(const struct signal_info *from, const struct disposition *d)
{
	struct thread *t = thread_self();
	int sig = (int)from->signal;
	u64 before = t->blocked_signals;
	siginfo_t info;

	signal_put_info(&info, from);
	t->blocked_signals |= d->mask;
	if (!(d->flags & NO_DEFER))
		t->blocked_signals |= signal_bit((u32)sig);
	if (d->flags & RESET_HAND)
		set_disposition(sig, SIG_DFL, d->flags, d->mask);
	sync_event(EV_GET_SIGNAL, NULL, (u64)sig, 0);
	run_handler(sig, &info, d);
	sync_event(EV_SIGNAL_END, NULL, (u64)sig, 0);
	t->blocked_signals = before;
}

/* False: the process ends. */
static bool handle(const struct signal_info *from, u32 *delivered)
{
	struct disposition d = disposition_of((int)from->signal);

	if ((d.handler == SIG_DFL || d.handler == SIG_IGN) && from->timer)
		alarm_taken(from->timer);
	if (d.handler == SIG_DFL)
		return ignored_by_default((int)from->signal);
	if (d.handler != SIG_IGN) {
		call_handler(from, &d);
		*delivered |= DELIVERED | (d.flags & RESTARTS ? 0 : DELIVERED_FAILS);
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
	machine_end_by(sig);
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
		delivery_unblocked();
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
