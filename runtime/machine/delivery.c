/* SPDX-License-Identifier: ISC */
/* delivery.c - see delivery.h. */
#include "machine/delivery.h"
#include "machine/core.h"
#include "machine/interrupt.h"
#include "machine/sync.h"

/* --- objects ---------------------------------------------------------------------------------- */

static u64 state[THREADS_MAX + 1]; /* of this execution if it has begun */
static PER_EXECUTION bool begun;

u64 delivery_object(u32 to)
{
	return (u64)(uintptr_t)&state[to];
}

static const void *signals_object(u32 to)
{
	return &state[to];
}

static u64 *signals_state_of(const void *obj)
{
	if (!begun)
		__builtin_memset(state, 0, sizeof state);
	begun = true;
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
}

static bool take_ready(const struct thread *t, const void *obj)
{
	return signals_pending(signals_state(obj)) & sync_argument(t);
}

/* On store buffers, of the thread or the process. */
static bool any_ready(const struct thread *t, const void *obj)
{
	return take_ready(t, obj) || take_ready(t, signals_object(DELIVERY_PROCESS));
}

SYNC_KEPT(op_send, EV_SEND_SIGNAL, NULL, OBJECT_SIGNAL_SEND, signals, signals_state, keep_signals);
SYNC_KEPT(op_look, EV_GET_SIGNAL, NULL, OBJECT_SIGNAL_LOOK, signals, signals_state, keep_signals);
SYNC_KEPT(op_take, EV_WAIT_SIGNAL, take_ready, OBJECT_SIGNAL_TAKE, signals, signals_state,
	keep_signals);
SYNC_KEPT(op_set, EV_GET_SIGNAL, NULL, OBJECT_SIGNAL_SET, signals, signals_state, keep_signals);
static const struct sync_op op_any = {.kind = EV_WAIT_SIGNAL, .ready = any_ready};

/* --- targets ---------------------------------------------------------------------------------- */

#define PROCESS_BIT ((u64)1 << 63)

static u64 target_bit(u32 to)
{
	return to == DELIVERY_PROCESS ? PROCESS_BIT : (u64)1 << (to < 62 ? to : 62);
}

void delivery_learn(u32 to)
{
	interrupt_learn(INTERRUPT_SIGNAL, target_bit(to));
}

static bool is_target(u32 to)
{
	return interrupts_known(INTERRUPT_SIGNAL) & target_bit(to);
}

bool delivery_is_possible(void)
{
	const struct thread *t = M.cur;

	return (is_target(thread_id(t)) || is_target(DELIVERY_PROCESS)) && ~t->blocked_signals &&
	       !t->one_step;
}

/* --- steps ------------------------------------------------------------------------------------ */

static u64 look_at(u32 to, u64 set)
{
	return is_target(to) ? M.engine->sync(&op_look, signals_object(to), set, ARRIVE_QUIET) : 0;
}

static u64 look(u64 set)
{
	u64 number = look_at(thread_id(M.cur), set);

	return number ? number : look_at(DELIVERY_PROCESS, set);
}

static void wake(struct thread *t, const struct signal_info *info)
{
	if (~t->blocked_signals & signal_bit(info->signal))
		M.engine->interrupt(t, INTERRUPT_SIGNAL);
	else
		sync_changed(signals_object(thread_id(t))); /* it may wait for the process's */
}

void delivery_send(const struct signal_info *info)
{
	sync_step(&op_send, signals_object(info->to), signal_number(info));
	sync_event(EV_SEND_SIGNAL, NULL,
		info->to == DELIVERY_PROCESS ? info->to : M.thread[info->to].number, info->signal);
	for (u32 i = 0; M.engine->interrupt && i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (t != M.cur && !t->finished &&
			(info->to == DELIVERY_PROCESS || info->to == thread_id(t)))
			wake(t, info);
	}
}

u32 delivery_now(void)
{
	u32 delivered = DELIVERED_NONE;
	u64 number;

	while (delivery_is_possible() && (number = look(~M.cur->blocked_signals))) {
		struct signal_info info = signal_of(number);

		delivered |= machine_hooks.signalled(&info);
	}
	return delivered;
}

/* Of two objects. */
static u64 take_any(u64 set)
{
	if (M.engine->own_history) {
		bool process = machine_choose(2, CHOICE_INTERRUPT);

		return sync_step(
			&op_take,
			signals_object(process ? DELIVERY_PROCESS : thread_id(M.cur)), set);
	}
	for (;;) {
		u64 number;

		if (M.engine->sync(&op_any, signals_object(thread_id(M.cur)), set, ARRIVE_WAITS) ==
			OBJECT_INTERRUPTED)
			return OBJECT_INTERRUPTED;
		number = look(set);
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
		number = look(set);
	else if (is_target(DELIVERY_PROCESS) && is_target(thread_id(M.cur)))
		number = take_any(set);
	else
		number = sync_step(&op_take, signals_object(to), set);
	if (number == OBJECT_INTERRUPTED)
		return false;
	*info = number ? signal_of(number) : *info;
	return true;
}

u64 delivery_pending(void)
{
	u64 set = 0;

	if (is_target(thread_id(M.cur)))
		set = sync_step(&op_set, signals_object(thread_id(M.cur)), 0);
	if (is_target(DELIVERY_PROCESS))
		set |= sync_step(&op_set, signals_object(DELIVERY_PROCESS), 0);
	return set;
}
