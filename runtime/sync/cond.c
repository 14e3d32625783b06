/* SPDX-License-Identifier: ISC */
/* cond.c - see cond.h. */
#include "sync/cond.h"
#include "sync/mutex.h"
#include "machine/sync.h"
#include "object/step.h"
#include "machine/vtime.h"
#include "sync/waiter.h"
#include "sync/waiting.h"

#include <errno.h>

/* Bits of glibc's __wrefs. */
#define WREFS_MONOTONIC 2u
#define WREFS_DESTROYED 4u

static bool wake_ready(const struct thread *t, const void *obj)
{
	const struct waiter *w = waiter_of(t);

	return w->woken && mutex_is_free_for(w->lock, t);
}

/* While it sleeps any thread could wake it; then it waits for the mutex's owner, but a
 * report names one waiting place only. */
static int wake_holder(const void *obj)
{
	return -1;
}

/* In an execution graph, as object.h has it. */
static u64 state(const void *obj)
{
	const pthread_cond_t *c = obj;

	return c->__data.__wrefs & WREFS_DESTROYED ? OBJECT_DESTROYED : waiting_state(c);
}

SYNC_OP(op_wait, EV_COND_WAIT, OBJECT_COND_WAIT, cond, state);
static const struct sync_op op_wake = {EV_COND_WAKE, wake_ready, wake_holder};
SYNC_WAITS(op_graph_wake, EV_COND_WAKE, NULL, OBJECT_COND_WAKE, cond, state);
SYNC_OP(op_signal, EV_COND_SIGNAL, OBJECT_COND_SIGNAL, cond, state);
SYNC_OP(op_broadcast, EV_COND_BROADCAST, OBJECT_COND_BROADCAST, cond, state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_COND_DESTROY, cond, state);

static void check(const pthread_cond_t *c, enum event_kind kind)
{
	if (c->__data.__wrefs & WREFS_DESTROYED)
		sync_misuse(kind, c, "use of a condition variable that has been destroyed");
}

static const char other_mutex[] =
	"wait on a condition with another mutex than the threads that already wait on it";

/* Only who holds the mutex may wait. */
static int check_mutex(pthread_cond_t *c, pthread_mutex_t *m)
{
	if (mutex_is_owned(m, thread_self()))
		return 0;
	if (mutex_knows_owner(m))
		return EPERM;
	sync_misuse(EV_COND_WAIT, c, "wait on a condition without holding its mutex");
}

/* The first step of a wait, up to the release of the mutex. */
static int begin(pthread_cond_t *c, pthread_mutex_t *m)
{
	int error;

	sync_arrive(&op_wait, c);
	check(c, EV_COND_WAIT);
	error = check_mutex(c, m);
	if (error)
		return error;
	if (waiters_other_lock(c, m))
		sync_misuse(EV_COND_WAIT, c, "%s", other_mutex);
	return 0;
}

static void unlock_to_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	mutex_release(m);
	sync_event(EV_COND_WAIT, c, 0, 0);
	sync_event(EV_UNLOCK, m, 0, 0);
}

/* Woken when the mutex was free. */
static int wake_with(pthread_cond_t *c, pthread_mutex_t *m)
{
	int error = mutex_take(m);

	sync_event(EV_COND_WAKE, c, 0, 0);
	sync_event(EV_LOCK, m, error == EOWNERDEAD ? EOWNERDEAD : 0,
		error == EOWNERDEAD ? 0 : (u64)error);
	return error;
}

/* Take the mutex back after a wake-up that is like any other; no_reason: no signal has caused
 * it. */
static int lock_again(pthread_cond_t *c, pthread_mutex_t *m, bool no_reason)
{
	int error = mutex_lock(m);

	sync_event(EV_COND_WAKE, c, no_reason, 0);
	return error;
}

/*
 * In an execution graph: to join those who wait, to unlock, to be woken and to lock are four steps;
 * on each object what happens there is ordered. A wait that ends for no reason or because of the
 * time does not join: as it takes no other thread's wake-up, it is not observable, but for the
 * mutex, which is not compared then.
 */
static int sleep_in_graph(pthread_cond_t *c, pthread_mutex_t *m, bool limited)
{
	u64 step;

	waiting_check("condition");
	step = waiting_step(&op_wait, c, object_tag((u64)(uintptr_t)m));
	check(c, EV_COND_WAIT);
	if (unlikely(step == OBJECT_MISUSE))
		sync_misuse(EV_COND_WAIT, c, "%s", other_mutex);
	sync_event(EV_COND_WAIT, c, 0, 0);
	mutex_unlock(m);
	step = limited ? waiting_step_limited(&op_graph_wake, c)
		       : waiting_step(&op_graph_wake, c, 0);
	check(c, EV_COND_WAKE);
	sync_check_step(step, EV_COND_WAKE, c);
	sync_event(EV_COND_WAKE, c, 0, 0);
	return mutex_lock(m);
}

static int wait_in_graph(pthread_cond_t *c, pthread_mutex_t *m, const u64 *deadline)
{
	int error = check_mutex(c, m);
	bool late;

	if (error)
		return error;
	late = deadline && (vtime_passed(*deadline) || sync_times_out());
	if (!late && !machine_spurious())
		return sleep_in_graph(c, m, deadline);
	sync_event(EV_COND_WAIT, c, 0, 0);
	mutex_unlock(m);
	if (late)
		vtime_reach(*deadline);
	error = mutex_lock(m);
	sync_event(EV_COND_WAKE, c, !late, late ? ETIMEDOUT : 0);
	return error ? error : late ? ETIMEDOUT : 0;
}

int cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	struct waiter w;
	int error;

	if (machine_graph)
		return wait_in_graph(c, m, NULL);
	error = begin(c, m);
	if (error)
		return error;
	unlock_to_wait(c, m);
	if (machine_spurious())
		return lock_again(c, m, true);
	waiter_begin(&w, c, m, WAITER_ANY);
	sync_arrive(&op_wake, c);
	waiter_end(&w);
	return wake_with(c, m);
}

/* After the release: wait until signalled (true, with the mutex, *error: what locking it has
 * returned) or too late (false, without). */
static bool sleep_until(pthread_cond_t *c, pthread_mutex_t *m, u64 deadline, int *error)
{
	struct waiter w;
	bool in_time;

	if (vtime_passed(deadline))
		return false;
	waiter_begin(&w, c, m, WAITER_ANY);
	in_time = sync_arrive_timed(&op_wake, c);
	waiter_end(&w);
	if (in_time) {
		*error = wake_with(c, m);
		return true;
	}
	if (!w.woken) {
		vtime_reach(deadline);
		return false;
	}
	*error = lock_again(
		c, m, false); /* signalled, and the time ran out while it waited for the mutex */
	return true;
}

int cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
	const struct timespec *at)
{
	u64 deadline;
	int error;

	if (!vtime_deadline(clock, at, &deadline))
		return EINVAL;
	if (machine_graph)
		return wait_in_graph(c, m, &deadline);
	error = begin(c, m);
	if (error)
		return error;
	unlock_to_wait(c, m);
	if (!vtime_passed(deadline) && machine_spurious())
		return lock_again(c, m, true);
	if (sleep_until(c, m, deadline, &error))
		return error;
	error = mutex_lock(m);
	sync_event(EV_COND_WAKE, c, 0, ETIMEDOUT);
	return error ? error : ETIMEDOUT;
}

clockid_t cond_clock(const pthread_cond_t *c)
{
	return c->__data.__wrefs & WREFS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/* Whom a signal wakes is a choice; in a graph it is left open until they wake (object.c). */
static int wake(pthread_cond_t *c, const struct sync_op *op, u32 n)
{
	u64 step = machine_graph ? waiting_step(op, c, 0) : sync_step(op, c, 0);
	u32 woken = 0;

	check(c, op->kind);
	sync_check_step(step, op->kind, c);
	if (!machine_graph)
		woken = waiters_wake(c, WAITER_ANY, n);
	sync_event(op->kind, c, !machine_graph, woken); /* so many, if that is known */
	return 0;
}

int cond_signal(pthread_cond_t *c)
{
	return wake(c, &op_signal, 1);
}

int cond_broadcast(pthread_cond_t *c)
{
	return wake(c, &op_broadcast, UINT32_MAX);
}

int cond_destroy(pthread_cond_t *c)
{
	u64 step = sync_step(&op_destroy, c, 0);

	check(c, EV_DESTROY);
	if (machine_graph && step == OBJECT_MISUSE)
		sync_misuse(EV_DESTROY, c, "destroy of a condition that threads wait on");
	if (waiters_count(c, WAITER_ANY))
		sync_misuse(EV_DESTROY, c, "destroy of a condition that %u threads wait on",
			waiters_count(c, WAITER_ANY));
	c->__data.__wrefs |= WREFS_DESTROYED;
	sync_event(EV_DESTROY, c, 0, 0);
	return 0;
}
