/* SPDX-License-Identifier: ISC */
/* delivery.c - see delivery.h. */
#include "machine/wait/delivery.h"
#include "machine/wait/handler.h"
#include "machine/core.h"
#include "machine/learnt.h"
#include "machine/wait/sync.h"
#include "object/arrival.h"

/* --- objects ---------------------------------------------------------------------------------- */

/* Valid if `begun' is this execution: the signals that are pending; those that have arrived, a bit
 * each. */
static u64 state[THREADS_MAX + 1], arrived[THREADS_MAX + 1];
static PER_EXECUTION bool begun;

u64 delivery_object(u32 to)
{
	return (u64)(uintptr_t)&state[to];
}

static const void *pending_object(u32 to)
{
	return &state[to];
}

/* Of one signal. */
#define ARRIVALS_BASE 0x530000010000u

static const void *arrival_object(u32 to, u32 signal)
{
	return (const void *)(uintptr_t)(ARRIVALS_BASE + (to * 64 + signal - 1) * 8);
}

static void begin_signals(void)
{
	if (begun)
		return;
	__builtin_memset(state, 0, sizeof state);
	__builtin_memset(arrived, 0, sizeof arrived);
	begun = true;
}

static u64 *signals_state_of(const void *obj)
{
	begin_signals();
	return (u64 *)(uintptr_t)obj;
}

static u64 signals_state(const void *obj)
{
	return *signals_state_of(obj);
}

static void keep_signals(const void *obj, u64 next)
{
	*signals_state_of(obj) = next;
	sync_changed(obj);
	if (machine_hooks.signals_changed)
		machine_hooks.signals_changed();
}

/* The number of an arrival. */
static u64 arrival_of(const void *obj)
{
	begin_signals();
	return ((u64)(uintptr_t)obj - ARRIVALS_BASE) / 8;
}

static u64 arrival_state(const void *obj)
{
	u64 i = arrival_of(obj);

	return arrived[i / 64] >> i % 64 & 1;
}

static void keep_arrival(const void *obj, u64 next)
{
	u64 i = arrival_of(obj), bit = (u64)1 << i % 64;

	arrived[i / 64] = next ? arrived[i / 64] | bit : arrived[i / 64] & ~bit;
	sync_changed(obj);
}

static bool take_ready(const struct thread *t, const void *obj)
{
	return signals_pending(signals_state(obj)) & sync_argument(t);
}

/* On store buffers: of the thread or the process. */
static bool any_signal_ready(const struct thread *t, const void *obj)
{
	return take_ready(t, obj) || take_ready(t, pending_object(DELIVERY_PROCESS));
}

SYNC_KEPT(op_send, EV_SEND_SIGNAL, NULL, OBJECT_SIGNAL_SEND, signals, signals_state, keep_signals);
SYNC_KEPT(op_look, EV_GET_SIGNAL, NULL, OBJECT_SIGNAL_LOOK, signals, signals_state, keep_signals);
SYNC_KEPT(op_take, EV_WAIT_SIGNAL, take_ready, OBJECT_SIGNAL_TAKE, signals, signals_state,
	keep_signals);
SYNC_KEPT(op_set, EV_GET_SIGNAL, NULL, OBJECT_SIGNAL_SET, signals, signals_state, keep_signals);
SYNC_KEPT(op_arrive, EV_SEND_SIGNAL, NULL, OBJECT_SIGNAL_ARRIVE, arrival, arrival_state,
	keep_arrival);
SYNC_KEPT(
	op_meet, EV_GET_SIGNAL, NULL, OBJECT_SIGNAL_MEET, arrival, arrival_state, keep_arrival);
static const struct sync_op op_any = {.kind = EV_WAIT_SIGNAL, .ready = any_signal_ready};

/* --- targets ---------------------------------------------------------------------------------- */

#define PROCESS_BIT ((u64)1 << 63)
#define TARGETS	    62 /* threads with a bit of their own */

static u64 target_bit(u32 to)
{
	return to == DELIVERY_PROCESS ? PROCESS_BIT : (u64)1 << (to < TARGETS ? to : TARGETS);
}

void delivery_learn(u32 to, u32 signal)
{
	learnt_add(LEARNT_SIGNALLED, target_bit(to));
	learnt_add(LEARNT_SIGNALS, signal_bit(signal));
}

static bool is_target(u32 to)
{
	return learnt_known(LEARNT_SIGNALLED) & target_bit(to);
}

bool delivery_is_possible(void)
{
	const struct thread *t = M.cur;

	return (is_target(thread_id(t)) || is_target(DELIVERY_PROCESS)) &&
	       learnt_known(LEARNT_SIGNALS) & ~t->blocked_signals && !t->one_step;
}

/* --- sending ---------------------------------------------------------------------------------- */

static void for_targets(u32 to, void (*see)(struct thread *t, u32 signal), u32 signal)
{
	for (u32 i = 0; M.engine->interrupt && i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (t != M.cur && !t->finished && (to == DELIVERY_PROCESS || to == thread_id(t)))
			see(t, signal);
	}
}

/* It may wait for the process's signals, too. */
static void update_receiver(struct thread *t, u32 signal)
{
	sync_changed(pending_object(thread_id(t)));
}

static void wake(struct thread *t, u32 signal)
{
	if (~t->blocked_signals & signal_bit(signal))
		M.engine->interrupt(t, INTERRUPT_SIGNAL);
}

int delivery_send(const struct signal_info *info)
{
	int error = (int)sync_step(&op_send, pending_object(info->to), signal_number(info));

	sync_event(EV_SEND_SIGNAL, NULL,
		info->to == DELIVERY_PROCESS ? info->to : M.thread[info->to].number, info->signal);
	for_targets(info->to, update_receiver, info->signal);
	return error;
}

void delivery_arrive(const struct signal_info *info)
{
	sync_step(&op_arrive, arrival_object(info->to, info->signal), 0);
	for_targets(info->to, wake, info->signal);
}

/* --- delivery --------------------------------------------------------------------------------- */

static u64 look_at_signals(u32 to, u64 set)
{
	return is_target(to) ? M.engine->sync(&op_look, pending_object(to), set, ARRIVE_QUIET) : 0;
}

static u64 look_at_pending(u64 set)
{
	u64 number = look_at_signals(thread_id(M.cur), set);

	return number ? number : look_at_signals(DELIVERY_PROCESS, set);
}

static bool is_met(u32 to, u32 signal)
{
	return is_target(to) && M.engine->sync(&op_meet, arrival_object(to, signal), M.cur->call,
				       ARRIVE_QUIET);
}

/* One that has arrived. */
static bool look_at_arrivals(u32 *to, u32 *signal)
{
	u64 set = learnt_known(LEARNT_SIGNALS) & ~M.cur->blocked_signals;

	for (; set; set &= set - 1) {
		*signal = (u32)__builtin_ctzll(set) + 1;
		*to = thread_id(M.cur);
		if (is_met(*to, *signal))
			return true;
		*to = DELIVERY_PROCESS;
		if (is_met(*to, *signal))
			return true;
	}
	return false;
}

static u32 deliver(u64 number)
{
	struct signal_info info = signal_of(number);
	u32 delivered, call = M.cur->call;
	u8 interruptible = M.cur->interruptible;

	M.cur->call = M.cur->interruptible = 0;
	handler_begins(info.signal, (u64)(uintptr_t)__builtin_frame_address(0));
	delivered = machine_hooks.signalled(&info);
	handler_ends();
	M.cur->call = call;
	M.cur->interruptible = interruptible;
	return delivered;
}

/* May several of them be pending at once? */
static bool is_queued(struct signal_info info)
{
	return info.signal >= SIGNALS_REAL_TIME || info.timer;
}

/* Of a signal that has arrived, if it has not been taken meanwhile. */
static u32 deliver_pending(u32 to, u32 signal)
{
	u32 delivered = DELIVERED_NONE;
	u64 number;

	do {
		sync_one_step(true);
		number = look_at_signals(to, signal_bit(signal));
		sync_one_step(false);
		if (number)
			delivered |= deliver(number);
	} while (number && is_queued(signal_of(number)) &&
		 ~M.cur->blocked_signals & signal_bit(signal));
	return delivered;
}

u32 delivery_now(void)
{
	u32 delivered = DELIVERED_NONE, to, signal;

	while (delivery_is_possible() && look_at_arrivals(&to, &signal))
		delivered |= deliver_pending(to, signal);
	return delivered;
}

u32 delivery_unblocked(void)
{
	u32 delivered = DELIVERED_NONE;
	u64 number;

	while (delivery_is_possible() && (number = look_at_pending(~M.cur->blocked_signals)))
		delivered |= deliver(number);
	return delivered;
}

void delivery_discard(u32 signal)
{
	if (likely(!(learnt_known(LEARNT_SIGNALS) & signal_bit(signal))))
		return;
	for (u32 to = 0; to < TARGETS; to++)
		while (look_at_signals(to, signal_bit(signal)))
			;
	while (look_at_signals(DELIVERY_PROCESS, signal_bit(signal)))
		;
}

/* --- waiting ---------------------------------------------------------------------------------- */

static bool has_two_objects(void)
{
	return is_target(DELIVERY_PROCESS) && is_target(thread_id(M.cur));
}

const void *delivery_other_object(const void *obj)
{
	const void *process = pending_object(DELIVERY_PROCESS);

	if (!has_two_objects())
		return NULL;
	return obj == process ? pending_object(thread_id(M.cur)) : process;
}

/* Of two objects. */
static u64 take_any(u64 set)
{
	if (M.engine->own_history) {
		bool process = machine_choose(2, CHOICE_INTERRUPT);

		return sync_step(
			&op_take,
			pending_object(process ? DELIVERY_PROCESS : thread_id(M.cur)), set);
	}
	for (;;) {
		u64 number;

		if (M.engine->sync(&op_any, pending_object(thread_id(M.cur)), set, ARRIVE_WAITS) ==
			OBJECT_INTERRUPTED)
			return OBJECT_INTERRUPTED;
		number = look_at_pending(set);
		if (number)
			return number;
	}
}

bool delivery_take(u64 set, bool waits, struct signal_info *info)
{
	u32 to = is_target(DELIVERY_PROCESS) ? DELIVERY_PROCESS : thread_id(M.cur);
	u64 number;

	*info = (struct signal_info){0};
	if (!waits)
		number = look_at_pending(set);
	else if (has_two_objects())
		number = take_any(set);
	else
		number = sync_step(&op_take, pending_object(to), set);
	if (number == OBJECT_INTERRUPTED)
		return false;
	*info = number ? signal_of(number) : *info;
	return true;
}

u64 delivery_pending(void)
{
	u64 set = 0;

	if (is_target(thread_id(M.cur)))
		set = sync_step(&op_set, pending_object(thread_id(M.cur)), 0);
	if (is_target(DELIVERY_PROCESS))
		set |= sync_step(&op_set, pending_object(DELIVERY_PROCESS), 0);
	return set;
}

u64 delivery_pending_in_memory(u32 slot)
{
	return signals_pending(signals_state(pending_object(slot))) |
	       signals_pending(signals_state(pending_object(DELIVERY_PROCESS)));
}
