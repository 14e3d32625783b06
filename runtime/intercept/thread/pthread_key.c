/* SPDX-License-Identifier: ISC */
/* pthread_key.c - thread-specific data, once and barriers, of POSIX. */
#include "intercept/intercept.h"
#include "sync/barrier.h"
#include "machine/execution/key.h"
#include "sync/once.h"
#include "machine/wait/sync.h"

#include <heddle/abi.h>

INTERCEPT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	int error;
	u32 created;

	if (machine_entered()) {
		error = key_create(&created, destructor);
		if (!error)
			give(__builtin_return_address(0), key, &created, sizeof created);
		return error;
	}
	error = real(pthread_key_create)(key, destructor);
	if (!error)
		key_note_native(*key, destructor);
	return error;
}

INTERCEPT int pthread_key_delete(pthread_key_t key)
{
	if (machine_entered())
		return key_delete(key);
	key_forget_native(key);
	return real(pthread_key_delete)(key);
}

INTERCEPT void *pthread_getspecific(pthread_key_t key)
{
	void *value;

	if (machine_entered() && key_get(key, &value))
		return value;
	return real(pthread_getspecific)(key);
}

INTERCEPT int pthread_setspecific(pthread_key_t key, const void *value)
{
	NATIVELY(pthread_setspecific, key, value);
	return key_set(key, (void *)value);
}

INTERCEPT int pthread_once(pthread_once_t *once, void (*fn)(void))
{
	NATIVELY(pthread_once, once, fn);
	once_run(once, fn);
	return 0;
}

INTERCEPT int pthread_barrier_init(
	pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned count)
{
	int error;

	barrier_init_begins(b, count);
	error = real(pthread_barrier_init)(b, attr, count);
	if (!error)
		barrier_begin(b);
	return sync_init_ends(b, count, error);
}

INTERCEPT int pthread_barrier_destroy(pthread_barrier_t *b)
{
	NATIVELY(pthread_barrier_destroy, b);
	return barrier_destroy(b);
}

INTERCEPT int pthread_barrier_wait(pthread_barrier_t *b)
{
	NATIVELY(pthread_barrier_wait, b);
	return barrier_wait(b, true);
}

EXPORT void __heddle_barrier_pass(void *b)
{
	if (machine_exploring)
		barrier_wait(b, false);
	else
		real(pthread_barrier_wait)(b);
}
