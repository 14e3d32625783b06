/* SPDX-License-Identifier: ISC */
/* cond.c - see cond.h. */
#include "machine/cond.h"
#include "machine/mutex.h"
#include "machine/sync.h"
#include "machine/vtime.h"
#include "machine/waiter.h"

#include <errno.h>

#define ANY 0xffffffffu

/* Bits of glibc's __wrefs. */
#define WREFS_MONOTONIC 2u
#define WREFS_DESTROYED 4u

static bool wake_ready(const struct thread *t, const void *obj)
{
	const struct waiter *w = waiter_of(t);

	return w->woken && mutex_is_free_for(w->lock, t);
}

/* While it sleeps nobody in particular could wake it; then it waits for the mutex's owner, but a
 * report names one waiting place only. */
static int wake_holder(const void *obj)
{
	return -1;
}

static const struct sync_op op_wait = SYNC_ALWAYS(EV_COND_WAIT);
static const struct sync_op op_wake = {EV_COND_WAKE, wake_ready, wake_holder};
static const struct sync_op op_signal = SYNC_ALWAYS(EV_COND_SIGNAL);
static const struct sync_op op_broadcast = SYNC_ALWAYS(EV_COND_BROADCAST);
static const struct sync_op op_destroy = SYNC_ALWAYS(EV_DESTROY);

static void check(const pthread_cond_t *c, enum event_kind kind)
{
	if (c->__data.__wrefs & WREFS_DESTROYED)
		sync_misuse(kind, c, "use of a condition variable that has been destroyed");
}

/* The first step of a wait, up to the release of the mutex. */
static int begin(pthread_cond_t *c, pthread_mutex_t *m)
{
	sync_arrive(&op_wait, c);
	check(c, EV_COND_WAIT);
	if (!mutex_is_owned(m, thread_self())) {
		if (mutex_is_errorcheck(m))
			return EPERM;
		sync_misuse(EV_COND_WAIT, c, "wait on a condition without holding its mutex");
	}
	if (waiters_other_lock(c, m))
		sync_misuse(EV_COND_WAIT, c,
			"wait on a condition with another mutex than those who wait already");
	return 0;
}

/* Take the mutex back after a wake-up that no signal has caused. */
static void lock_again(pthread_cond_t *c, pthread_mutex_t *m)
{
	mutex_lock(m);
	sync_event(EV_COND_WAKE, c, 0, 0);
}

int cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	struct waiter w;
	int error = begin(c, m);

	if (error)
		return error;
	mutex_release(m);
	sync_event(EV_COND_WAIT, c, 0, 0);
	if (machine_spurious()) {
		lock_again(c, m);
		return 0;
	}
	waiter_begin(&w, c, m, ANY);
	sync_arrive(&op_wake, c);
	waiter_end(&w);
	mutex_take(m);
	sync_event(EV_COND_WAKE, c, 0, 0);
	return 0;
}

/* After the release: wait until signalled (true, with the mutex) or too late (false, without). */
static bool sleep_until(pthread_cond_t *c, pthread_mutex_t *m, u64 deadline)
{
	struct waiter w;
	bool in_time;

	if (vtime_passed(deadline))
		return false;
	waiter_begin(&w, c, m, ANY);
	in_time = sync_arrive_timed(&op_wake, c);
	waiter_end(&w);
	if (in_time) {
		mutex_take(m);
		sync_event(EV_COND_WAKE, c, 0, 0);
		return true;
	}
	if (!w.woken) {
		vtime_reach(deadline);
		return false;
	}
	lock_again(c, m); /* signalled, and the time ran out while it waited for the mutex */
	return true;
}

int cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
	const struct timespec *at)
{
	u64 deadline;
	int error;

	if (!vtime_deadline(clock, at, &deadline))
		return EINVAL;
	error = begin(c, m);
	if (error)
		return error;
	mutex_release(m);
	sync_event(EV_COND_WAIT, c, 0, 0);
	if (!vtime_passed(deadline) && machine_spurious()) {
		lock_again(c, m);
		return 0;
	}
	if (sleep_until(c, m, deadline))
		return 0;
	mutex_lock(m);
	sync_event(EV_COND_WAKE, c, 0, ETIMEDOUT);
	return ETIMEDOUT;
}

clockid_t cond_clock(const pthread_cond_t *c)
{
	return c->__data.__wrefs & WREFS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int cond_signal(pthread_cond_t *c)
{
	u32 woken;

	sync_arrive(&op_signal, c);
	check(c, EV_COND_SIGNAL);
	woken = waiters_wake(c, ANY, 1);
	sync_event(EV_COND_SIGNAL, c, 0, woken);
	return 0;
}

int cond_broadcast(pthread_cond_t *c)
{
	u32 woken;

	sync_arrive(&op_broadcast, c);
	check(c, EV_COND_BROADCAST);
	woken = waiters_wake(c, ANY, UINT32_MAX);
	sync_event(EV_COND_BROADCAST, c, 0, woken);
	return 0;
}

int cond_destroy(pthread_cond_t *c)
{
	sync_arrive(&op_destroy, c);
	check(c, EV_DESTROY);
	if (waiters_count(c, ANY))
		sync_misuse(EV_DESTROY, c, "destroy of a condition that %u threads wait on",
			waiters_count(c, ANY));
	c->__data.__wrefs |= WREFS_DESTROYED;
	sync_event(EV_DESTROY, c, 0, 0);
	return 0;
}
