/* SPDX-License-Identifier: ISC */
/*
 * pthread.c - threads: create, end, join, detach; the thread of a pthread_t.
 *
 * While exploring, the main thread keeps its real pthread_t; another thread's is made of HANDLE and
 * its id. The mapping is handle_of() and thread_of(), nowhere else. threads.h (c11.c) shares all.
 */
#include "intercept/file/lent.h"
#include "intercept/intercept.h"
#include "process/fiber.h"
#include "machine/core.h"
#include "machine/execution/key.h"
#include "machine/wait/interrupt.h"
#include "machine/wait/sync.h"
#include "machine/wait/vtime.h"
#include "sync/robust.h"

#include <errno.h>

#define HANDLE 0x7edd1e0000000000u

static pthread_t main_handle;

/* --- the record of a thread ------------------------------------------------------------------ */

static struct self selves[THREADS_MAX];
static u32 epoch;		   /* entries of `selves` with another one are stale */
static PER_EXECUTION bool begun;   /* the epoch is this execution's */
static PER_EXECUTION u32 others;   /* threads but main that have not ended */
static PER_EXECUTION bool main_ended;

struct self *self_of(const struct thread *t)
{
	struct self *s = &selves[thread_id(t)];

	epoch += !begun;
	begun = true;
	if (s->epoch != epoch || s->life != t->lives)
		*s = (struct self){.epoch = epoch, .life = t->lives};
	return s;
}

static pthread_t handle_of_slot(u32 slot)
{
	return HANDLE | (slot + 1);
}

pthread_t handle_of(const struct thread *t)
{
	unsigned id = thread_id(t);

	if (id)
		return handle_of_slot(id);
	if (!main_handle)
		main_handle = real(pthread_self)(); /* main makes the first call */
	return main_handle;
}

struct thread *thread_of(pthread_t handle)
{
	if (handle == main_handle)
		return thread_by_id(0);
	if (handle <= HANDLE + 1 || handle > HANDLE + THREADS_MAX)
		return NULL;
	return thread_by_id((unsigned)(handle - HANDLE - 1));
}

/* --- create and end -------------------------------------------------------------------------- */

/* As natively, the new thread finds its id in *handle. There another thread's access may race. */
static inline int create(
	pthread_t *handle, void *(*start)(void *), void *arg, bool detached, u64 stack)
{
	int slot = thread_take_slot();
	pthread_t id;
	bool stored;

	if (slot < 0)
		return EAGAIN;
	id = handle_of_slot((u32)slot);
	handle_of(thread_self());
	machine_hooks.thread_returns = finish_thread;
	stored = M.engine->store_id && M.engine->store_id(handle, &id, sizeof id);
	others++;
	if (!thread_create(slot, start, arg, detached, stack)) {
		others--;
		return EAGAIN;
	}
	if (!stored)
		*handle = id;
	return 0;
}

int create_thread(pthread_t *handle, void *(*start)(void *), void *arg, bool detached)
{
	return create(handle, start, arg, detached, 0);
}

INTERCEPT int pthread_create(
	pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	int state = PTHREAD_CREATE_JOINABLE;
	size_t stack = 0;

	NATIVELY(pthread_create, handle, attr, start, arg);
	openmp_refuse(__builtin_return_address(0));
	if (attr) {
		pthread_attr_getdetachstate(attr, &state);
		pthread_attr_getstacksize(attr, &stack);
	}
	if (unlikely(stack > FIBER_STACK_MAX))
		coverage_note("limit: a thread asks for a stack of %zu MiB and gets %u",
			stack >> 20, FIBER_STACK_MAX >> 20);
	return create(handle, start, arg, state == PTHREAD_CREATE_DETACHED, stack);
}

/* The end of the last thread ends the process, as exit(0) does. */
void finish_thread(void *result)
{
	process_run_thread_destructors();
	key_run_destructors();
	robust_thread_ends();
	if (thread_id(thread_self()))
		others--;
	else
		main_ended = true;
	if (main_ended && !others && !M.engine->own_history)
		process_exit(0);
	thread_exit(result);
}

/* --- join and detach ------------------------------------------------------------------------- */

/* The thread behind a handle that is about to be joined or detached. */
static struct thread *joinable(pthread_t handle, enum event_kind kind, const char *what)
{
	struct thread *t = thread_of(handle);

	if (!t)
		sync_misuse(kind, NULL, "%s of a thread that does not exist", what);
	if (thread_is_detached(t))
		sync_misuse(kind, NULL, "%s of %s, which is detached", what,
			sync_thread((int)thread_id(t)));
	if (thread_is_joined(t) || self_of(t)->joining)
		sync_misuse(kind, NULL, "%s of %s, which was already joined", what,
			sync_thread((int)thread_id(t)));
	return t;
}

static inline int join_now(struct thread *t, void **result)
{
	struct self *s = self_of(t);
	bool joined;

	s->joining = true;
	joined = !interrupt_begins(CALL_RESUMES) && thread_join(t, false);
	s->joining = false;
	interrupt_ends();
	if (joined && result)
		*result = thread_result(t);
	return 0;
}

/* Of a thread that has ended: not a cancellation point. */
static int join_ended(struct thread *t, void **result)
{
	struct self *s = self_of(t);

	s->joining = true;
	thread_join(t, true);
	s->joining = false;
	if (result)
		*result = thread_result(t);
	return 0;
}

int join_thread(pthread_t handle, void **result)
{
	struct thread *t = joinable(handle, EV_JOIN, "join");

	lent_run_all();
	return t == thread_self() ? EDEADLK : join_now(t, result);
}

INTERCEPT int pthread_join(pthread_t handle, void **result)
{
	int error;

	NATIVELY(pthread_join, handle, result);
	M.cur->joins = 1 + (u64)(uintptr_t)result;
	error = join_thread(handle, result);
	M.cur->joins = 0;
	return error;
}

static bool finished(const struct thread *t, const void *obj)
{
	return thread_is_finished(obj);
}

static int finished_holder(const void *obj)
{
	return (int)thread_id(obj);
}

static const struct sync_op op_tryjoin = {EV_JOIN, NULL, NULL};
static const struct sync_op op_timedjoin = {EV_JOIN, finished, finished_holder};

/* In a graph a thread's end is an event only when it is joined, so it may always come later; that
 * the thread has ended is another execution, if it ever ends. */
static bool ends_in_graph(void)
{
	if (M.options->sleepers == SLEEPERS_ANY)
		return !sync_times_out();
	if (!vtime_by_default)
		sync_needs_schedules(
			"a timed join is not explored in graphs with --sleepers last");
	return !choose_rare(CHOICE_TIMEOUT, M.options->timeouts);
}

static bool pthread_has_ended(const struct thread *t)
{
	if (M.engine->own_history)
		return ends_in_graph();
	sync_arrive(&op_tryjoin, t);
	return thread_is_finished(t);
}

INTERCEPT int pthread_tryjoin_np(pthread_t handle, void **result)
{
	struct thread *t;

	NATIVELY(pthread_tryjoin_np, handle, result);
	t = joinable(handle, EV_JOIN, "join");
	return pthread_has_ended(t) ? join_ended(t, result) : EBUSY;
}

static int join_until(
	pthread_t handle, void **result, clockid_t clock, const struct timespec *at)
{
	struct thread *t = joinable(handle, EV_JOIN, "join");
	u64 deadline;
	bool ended;

	if (t == thread_self())
		return EDEADLK;
	if (!at)
		return join_now(t, result);
	if (!vtime_deadline(clock, at, &deadline))
		return EINVAL;
	interrupt_point(); /* a request that comes while it waits is as one before */
	if (vtime_passed(deadline)) {
		ended = pthread_has_ended(t);
	} else {
		ended = M.engine->own_history ? ends_in_graph()
					      : sync_arrive_timed(&op_timedjoin, t);
		if (!ended)
			vtime_reach(deadline);
		ended |= !M.engine->own_history && thread_is_finished(t);
	}
	return ended ? join_ended(t, result) : ETIMEDOUT;
}

INTERCEPT int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *at)
{
	NATIVELY(pthread_timedjoin_np, handle, result, at);
	return join_until(handle, result, CLOCK_REALTIME, at);
}

INTERCEPT int pthread_clockjoin_np(
	pthread_t handle, void **result, clockid_t clock, const struct timespec *at)
{
	NATIVELY(pthread_clockjoin_np, handle, result, clock, at);
	return join_until(handle, result, clock, at);
}

int detach_thread(pthread_t handle)
{
	struct thread *t = joinable(handle, EV_DETACH, "detach");

	thread_detach(t);
	sync_event(EV_DETACH, NULL, thread_id(t), 0);
	return 0;
}

INTERCEPT int pthread_detach(pthread_t handle)
{
	NATIVELY(pthread_detach, handle);
	return detach_thread(handle);
}

INTERCEPT pthread_t pthread_self(void)
{
	NATIVELY(pthread_self);
	return handle_of(thread_self());
}
