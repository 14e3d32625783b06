/* SPDX-License-Identifier: ISC */
/* spinlock.c - see spinlock.h. */
#include "sync/spinlock.h"
#include "arch/arch.h"
#include "machine/wait/sync.h"
#include "machine/wait/unsafe.h"
#include "object/mutex.h"

#include <errno.h>

#define DESTROYED ((int)0xdead5b1c)

/* A lock that was taken while exploring holds an owner of sync.h; one from before, glibc's
 * value. */
static int spinlock_holder(const void *obj)
{
	int v = *(const int *)obj;

	return v & SYNC_OWNER && v > 0 ? sync_owner_id(v) : -1;
}

/* As object.h has it. */
static u64 spinlock_state(const void *obj)
{
	int v = *(const int *)obj;

	if (v == ARCH_SPIN_FREE || v == DESTROYED)
		return v == ARCH_SPIN_FREE ? 0 : OBJECT_DESTROYED;
	return spinlock_holder(obj) < 0 ? OBJECT_UNKNOWN_OWNER : (u64)spinlock_holder(obj) + 1;
}

SYNC_WAITS(op_lock, EV_LOCK, spinlock_holder, OBJECT_LOCK, mutex, spinlock_state);
SYNC_OP(op_trylock, EV_TRYLOCK, OBJECT_TRYLOCK, mutex, spinlock_state);
SYNC_OP(op_unlock, EV_UNLOCK, OBJECT_UNLOCK, mutex, spinlock_state);
static u64 spinlock_state_before(const void *obj)
{
	return spinlock_holder(obj) < 0 ? OBJECT_DESTROYED : spinlock_state(obj);
}

SYNC_INIT(op_init, spinlock_holder, OBJECT_INIT_LOCK, life, spinlock_state_before,
	spinlock_state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_DESTROY, life, spinlock_state);

/* step: sync_step()'s result. */
static void check_spinlock(pthread_spinlock_t *s, enum event_kind kind, u64 step)
{
	if (*s == DESTROYED)
		sync_misuse(kind, (void *)s, "use of a spinlock that has been destroyed");
	sync_check_step(step, kind, (void *)s);
}

int spinlock_lock(pthread_spinlock_t *s)
{
	if (spinlock_holder((void *)s) == (int)thread_id(thread_self()))
		unsafe_own_lock((void *)s, "spinlock");
	check_spinlock(s, EV_LOCK, sync_step(&op_lock, (void *)s, 0));
	*s = sync_owner(thread_self());
	unsafe_lock((void *)s, true);
	sync_changed((void *)s);
	sync_event(EV_LOCK, (void *)s, 0, 0);
	return 0;
}

int spinlock_trylock(pthread_spinlock_t *s)
{
	u64 step = sync_try(&op_trylock, (void *)s);
	int result = EBUSY;

	check_spinlock(s, EV_TRYLOCK, step);
	if (step == 1) {
		*s = sync_owner(thread_self());
		machine_wrote();
		sync_changed((void *)s);
		result = 0;
	} else {
		sync_failed((void *)s, sizeof *s);
	}
	sync_event(EV_TRYLOCK, (void *)s, 0, (u64)result);
	return result;
}

int spinlock_unlock(pthread_spinlock_t *s)
{
	u64 step = sync_step(&op_unlock, (void *)s, 0);
	int owner;

	if (*s == DESTROYED)
		check_spinlock(s, EV_UNLOCK, step);
	owner = spinlock_holder((void *)s);
	if (*s == ARCH_SPIN_FREE)
		sync_misuse(EV_UNLOCK, (void *)s, "unlock of a spinlock that is not locked");
	if (owner >= 0 && owner != (int)thread_id(thread_self()))
		sync_misuse(EV_UNLOCK, (void *)s, "unlock of a spinlock that %s has locked",
			sync_thread(owner));
	check_spinlock(s, EV_UNLOCK, step);
	*s = ARCH_SPIN_FREE;
	unsafe_lock((void *)s, false);
	sync_changed((void *)s);
	sync_event(EV_UNLOCK, (void *)s, 0, 0);
	return 0;
}

int spinlock_destroy(pthread_spinlock_t *s)
{
	u64 step = sync_step(&op_destroy, (void *)s, 0);

	if (spinlock_holder((void *)s) >= 0)
		sync_misuse(EV_DESTROY, (void *)s, "destruction of a spinlock that %s has locked",
			sync_thread(spinlock_holder((void *)s)));
	check_spinlock(s, EV_DESTROY, step);
	*s = DESTROYED;
	sync_changed((void *)s);
	sync_event(EV_DESTROY, (void *)s, 0, 0);
	return 0;
}

void spinlock_init_begins(pthread_spinlock_t *s)
{
	sync_init_lock(&op_init, (void *)s, "spinlock");
}
