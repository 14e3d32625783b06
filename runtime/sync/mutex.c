/* SPDX-License-Identifier: ISC */
/* mutex.c - see mutex.h. */
#include "sync/mutex.h"
#include "sync/robust.h"
#include "machine/core.h"
#include "machine/wait/sync.h"
#include "machine/wait/unsafe.h"
#include "object/mutex.h"
#include "machine/wait/vtime.h"

#include <errno.h>
#include <limits.h>

#define KIND_DESTROYED	(-1) /* as glibc stores it */

/* The type, without glibc's bits for robustness, protocol, sharing and elision. */
static int mutex_type(const pthread_mutex_t *m)
{
	return m->__data.__kind & 3;
}

static bool is_destroyed_mutex(const pthread_mutex_t *m)
{
	return m->__data.__kind == KIND_DESTROYED;
}

/* Contents that no mutex can have: memory that was never initialised. */
static bool is_garbage(const pthread_mutex_t *m)
{
	return m->__data.__kind < 0 ||
	       (!robust_is(m) && (u32)m->__data.__lock > 2);
}

static _Noreturn __attribute__((noinline, cold)) void refuse_mutex(
	pthread_mutex_t *m, enum event_kind kind, const char *what)
{
	if (is_destroyed_mutex(m))
		sync_misuse(kind, m, "%s a mutex that has been destroyed", what);
	sync_misuse(kind, m, "%s a mutex that was never initialised", what);
}

static inline void check_mutex(pthread_mutex_t *m, enum event_kind kind, const char *what)
{
	if (unlikely(is_garbage(m)))
		refuse_mutex(m, kind, what);
}

static bool is_errorcheck(const pthread_mutex_t *m)
{
	return mutex_type(m) == PTHREAD_MUTEX_ERRORCHECK_NP;
}

bool mutex_knows_owner(const pthread_mutex_t *m)
{
	return is_errorcheck(m) || robust_is(m);
}

/* A thread id, -1 = none. */
static inline int mutex_holder(const void *obj)
{
	const pthread_mutex_t *m = obj;

	return m->__data.__lock && !robust_is_dead(m) ? sync_owner_id(m->__data.__owner) : -1;
}

/* The holder, or -1 if this may not be a mutex yet. A locked mutex is recognised by its owner, a
 * thread of ours. */
static int mutex_certain_holder(const void *obj)
{
	const pthread_mutex_t *m = obj;

	if (is_destroyed_mutex(m) || is_garbage(m) || m->__data.__owner < 0 ||
		!(m->__data.__owner & SYNC_OWNER))
		return -1;
	return mutex_holder(m);
}

bool mutex_is_owned(const pthread_mutex_t *m, const struct thread *t)
{
	return mutex_holder(m) == (int)thread_id(t);
}

/* Does a lock by the owner return, as recursive or with EDEADLK? Else the owner waits for
 * itself. */
static bool relock_returns(const pthread_mutex_t *m)
{
	return mutex_type(m) == PTHREAD_MUTEX_RECURSIVE_NP || is_errorcheck(m);
}

/* Recursive mutexes only; for the others a held mutex is not free. */
static bool is_free_for(const pthread_mutex_t *m, const struct thread *t)
{
	return !m->__data.__lock || robust_is_dead(m) ||
	       (mutex_type(m) == PTHREAD_MUTEX_RECURSIVE_NP && mutex_is_owned(m, t));
}

static int take_mutex(pthread_mutex_t *m)
{
	int result = 0;

	machine_wrote();
	if (robust_is_gone(m))
		return ENOTRECOVERABLE;
	if (m->__data.__lock && !robust_is_dead(m)) {
		machine_progress(); /* invisible to other threads */
		m->__data.__count++;
		return 0;
	}
	if (robust_is(m))
		result = robust_take(m);
	else
		m->__data.__lock = 1;
	m->__data.__owner = sync_owner(thread_self());
	m->__data.__count = mutex_type(m) == PTHREAD_MUTEX_RECURSIVE_NP;
	unsafe_lock(m, true);
	sync_changed(m);
	return result;
}

static void release(pthread_mutex_t *m)
{
	if (mutex_type(m) == PTHREAD_MUTEX_RECURSIVE_NP && m->__data.__count > 1) {
		m->__data.__count--;
		return;
	}
	m->__data.__count = 0;
	m->__data.__owner = robust_is(m) ? robust_release(m) : 0;
	m->__data.__lock = 0;
	m->__data.__nusers = 0;
	unsafe_lock(m, false);
	sync_changed(m);
}

/* As object.h has it. */
static u64 mutex_state(const void *obj)
{
	const pthread_mutex_t *m = obj;

	if (is_garbage(m))
		return OBJECT_DESTROYED;
	if (robust_is_dead(m))
		return OBJECT_DEAD;
	return robust_is_gone(m) ? OBJECT_GONE : (u64)(mutex_holder(m) + 1);
}

SYNC_WAITS(op_lock, EV_LOCK, mutex_holder, OBJECT_LOCK, mutex, mutex_state);
SYNC_OP(op_trylock, EV_TRYLOCK, OBJECT_TRYLOCK, mutex, mutex_state);
SYNC_OP(op_unlock, EV_UNLOCK, OBJECT_UNLOCK, mutex, mutex_state);
static u64 mutex_state_before(const void *obj)
{
	return mutex_certain_holder(obj) < 0 ? OBJECT_DESTROYED : mutex_state(obj);
}

SYNC_INIT(op_init, mutex_certain_holder, OBJECT_INIT_LOCK, life, mutex_state_before,
	mutex_state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_DESTROY, life, mutex_state);

/* The owner knows the result, and others cannot observe it: not a step. */
static inline bool is_own_mutex(const pthread_mutex_t *m)
{
	return m->__data.__lock && !is_garbage(m) && mutex_is_owned(m, thread_self());
}

/* Has the attempt to lock it succeeded? step: sync_step()'s result. */
static bool is_granted(const pthread_mutex_t *m, u64 step)
{
	if (is_own_mutex(m))
		return is_free_for(m, thread_self());
	return step == 1 || step == OBJECT_OWNER_DEAD || step == OBJECT_NOT_RECOVERABLE;
}

/* The last part of every lock operation; `busy` is its result when another thread holds the
 * mutex. */
static int lock_now(pthread_mutex_t *m, enum event_kind kind, int busy, u64 step)
{
	int result = 0;

	check_mutex(m, kind, "lock of");
	sync_check_step(step, kind, m);
	if (is_granted(m, step)) {
		if (m->__data.__count == UINT_MAX)
			result = EAGAIN;
		else
			result = take_mutex(m);
	} else if (kind == EV_LOCK && is_errorcheck(m) && mutex_is_owned(m, thread_self())) {
		result = EDEADLK;
	} else {
		result = busy;
	}
	sync_event(kind, m, result == EOWNERDEAD ? EOWNERDEAD : 0,
		result == EOWNERDEAD ? 0 : (u64)result);
	return result;
}

static u64 wait_for_mutex(pthread_mutex_t *m)
{
	u64 step;

	if (is_own_mutex(m) && relock_returns(m))
		return 0;
	if (is_own_mutex(m))
		unsafe_own_lock(m, "mutex");
	step = sync_step(&op_lock, m, 0);
	return step ? step : 1;
}

static u64 try_mutex(pthread_mutex_t *m)
{
	return is_own_mutex(m) ? 0 : sync_step(&op_trylock, m, 0);
}

const struct sync_op *mutex_then(const pthread_mutex_t *m)
{
	return is_own_mutex(m) ? NULL : &op_lock;
}

void mutex_init_begins(pthread_mutex_t *m)
{
	sync_init_lock(&op_init, m, "mutex");
}

int mutex_lock(pthread_mutex_t *m)
{
	return lock_now(m, EV_LOCK, EBUSY, wait_for_mutex(m));
}

int mutex_trylock(pthread_mutex_t *m)
{
	u64 step = 0;
	int result;

	if (!is_own_mutex(m) || mutex_type(m) != PTHREAD_MUTEX_RECURSIVE_NP)
		step = sync_try(&op_trylock, m);
	result = lock_now(m, EV_TRYLOCK, EBUSY, step);
	if (result == EBUSY)
		sync_failed(&m->__data.__lock, sizeof m->__data.__lock);
	return result;
}

int mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *at)
{
	u64 deadline, step;
	bool late;

	if (!vtime_deadline(clock, at, &deadline)) /* matters only if it has to wait */
		return lock_now(m, EV_LOCK, EINVAL, try_mutex(m));
	if (vtime_passed(deadline))
		return lock_now(m, EV_LOCK, ETIMEDOUT, try_mutex(m));
	if (is_own_mutex(m) && relock_returns(m))
		return lock_now(m, EV_LOCK, ETIMEDOUT, 0);
	step = sync_step_timed(&op_lock, &op_trylock, m, &late);
	if (late)
		vtime_reach(deadline);
	else if (!step)
		step = 1;
	return lock_now(m, EV_LOCK, ETIMEDOUT, step);
}

/* Is an unlock by another thread than the owner an error, not undefined? */
static bool checks_owner(const pthread_mutex_t *m)
{
	return mutex_knows_owner(m) || mutex_type(m) == PTHREAD_MUTEX_RECURSIVE_NP;
}

/* The last part of every unlock operation, after its step. */
static int unlock_now(pthread_mutex_t *m, u64 step, u64 left, int result)
{
	check_mutex(m, EV_UNLOCK, "unlock of");
	if (!mutex_is_owned(m, thread_self())) {
		if (checks_owner(m))
			return EPERM;
		if (mutex_holder(m) < 0)
			sync_misuse(EV_UNLOCK, m, "unlock of a mutex that is not locked");
		sync_misuse(EV_UNLOCK, m, "unlock of a mutex that %s has locked",
			sync_thread(mutex_holder(m)));
	}
	sync_check_step(step, EV_UNLOCK, m);
	release(m);
	sync_event(EV_UNLOCK, m, left ? ENOTRECOVERABLE : 0, 0);
	return result;
}

static __attribute__((noinline)) int unlock_by_kind(pthread_mutex_t *m)
{
	bool mine = mutex_is_owned(m, thread_self());
	u64 step = 0, left = mine && robust_is_inconsistent(m) ? OBJECT_GONE : 0;
	int result = left && m->__data.__count > 1 ? ENOTRECOVERABLE
						   : 0; /* glibc's result; it is still held */

	/* Else an inner level, or not the caller's mutex: see is_own_mutex(). */
	if (is_garbage(m) || !checks_owner(m) || (mine && m->__data.__count < 2))
		step = sync_step(&op_unlock, m, left);
	return unlock_now(m, step, left, result);
}

int mutex_unlock(pthread_mutex_t *m)
{
	if (unlikely(m->__data.__kind != PTHREAD_MUTEX_NORMAL))
		return unlock_by_kind(m);
	return unlock_now(m, sync_step(&op_unlock, m, 0), 0, 0);
}

void mutex_abandon(pthread_mutex_t *m)
{
	sync_step(&op_unlock, m, OBJECT_DEAD);
	robust_die(m);
	sync_changed(m);
	sync_event(EV_UNLOCK, m, EOWNERDEAD, 0);
}

int mutex_destroy(pthread_mutex_t *m)
{
	u64 step = sync_step(&op_destroy, m, 0);

	check_mutex(m, EV_DESTROY, "destroy of");
	if (mutex_holder(m) >= 0)
		sync_misuse(EV_DESTROY, m, "destruction of a mutex that %s has locked",
			sync_thread(mutex_holder(m)));
	sync_check_step(step, EV_DESTROY, m);
	m->__data.__kind = KIND_DESTROYED;
	sync_changed(m);
	sync_event(EV_DESTROY, m, 0, 0);
	return 0;
}
