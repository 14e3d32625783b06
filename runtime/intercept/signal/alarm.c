/* SPDX-License-Identifier: ISC */
/*
 * alarm.c - alarm(), setitimer(), timer_create(), on virtual time.
 *
 * While a timer is armed, an agent sleeps until it expires: a thread of the runtime
 * (object/alarm.h).
 */
#include "intercept/intercept.h"
#include "intercept/signal/signals.h"
#include "intercept/signal/timespec.h"
#include "kernel/alarm.h"
#include "machine/core.h"
#include "machine/execution/signal.h"
#include "machine/wait/vtime.h"
#include "object/state_table.h"

#include <errno.h>

#define SECOND TIMESPEC_SECOND
/* An interval timer expires at most so often, which bounds the exploration. */
#define EXPIRATIONS	 100
#define EXPIRATIONS_ANY	 4 /* --sleepers any */

/* The notification of a timer. */
struct alarm_notify {
	u32 how; /* sigev_notify */
	u32 signal;
	u64 to; /* SIGEV_THREAD_ID: a slot */
	u64 value;
	u64 function;
	u64 clock; /* enum of_clock */
};

enum of_clock { CLOCK_STEADY, CLOCK_WALL, CLOCK_CPU };

static struct alarm_notify notify_of(u64 number)
{
	struct alarm_notify n = {.how = SIGEV_SIGNAL, .signal = SIGALRM};

	alarm_read(number, &n, sizeof n);
	return n;
}

/* --- expiration ------------------------------------------------------------------------------- */

/* The argument of an agent, as a number. */
struct agent {
	u64 notify, wakes;
	u32 timer, number;
};

static void *call_notify(void *notify)
{
	struct alarm_notify n = notify_of((u64)(uintptr_t)notify);
	union sigval value = {.sival_ptr = (void *)(uintptr_t)n.value};

	((void (*)(union sigval))(uintptr_t)n.function)(value);
	return NULL;
}

static void notify_program(const struct agent *a)
{
	struct alarm_notify n = notify_of(a->notify);
	struct signal_info info = {.signal = n.signal,
		.to = n.how == SIGEV_THREAD_ID ? (u32)n.to : DELIVERY_PROCESS,
		.code = a->notify ? SI_TIMER : SI_KERNEL,
		.value = n.value,
		.timer = a->notify ? alarm_object(a->timer) : 0};
	pthread_t thread;

	if (n.how == SIGEV_THREAD) {
		if (!create_thread(&thread, call_notify, (void *)(uintptr_t)a->notify, true))
			alarm_taken(alarm_object(a->timer));
	} else if (delivery_send(&info) != EAGAIN) {
		delivery_arrive(&info);
	}
}

static u32 most_expirations(void)
{
	return M.options->sleepers == SLEEPERS_LAST ? EXPIRATIONS : EXPIRATIONS_ANY;
}

static void *serve(void *number)
{
	struct agent a = {0};
	u64 step;

	alarm_read((u64)(uintptr_t)number, &a, sizeof a);
	thread_self()->blocked_signals = ~(u64)0;
	for (u32 expired = 0; a.wakes; a.wakes = ALARM_NEXT(step)) {
		machine_sleep(vtime_until(a.wakes));
		if (expired == most_expirations()) {
			coverage_note("limit: an interval timer expires %u times at most", expired);
			machine_cut();
		}
		step = alarm_expire(a.timer, a.number);
		if (!(step & ALARM_NOTIFIES))
			continue;
		notify_program(&a);
		expired++;
	}
	return NULL;
}

/* Convert the setting of a timer, and the old one. */
static void start_agent(u32 timer, const struct alarm *old, u64 deadline)
{
	struct agent a = {
		.notify = old->notify, .wakes = deadline, .timer = timer, .number = old->agent + 1};
	struct alarm_notify n = notify_of(old->notify);
	pthread_t agent;

	if (n.how == SIGEV_NONE)
		return;
	if (n.how != SIGEV_THREAD)
		signal_learn(n.how == SIGEV_THREAD_ID ? (u32)n.to : DELIVERY_PROCESS, n.signal);
	if (state_table_is_full())
		machine_refuse("%s", state_table_limit);
	if (create_thread(&agent, serve, (void *)(uintptr_t)state_intern(&a, sizeof a), true))
		machine_refuse("limit: too many timers at once");
	if (n.how == SIGEV_THREAD)
		thread_name(thread_of(agent), "timer");
	else
		signal_name_agent(thread_of(agent), n.signal);
}

/* Returns the old setting. */
static struct alarm arm(u32 timer, struct alarm_setting to)
{
	struct alarm old = alarm_set(timer, to);

	if (!old.deleted && alarm_needs_agent(&old, to))
		start_agent(timer, &old, to.deadline);
	return old;
}

/* --- the timer of the process ----------------------------------------------------------------- */

static const char no_alarms[] =
	"alarms without a handler, and timers of CPU time, are ignored";

static u64 alarm_time_left(const struct alarm *a)
{
	u64 left = a->deadline ? vtime_until(a->deadline) : 0;

	return a->deadline && !left ? 1 : left;
}

/* Set it, in nanoseconds; returns the old setting. */
static struct alarm set_process_timer(struct alarm_setting to)
{
	if (to.deadline && !signal_is_expected(SIGALRM)) {
		coverage_note("%s", no_alarms);
		to.deadline = 0;
	}
	machine_drain();
	vtime_now();
	if (to.deadline)
		to.deadline = vtime_after(to.deadline);
	return arm(ALARM_OF_PROCESS, to);
}

/* Returns the nanoseconds that were left of the last alarm. */
static u64 ring_after(u64 ns, u64 interval)
{
	struct alarm old = set_process_timer((struct alarm_setting){ns, interval});

	return alarm_time_left(&old);
}

INTERCEPT unsigned alarm(unsigned seconds)
{
	u64 left;

	NATIVELY(alarm, seconds);
	left = ring_after(seconds * SECOND, 0);
	return left && left < SECOND ? 1 : (unsigned)((left + SECOND / 2) / SECOND);
}

INTERCEPT useconds_t ualarm(useconds_t value, useconds_t interval)
{
	NATIVELY(ualarm, value, interval);
	return (useconds_t)(ring_after(value * 1000ull, interval * 1000ull) / 1000);
}

static u64 duration_of(struct timeval t)
{
	return (u64)t.tv_sec * SECOND + (u64)t.tv_usec * 1000;
}

static struct timeval timeval_of(u64 ns)
{
	return (struct timeval){(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
}

static bool is_timeval(struct timeval t)
{
	return t.tv_sec >= 0 && t.tv_usec >= 0 && t.tv_usec < 1000000;
}

static void give_process_timer(const void *caller, const struct alarm *a, struct itimerval *to)
{
	const struct itimerval now = {timeval_of(a->interval), timeval_of(alarm_time_left(a))};

	give(caller, to, &now, sizeof now);
}

INTERCEPT int getitimer(__itimer_which_t which, struct itimerval *to)
{
	struct alarm a = {0};

	NATIVELY(getitimer, which, to);
	vtime_now();
	if (which == ITIMER_REAL)
		a = alarm_get(ALARM_OF_PROCESS);
	give_process_timer(__builtin_return_address(0), &a, to);
	return 0;
}

INTERCEPT int setitimer(
	__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
	struct itimerval spec = {0};
	struct alarm_setting to;
	struct alarm was = {0};

	NATIVELY(setitimer, which, new, old);
	if (new)
		take(__builtin_return_address(0), &spec, new, sizeof spec);
	if (!is_timeval(spec.it_value) || !is_timeval(spec.it_interval))
		return (int)errno_return(-EINVAL);
	to = (struct alarm_setting){duration_of(spec.it_value), duration_of(spec.it_interval)};
	if (which == ITIMER_REAL)
		was = set_process_timer(to);
	else
		coverage_note("%s", no_alarms);
	give_process_timer(__builtin_return_address(0), &was, old);
	return 0;
}

/* --- timer_create() --------------------------------------------------------------------------- */

static bool is_runtime(const void *caller)
{
	return !machine_entered() || signals_is_own((u64)(uintptr_t)caller);
}
#define RUNTIME is_runtime(__builtin_return_address(0))

static int new_notify(clockid_t clock, const struct sigevent *event, struct alarm_notify *n)
{
	struct thread *t;

	n->clock = clock == CLOCK_REALTIME ? CLOCK_WALL
		 : clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ? CLOCK_STEADY : CLOCK_CPU;
	if (!event)
		return 0;
	n->how = (u32)event->sigev_notify;
	n->signal = (u32)event->sigev_signo;
	n->value = (u64)(uintptr_t)event->sigev_value.sival_ptr;
	switch (event->sigev_notify) {
	case SIGEV_NONE: return 0;
	case SIGEV_THREAD:
		n->function = (u64)(uintptr_t)event->sigev_notify_function;
		return 0;
	case SIGEV_THREAD_ID:
		t = thread_of_tid(event->_sigev_un._tid);
		if (!t)
			return EINVAL;
		n->to = thread_id(t);
		break;
	case SIGEV_SIGNAL: break;
	default: return EINVAL;
	}
	return n->signal < 1 || n->signal >= SIGNALS ? EINVAL : 0;
}

INTERCEPT int timer_create(clockid_t clock, struct sigevent *event, timer_t *to)
{
	struct alarm_notify n = {.how = SIGEV_SIGNAL, .signal = SIGALRM};
	timer_t timer;
	int error;

	if (RUNTIME)
		return real(timer_create)(clock, event, to);
	machine_drain();
	error = new_notify(clock, event, &n);
	if (error)
		return (int)errno_return(-error);
	if (state_table_is_full())
		machine_refuse("%s", state_table_limit);
	timer = (timer_t)(uintptr_t)alarm_new(state_intern(&n, sizeof n));
	give(__builtin_return_address(0), to, &timer, sizeof timer);
	return 0;
}

static void give_alarm(const void *caller, const struct alarm *a, struct itimerspec *to)
{
	const struct itimerspec now = {timespec_of_ns(a->interval),
		timespec_of_ns(alarm_time_left(a))};

	give(caller, to, &now, sizeof now);
}

/* Its state; notify 0: no such timer. */
static struct alarm read_alarm(timer_t timer)
{
	u64 number = (u64)(uintptr_t)timer;
	struct alarm a = {0};

	if (number && number <= UINT32_MAX)
		a = alarm_get((u32)number);
	return a.deleted ? (struct alarm){0} : a;
}

INTERCEPT int timer_settime(
	timer_t timer, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	struct alarm_notify n;
	struct itimerspec spec;
	struct alarm a;

	if (RUNTIME)
		return real(timer_settime)(timer, flags, new, old);
	vtime_now();
	a = read_alarm(timer);
	take(__builtin_return_address(0), &spec, new, sizeof spec);
	if (!a.notify || !timespec_is_valid(spec.it_value) || !timespec_is_valid(spec.it_interval))
		return (int)errno_return(-EINVAL);
	n = notify_of(a.notify);
	if (n.clock == CLOCK_CPU)
		machine_refuse("the program calls timer_settime(): timers of CPU time are not "
			       "simulated");
	machine_drain();
	a = arm((u32)(uintptr_t)timer,
		(struct alarm_setting){timer_deadline(n.clock == CLOCK_WALL, spec.it_value,
					      flags & TIMER_ABSTIME),
			timespec_ns(spec.it_interval)});
	give_alarm(__builtin_return_address(0), &a, old);
	return 0;
}

INTERCEPT int timer_gettime(timer_t timer, struct itimerspec *to)
{
	struct alarm a;

	if (RUNTIME)
		return real(timer_gettime)(timer, to);
	vtime_now();
	a = read_alarm(timer);
	if (!a.notify)
		return (int)errno_return(-EINVAL);
	give_alarm(__builtin_return_address(0), &a, to);
	return 0;
}

INTERCEPT int timer_getoverrun(timer_t timer)
{
	struct alarm a;

	if (RUNTIME)
		return real(timer_getoverrun)(timer);
	a = read_alarm(timer);
	return a.notify ? (int)a.last_overrun : (int)errno_return(-EINVAL);
}

INTERCEPT int timer_delete(timer_t timer)
{
	if (RUNTIME)
		return real(timer_delete)(timer);
	machine_drain();
	if (!read_alarm(timer).notify)
		return (int)errno_return(-EINVAL);
	alarm_delete((u32)(uintptr_t)timer);
	return 0;
}
