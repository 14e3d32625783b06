/* SPDX-License-Identifier: ISC */
/* cond.c - see cond.h. */
#include "sync/cond.h"
#include "sync/mutex.h"
#include "machine/core.h"
#include "machine/wait/interrupt.h"
#include "machine/wait/sync.h"
#include "object/waiters.h"
#include "machine/wait/vtime.h"
#include "sync/waiting.h"

#include <errno.h>

/* Bits of glibc's __wrefs. */
#define WREFS_MONOTONIC 2u
#define WREFS_DESTROYED 4u

/* As object.h has it. */
static u64 condition_state(const void *obj)
{
	const pthread_cond_t *c = obj;

	return c->__data.__wrefs & WREFS_DESTROYED ? OBJECT_DESTROYED : waiting_state(c);
}

static bool wake_ready(const struct thread *t, const void *obj)
{
	return waiter_is_ready(waiting_state(obj), thread_id(t)) && sync_then_ready(t);
}

SYNC_KEPT(op_wait, EV_COND_WAIT, NULL, OBJECT_COND_WAIT, cond, condition_state, waiting_keep);
SYNC_KEPT(op_wake, EV_COND_WAKE, wake_ready, OBJECT_COND_WAKE, cond, condition_state, waiting_keep);
SYNC_KEPT(op_leave, EV_COND_WAKE, NULL, OBJECT_FUTEX_LEAVE, futex, condition_state, waiting_keep);
SYNC_KEPT(op_signal, EV_COND_SIGNAL, NULL, OBJECT_COND_SIGNAL, cond, condition_state, waiting_keep);
SYNC_KEPT(op_broadcast, EV_COND_BROADCAST, NULL, OBJECT_COND_BROADCAST, cond, condition_state,
	waiting_keep);
SYNC_INIT(op_init, NULL, OBJECT_INIT_COND, cond, waiting_state, condition_state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_COND_DESTROY, cond, condition_state);

/* step: the result of the operation. Where nothing orders it and the destruction, the condition may
 * be destroyed in the execution that runs, and not yet in the graph. */
static void check_condition(const pthread_cond_t *c, enum event_kind kind, u64 step)
{
	if (step == OBJECT_MISUSE && c->__data.__wrefs & WREFS_DESTROYED)
		sync_misuse(kind, c, "use of a condition variable that has been destroyed");
}

void cond_init_begins(pthread_cond_t *c)
{
	u64 n;

	if (!machine_exploring)
		return;
	n = sync_step(&op_init, c, 0);
	if (n)
		sync_misuse(EV_INIT, c, "initialisation of a condition that %s on",
			n == 1 ? "a thread waits" : "threads wait");
}

/* Only the holder of the mutex may wait. */
static int check_mutex_of_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	if (mutex_is_owned(m, thread_self()))
		return 0;
	if (mutex_knows_owner(m))
		return EPERM;
	sync_misuse(EV_COND_WAIT, c, "wait on a condition without holding its mutex");
}

/* The first step of a wait, with the release of the mutex. */
static void begin_condition(pthread_cond_t *c, pthread_mutex_t *m)
{
	u64 step;

	waiting_check();
	step = sync_step(&op_wait, c, (u64)(uintptr_t)m - (u64)(uintptr_t)c);
	check_condition(c, EV_COND_WAIT, step);
	if (unlikely(step == WAITERS_OTHER_MUTEX))
		sync_misuse(EV_COND_WAIT, c,
			"wait on a condition with another mutex than the threads that already "
			"wait on it");
	sync_check_step(step, EV_COND_WAIT, c);
	sync_event(EV_COND_WAIT, c, 0, 0);
	sync_one_step(true);
	mutex_unlock(m);
	sync_one_step(false);
}

/*
 * The second step, with the lock of the mutex. In an execution graph the wait has four steps, each
 * on one object. True: timed out; the mutex is not locked again.
 */
static bool sleep_on_condition(
	pthread_cond_t *c, pthread_mutex_t *m, const u64 *deadline, int *error)
{
	bool late = false, interrupted;
	u64 step;

	sync_then(mutex_then(m), m);
	step = deadline ? sync_step_limited(&op_wake, c, &late) : sync_step(&op_wake, c, 0);
	sync_then(NULL, NULL);
	interrupted = interrupt_take();
	if (step != OBJECT_INTERRUPTED)
		sync_check_step(step, EV_COND_WAKE, c);
	if ((late || interrupted) && !sync_woken_late(&op_wake, &op_leave, c)) {
		if (!interrupted)
			vtime_reach(*deadline);
		return true;
	}
	sync_event(EV_COND_WAKE, c, 0, 0);
	sync_one_step(!late && !interrupted);
	*error = mutex_lock(m);
	sync_one_step(false);
	return false;
}

/* A wait that ends early. It takes no wake-up, so joining the waiters is not observable, except
 * that the mutex is not compared. */
static void pass_wait(pthread_cond_t *c, pthread_mutex_t *m, const u64 *deadline)
{
	sync_event(EV_COND_WAIT, c, 0, 0);
	mutex_unlock(m);
	if (deadline)
		vtime_reach(*deadline);
}

static int wait_once(pthread_cond_t *c, pthread_mutex_t *m, const u64 *deadline)
{
	int error = check_mutex_of_wait(c, m);
	bool late = false;

	if (error)
		return error;
	check_condition(c, EV_COND_WAIT, M.engine->own_history ? 0 : OBJECT_MISUSE);
	if (interrupt_begins_released()) {
		pass_wait(c, m, NULL);
		interrupt_take();
	} else if ((late = deadline && (vtime_passed(*deadline) || sync_times_out())) ||
		   machine_spurious()) {
		interrupt_take(); /* the lock does not end early */
		pass_wait(c, m, late ? deadline : NULL);
	} else {
		begin_condition(c, m);
		if (!sleep_on_condition(c, m, deadline, &error))
			return error;
		late = true;
	}
	error = mutex_lock(m);
	sync_event(EV_COND_WAKE, c, !late, late ? ETIMEDOUT : 0);
	return error ? error : late ? ETIMEDOUT : 0;
}

static int wait(pthread_cond_t *c, pthread_mutex_t *m, const u64 *deadline)
{
	int result = wait_once(c, m, deadline);

	interrupt_act(); /* with the mutex */
	return result;
}

int cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	return wait(c, m, NULL);
}

int cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
	const struct timespec *at)
{
	u64 deadline;

	return vtime_deadline(clock, at, &deadline) ? wait(c, m, &deadline) : EINVAL;
}

clockid_t cond_clock(const pthread_cond_t *c)
{
	return c->__data.__wrefs & WREFS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/* Which threads it wakes is decided when they wake up (object/waiters.c). */
static int wake_waiters(pthread_cond_t *c, const struct sync_op *op)
{
	u64 step = sync_step(op, c, 0);

	check_condition(c, op->kind, step);
	sync_check_step(step, op->kind, c);
	sync_event(op->kind, c, 1, step);
	return 0;
}

int cond_signal(pthread_cond_t *c)
{
	return wake_waiters(c, &op_signal);
}

int cond_broadcast(pthread_cond_t *c)
{
	return wake_waiters(c, &op_broadcast);
}

int cond_destroy(pthread_cond_t *c)
{
	u64 step = sync_step(&op_destroy, c, 0);
	u32 n = waiters_asleep(waiting_state(c));

	check_condition(c, EV_DESTROY, step);
	if (step == OBJECT_MISUSE && n)
		sync_misuse(EV_DESTROY, c, "destruction of a condition that %u threads wait on", n);
	if (step == OBJECT_MISUSE)
		sync_misuse(EV_DESTROY, c, "destruction of a condition that threads wait on");
	c->__data.__wrefs |= WREFS_DESTROYED;
	sync_event(EV_DESTROY, c, 0, 0);
	return 0;
}
