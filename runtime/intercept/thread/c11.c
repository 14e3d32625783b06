/* SPDX-License-Identifier: ISC */
/*
 * c11.c - threads.h. In glibc its types are those of pthread under other names: mtx_t is a
 * pthread_mutex_t, cnd_t a pthread_cond_t, tss_t a pthread_key_t, once_flag a pthread_once_t.
 */
#include "intercept/intercept.h"
#include "sync/cond.h"
#include "machine/execution/key.h"
#include "sync/mutex.h"
#include "sync/once.h"
#include "machine/wait/sync.h"
#include "machine/wait/vtime.h"

#include <errno.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mtx_t is not a pthread_mutex_t");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "cnd_t is not a pthread_cond_t");
_Static_assert(sizeof(once_flag) == sizeof(int), "once_flag is not a pthread_once_t");

static int thrd_result(int error)
{
	switch (error) {
	case 0: return thrd_success;
	case EBUSY: return thrd_busy;
	case ENOMEM: return thrd_nomem;
	case ETIMEDOUT: return thrd_timedout;
	default: return thrd_error;
	}
}

static pthread_mutex_t *mutex_of(mtx_t *m)
{
	return (pthread_mutex_t *)m;
}

static pthread_cond_t *cond_of(cnd_t *c)
{
	return (pthread_cond_t *)c;
}

/* --- threads --------------------------------------------------------------------------------- */

/* The start function returns int: the upper half of the register is dropped by thrd_join(). */
INTERCEPT int thrd_create(thrd_t *handle, thrd_start_t start, void *arg)
{
	NATIVELY(thrd_create, handle, start, arg);
	return create_thread(handle, (void *(*)(void *))(uintptr_t)start, arg, false)
		? thrd_nomem : thrd_success;
}

INTERCEPT int thrd_join(thrd_t handle, int *result)
{
	void *r;
	int error;

	NATIVELY(thrd_join, handle, result);
	error = join_thread(handle, &r);
	if (!error && result)
		*result = (int)(intptr_t)r;
	return thrd_result(error);
}

INTERCEPT int thrd_detach(thrd_t handle)
{
	NATIVELY(thrd_detach, handle);
	return thrd_result(detach_thread(handle));
}

INTERCEPT _Noreturn void thrd_exit(int result)
{
	if (!machine_entered()) {
		real(thrd_exit)(result);
		__builtin_unreachable();
	}
	finish_thread((void *)(intptr_t)result);
}

INTERCEPT thrd_t thrd_current(void)
{
	NATIVELY(thrd_current);
	return handle_of(thread_self());
}

INTERCEPT void thrd_yield(void)
{
	if (machine_entered())
		machine_yield(EV_YIELD);
	else
		real(thrd_yield)();
}

INTERCEPT int thrd_sleep(const struct timespec *time, struct timespec *left)
{
	NATIVELY(thrd_sleep, time, left);
	machine_drain();
	if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
		return -2;
	machine_sleep((u64)time->tv_sec * 1000000000u + (u64)time->tv_nsec);
	return 0;
}

INTERCEPT void call_once(once_flag *once, void (*fn)(void))
{
	if (machine_entered())
		once_run((int *)once, fn);
	else
		real(call_once)(once, fn);
}

/* --- mutexes --------------------------------------------------------------------------------- */

INTERCEPT int mtx_init(mtx_t *m, int type)
{
	mutex_init_begins((pthread_mutex_t *)m);
	return sync_init_ends(m, (u64)type, real(mtx_init)(m, type));
}

INTERCEPT void mtx_destroy(mtx_t *m)
{
	if (machine_entered())
		mutex_destroy(mutex_of(m));
	else
		real(mtx_destroy)(m);
}

INTERCEPT int mtx_lock(mtx_t *m)
{
	NATIVELY(mtx_lock, m);
	return thrd_result(mutex_lock(mutex_of(m)));
}

ATTEMPT(int, mtx_trylock, (mtx_t *m), (m))
{
	return thrd_result(mutex_trylock(mutex_of(m)));
}

ATTEMPT(int, mtx_timedlock, (mtx_t *restrict m, const struct timespec *restrict at),
	(m, at))
{
	return thrd_result(mutex_timedlock(mutex_of(m), CLOCK_REALTIME, at));
}

INTERCEPT int mtx_unlock(mtx_t *m)
{
	NATIVELY(mtx_unlock, m);
	return thrd_result(mutex_unlock(mutex_of(m)));
}

/* --- conditions ------------------------------------------------------------------------------ */

INTERCEPT int cnd_init(cnd_t *c)
{
	cond_init_begins((pthread_cond_t *)c);
	return sync_init_ends(c, 0, real(cnd_init)(c));
}

INTERCEPT void cnd_destroy(cnd_t *c)
{
	if (machine_entered())
		cond_destroy(cond_of(c));
	else
		real(cnd_destroy)(c);
}

INTERCEPT int cnd_signal(cnd_t *c)
{
	NATIVELY(cnd_signal, c);
	return thrd_result(cond_signal(cond_of(c)));
}

INTERCEPT int cnd_broadcast(cnd_t *c)
{
	NATIVELY(cnd_broadcast, c);
	return thrd_result(cond_broadcast(cond_of(c)));
}

INTERCEPT int cnd_wait(cnd_t *c, mtx_t *m)
{
	NATIVELY(cnd_wait, c, m);
	return thrd_result(cond_wait(cond_of(c), mutex_of(m)));
}

INTERCEPT int cnd_timedwait(
	cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict at)
{
	NATIVELY(cnd_timedwait, c, m, at);
	return thrd_result(cond_timedwait(cond_of(c), mutex_of(m), CLOCK_REALTIME, at));
}

/* --- thread-specific storage ----------------------------------------------------------------- */

INTERCEPT int tss_create(tss_t *key, tss_dtor_t destructor)
{
	int result;
	u32 created;

	if (machine_entered()) {
		result = key_create(&created, destructor);
		if (!result)
			give(__builtin_return_address(0), key, &created, sizeof created);
		return thrd_result(result);
	}
	result = real(tss_create)(key, destructor);
	if (result == thrd_success)
		key_note_native(*key, destructor);
	return result;
}

INTERCEPT void tss_delete(tss_t key)
{
	if (machine_entered()) {
		key_delete(key);
		return;
	}
	key_forget_native(key);
	real(tss_delete)(key);
}

INTERCEPT void *tss_get(tss_t key)
{
	void *value;

	if (machine_entered() && key_get(key, &value))
		return value;
	return real(tss_get)(key);
}

INTERCEPT int tss_set(tss_t key, void *value)
{
	NATIVELY(tss_set, key, value);
	return thrd_result(key_set(key, value));
}
