/* SPDX-License-Identifier: ISC */
/* spinlock.c - see spinlock.h. */
#include "machine/spinlock.h"
#include "machine/sync.h"

#include <errno.h>

#if defined(__x86_64__)
#define FREE 1
#else
#define FREE 0
#endif

/* A lock that was taken while exploring holds an owner of sync.h; one from before, glibc's value. */
static int holder(const void *obj)
{
	int v = *(const int *)obj;

	return v & SYNC_OWNER && v > 0 ? sync_owner_id(v) : -1;
}

static bool ready(const struct thread *t, const void *obj)
{
	return *(const int *)obj == FREE;
}

static const struct sync_op op_lock = {EV_LOCK, ready, holder};
static const struct sync_op op_trylock = SYNC_ALWAYS(EV_TRYLOCK);
static const struct sync_op op_unlock = SYNC_ALWAYS(EV_UNLOCK);
static const struct sync_op op_destroy = SYNC_ALWAYS(EV_DESTROY);

int spinlock_lock(pthread_spinlock_t *s)
{
	sync_arrive(&op_lock, (void *)s);
	*s = sync_owner(thread_self());
	sync_changed((void *)s);
	sync_event(EV_LOCK, (void *)s, 0, 0);
	return 0;
}

int spinlock_trylock(pthread_spinlock_t *s)
{
	int result = EBUSY;

	sync_try(&op_trylock, (void *)s);
	if (*s == FREE) {
		*s = sync_owner(thread_self());
		machine_progress();
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
	int owner;

	sync_arrive(&op_unlock, (void *)s);
	owner = holder((void *)s);
	if (*s == FREE)
		sync_misuse(EV_UNLOCK, (void *)s, "unlock of a spinlock that is not locked");
	if (owner >= 0 && owner != (int)thread_id(thread_self()))
		sync_misuse(EV_UNLOCK, (void *)s, "unlock of a spinlock that %s has locked",
			sync_thread(owner));
	*s = FREE;
	sync_changed((void *)s);
	sync_event(EV_UNLOCK, (void *)s, 0, 0);
	return 0;
}

int spinlock_destroy(pthread_spinlock_t *s)
{
	sync_arrive(&op_destroy, (void *)s);
	if (holder((void *)s) >= 0)
		sync_misuse(EV_DESTROY, (void *)s, "destroy of a spinlock that %s has locked",
			sync_thread(holder((void *)s)));
	sync_event(EV_DESTROY, (void *)s, 0, 0);
	return 0;
}
