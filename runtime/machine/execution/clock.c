/* SPDX-License-Identifier: ISC */
/*
 * clock.c - see clock.h.
 *
 * Two timers send the same signal. One counts the CPU time of the process: it does not wake a
 * program that waits in a system call. The other is for the end of a phase, and continues after the
 * end of the exploration. `heddle run` also sends the signal when interrupted.
 */
#include "machine/execution/clock.h"
#include "machine/core.h"
#include "machine/execution/hang.h"
#include "machine/execution/signal.h"
#include "process/sys.h"

#include <signal.h>

#define LATER	50000000  /* nanoseconds between ticks of real time */
#define LEAVE	150000000 /* after the end: the execution is abandoned, in the program's code; */
#define PRESS	400000000 /* also where it is recorded, or in the runtime's code; */
#define ABANDON 550000000 /* so is the explorer */

volatile bool clock_is_up, clock_is_over;
volatile bool clock_may_escape;
volatile u64 clock_abandoned_at;
jmp_buf clock_way_out;

/* Nanoseconds, as clock_ns(); 0 = none. */
static volatile u64 phase_end, end, reserve, over_since;
static const int asks[] = {SIGINT, SIGTERM};
static struct sigaction saved_tick, saved_ask[array_size(asks)];
static volatile sig_atomic_t asked;
static timer_t timer[2]; /* CPU time, real time */
static bool have_timer[2];
static bool runs;

static volatile u64 review_at; /* 0 = never */
static bool (*review)(void);
static volatile bool gives_up;

/* Ticks of CPU time until the early end. They are counted, not read from the clock: on a virtual
 * machine that was stopped the clock jumps. 0 = no early end. */
static volatile u32 early_ticks;

/* --- flags ----------------------------------------------------------------------------------- */

static bool is_deadline_past(u64 at, u64 now)
{
	return at && now >= at;
}

static void check_deadline(u64 now)
{
	clock_is_over = clock_is_over || M.status->stop || is_deadline_past(end, now);
	if (is_deadline_past(review_at, now)) {
		review_at = 0;
		gives_up = review();
	}
	clock_is_up = clock_is_over || gives_up || is_deadline_past(phase_end, now + reserve);
}

bool clock_look(void)
{
	if (!clock_is_up)
		check_deadline(clock_ns());
	return clock_is_up;
}

bool clock_presses(void)
{
	return clock_is_over && over_since && clock_ns() >= over_since + LEAVE;
}

u32 clock_bound(void)
{
	return M.status->stop ? BOUND_INTERRUPT : clock_is_up ? BOUND_TIME : 0;
}

static void arm_timer(u32 which, u64 first);

/* The real time at which a flag is to be set next. */
static void arm_next(void)
{
	u64 now = clock_ns(), at = phase_end;

	if (at > reserve)
		at -= reserve;
	if (review_at && (!at || review_at < at))
		at = review_at;
	if (clock_is_up)
		at = end;
	arm_timer(1, over_since ? LATER : !at ? 0 : at > now ? at - now : 1);
}

void clock_phase(u64 microseconds)
{
	u64 at = microseconds ? clock_ns() + microseconds * 1000 : end;

	phase_end = end && at > end ? end : at;
	early_ticks = 0;
	review_at = 0;
	gives_up = false;
	clock_is_up = clock_is_over;
	arm_next();
}

void clock_early(u64 microseconds)
{
	early_ticks = (u32)(microseconds * 1000 / HANG_TICK) + 1;
}

void clock_review(u64 microseconds, bool (*hopeless)(void))
{
	review = hopeless;
	review_at = clock_ns() + microseconds * 1000;
	arm_next();
}

void clock_reserve(u64 microseconds)
{
	reserve = microseconds * 1000;
	arm_next();
}

/* --- force ----------------------------------------------------------------------------------- */

/* Returns only if the execution may yet end by itself. */
static void press_execution(u64 late, void *ucontext)
{
	u64 pc = arch_context_pc(ucontext);

	if (!M.recording) {
		M.look_at = 0;
		M.max_alone = 0;
	}
	if (late < PRESS && (late < LEAVE || M.recording || signals_is_own(pc)))
		return;
	clock_abandoned_at = signals_is_own(pc) ? 0 : pc;
	signals_leave(OUTCOME_STOPPED);
}

static void press_on(u64 now, void *ucontext)
{
	if (!over_since) {
		over_since = now;
		arm_timer(1, LATER);
	}
	if (M.in_execution) {
		press_execution(now - over_since, ucontext);
	} else if (now - over_since >= ABANDON && clock_may_escape) {
		clock_may_escape = false;
		sys_unblock_signals();
		_longjmp(clock_way_out, 1);
	}
}

/* --- ticks ----------------------------------------------------------------------------------- */

static void cpu_tick(void *ucontext)
{
	if (early_ticks && !M.status->executions && !--early_ticks)
		clock_is_up = gives_up = true;
	hang_tick(ucontext);
}

static void on_tick(int sig, siginfo_t *info, void *ucontext)
{
	u64 now;

	if (!runs)
		return;
	now = clock_ns();
	check_deadline(now);
	if (clock_is_over)
		press_on(now, ucontext);
	else if (info->si_code == SI_TIMER && !info->si_value.sival_int)
		cpu_tick(ucontext);
	else
		arm_next();
}

static void on_ask(int sig, siginfo_t *info, void *ucontext)
{
	asked = sig;
	M.status->stop = 1;
	on_tick(sig, info, ucontext);
}

/* First after so many nanoseconds, 0 = not yet. */
static void arm_timer(u32 which, u64 first)
{
	struct itimerspec every = {{0, which ? LATER : HANG_TICK},
		{(time_t)(first / 1000000000), (long)(first % 1000000000)}};

	if (have_timer[which])
		timer_settime(timer[which], 0, &every, NULL);
}

static void make_timer(u32 which, clockid_t of)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = CLOCK_SIGNAL,
		.sigev_value.sival_int = (int)which};

	have_timer[which] = timer_create(of, &event, &timer[which]) == 0;
}

static void start_timers(void)
{
	make_timer(0, CLOCK_PROCESS_CPUTIME_ID);
	make_timer(1, CLOCK_MONOTONIC);
	arm_timer(0, HANG_TICK);
	arm_next();
}

void clock_forked(void)
{
	early_ticks = 0; /* others may have counted */
	review_at = 0;
	clock_may_escape = false;
	start_timers();
}

void clock_begin(void)
{
	struct sigaction tick = {
		.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
	struct sigaction ask = tick;

	ask.sa_sigaction = on_ask;
	sigfillset(&tick.sa_mask);
	sigfillset(&ask.sa_mask);
	end = M.status->until;
	if (!end && M.options->time)
		end = clock_ns() + M.options->time * 1000;
	over_since = reserve = clock_abandoned_at = 0;
	clock_is_over = clock_is_up = clock_may_escape = false;
	asked = 0;
	clock_phase(0);
	runs = true;
	sigaction(CLOCK_SIGNAL, &tick, &saved_tick);
	for (u32 i = 0; i < array_size(asks) && !M.options->status_fd; i++) {
		sigaction(asks[i], NULL, &saved_ask[i]);
		if (saved_ask[i].sa_handler != SIG_IGN)
			sigaction(asks[i], &ask, NULL);
	}
	start_timers();
}

int clock_end(void)
{
	for (u32 i = 0; i < array_size(timer); i++) {
		if (have_timer[i])
			timer_delete(timer[i]);
		have_timer[i] = false;
	}
	runs = clock_may_escape = false;
	/* `heddle run` may be sending one right now. */
	if (!M.options->status_fd || saved_tick.sa_handler != SIG_DFL)
		sigaction(CLOCK_SIGNAL, &saved_tick, NULL);
	for (u32 i = 0; i < array_size(asks) && !M.options->status_fd; i++)
		sigaction(asks[i], &saved_ask[i], NULL);
	return asked;
}
