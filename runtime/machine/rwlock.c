/* SPDX-License-Identifier: ISC */
/* rwlock.c - see rwlock.h. */
#include "machine/rwlock.h"
#include "machine/sync.h"
#include "machine/vtime.h"

#include <errno.h>

/* glibc's bits of __readers. */
#define WRITE_LOCKED 2u
#define READER	     8u

#define DESTROYED  0xdead10c
#define TALLIED	   16 /* threads whose read locks are counted */
#define TALLY_MAX  15 /* and then not any more */

static bool is_destroyed(const pthread_rwlock_t *l)
{
	return l->__data.__flags == DESTROYED;
}

static u32 readers(const pthread_rwlock_t *l)
{
	return l->__data.__readers / READER;
}

static bool write_locked(const pthread_rwlock_t *l)
{
	return l->__data.__readers & WRITE_LOCKED;
}

static bool is_writer(const pthread_rwlock_t *l, const struct thread *t)
{
	return write_locked(l) && sync_owner_id(l->__data.__cur_writer) == (int)thread_id(t);
}

/* --- who reads: 4 bits a thread -------------------------------------------------------------- */

static u32 tally(const pthread_rwlock_t *l, u32 id)
{
	return l->__data.__pad2 >> (4 * id) & TALLY_MAX;
}

/* The counts are not the whole truth: a thread beyond them reads, or has since before exploring. */
static bool tally_incomplete(const pthread_rwlock_t *l)
{
	u32 sum = 0;

	for (u32 id = 0; id < TALLIED; id++) {
		if (tally(l, id) == TALLY_MAX)
			return true;
		sum += tally(l, id);
	}
	return sum != readers(l);
}

static void tally_add(pthread_rwlock_t *l, u32 id)
{
	if (id < TALLIED && tally(l, id) < TALLY_MAX)
		l->__data.__pad2 += 1ul << (4 * id);
}

/* False if the thread certainly does not read. */
static bool tally_remove(pthread_rwlock_t *l, u32 id)
{
	bool unsure = tally_incomplete(l);

	if (id < TALLIED && tally(l, id)) {
		if (tally(l, id) < TALLY_MAX)
			l->__data.__pad2 -= 1ul << (4 * id);
		return true;
	}
	return unsure;
}

/* --- ready ----------------------------------------------------------------------------------- */

/* Readers let waiting writers go first. */
static bool prefers_writers(const pthread_rwlock_t *l)
{
	return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool may_read(const pthread_rwlock_t *l)
{
	return !write_locked(l) && !(prefers_writers(l) && l->__data.__writers && readers(l));
}

static bool may_write(const pthread_rwlock_t *l)
{
	return !write_locked(l) && !readers(l);
}

/* A broken lock and a writer's own one are ready: to be reported, or refused with EDEADLK. */
static bool read_ready(const struct thread *t, const void *obj)
{
	return is_destroyed(obj) || may_read(obj) || is_writer(obj, t);
}

static bool write_ready(const struct thread *t, const void *obj)
{
	return is_destroyed(obj) || may_write(obj) || is_writer(obj, t);
}

/* The writer, or the first reader that is known. */
static int holder(const void *obj)
{
	const pthread_rwlock_t *l = obj;

	if (write_locked(l))
		return sync_owner_id(l->__data.__cur_writer);
	for (u32 id = 0; id < TALLIED; id++)
		if (tally(l, id))
			return (int)id;
	return -1;
}

static const struct sync_op op_read = {EV_RDLOCK, read_ready, holder};
static const struct sync_op op_write = {EV_WRLOCK, write_ready, holder};
static const struct sync_op op_try_read = SYNC_ALWAYS(EV_RDLOCK);
static const struct sync_op op_try_write = SYNC_ALWAYS(EV_WRLOCK);
static const struct sync_op op_unlock = SYNC_ALWAYS(EV_RWUNLOCK);
static const struct sync_op op_destroy = SYNC_ALWAYS(EV_DESTROY);

/* --- the operations -------------------------------------------------------------------------- */

static void check(const pthread_rwlock_t *l, enum event_kind kind)
{
	if (is_destroyed(l))
		sync_misuse(kind, l, "use of a read-write lock that has been destroyed");
}

static int read_now(pthread_rwlock_t *l, int busy)
{
	u32 id = thread_id(thread_self());
	int result = 0;

	check(l, EV_RDLOCK);
	if (may_read(l)) {
		l->__data.__readers += READER;
		tally_add(l, id);
		machine_progress();
		sync_changed(l);
	} else {
		result = busy != EBUSY && is_writer(l, thread_self()) ? EDEADLK : busy;
	}
	sync_event(EV_RDLOCK, l, 0, (u64)result);
	return result;
}

static int write_now(pthread_rwlock_t *l, int busy)
{
	int result = 0;

	check(l, EV_WRLOCK);
	if (may_write(l)) {
		l->__data.__readers |= WRITE_LOCKED;
		machine_progress();
		l->__data.__cur_writer = sync_owner(thread_self());
		sync_changed(l);
	} else {
		result = busy != EBUSY && is_writer(l, thread_self()) ? EDEADLK : busy;
	}
	sync_event(EV_WRLOCK, l, 0, (u64)result);
	return result;
}

int rwlock_rdlock(pthread_rwlock_t *l)
{
	sync_arrive(&op_read, l);
	return read_now(l, EDEADLK);
}

/* Whether an attempt succeeds depends on these. */
static int failed(const pthread_rwlock_t *l, int result)
{
	if (result) {
		sync_failed(&l->__data.__readers, sizeof l->__data.__readers);
		sync_failed(&l->__data.__writers, sizeof l->__data.__writers);
	}
	return result;
}

int rwlock_tryrdlock(pthread_rwlock_t *l)
{
	sync_try(&op_try_read, l);
	return failed(l, read_now(l, EBUSY));
}

int rwlock_trywrlock(pthread_rwlock_t *l)
{
	sync_try(&op_try_write, l);
	return failed(l, write_now(l, EBUSY));
}

/* With the attribute, that a writer waits is visible to readers: a step of its own. */
static void announce_writer(pthread_rwlock_t *l)
{
	sync_arrive(&op_try_write, l);
	check(l, EV_WRLOCK);
	l->__data.__writers++;
	sync_changed(l);
}

static void withdraw_writer(pthread_rwlock_t *l)
{
	l->__data.__writers--;
	sync_changed(l);
}

int rwlock_wrlock(pthread_rwlock_t *l)
{
	bool visible = prefers_writers(l);

	if (visible)
		announce_writer(l);
	sync_arrive(&op_write, l);
	if (visible)
		withdraw_writer(l);
	return write_now(l, EDEADLK);
}

/* Arrive and wait in time: the answer for the case that the lock is still not free then. */
static int wait_until(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at, bool write)
{
	u64 deadline;

	if (!vtime_deadline(clock, at, &deadline)) {
		sync_arrive(write ? &op_try_write : &op_try_read, l);
		return EINVAL;
	}
	if (vtime_passed(deadline))
		sync_arrive(write ? &op_try_write : &op_try_read, l);
	else if (!sync_arrive_timed(write ? &op_write : &op_read, l))
		vtime_reach(deadline);
	return ETIMEDOUT;
}

int rwlock_timedrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at)
{
	return read_now(l, wait_until(l, clock, at, false));
}

int rwlock_timedwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at)
{
	bool visible = prefers_writers(l);
	int late;

	if (visible)
		announce_writer(l);
	late = wait_until(l, clock, at, true);
	if (visible)
		withdraw_writer(l);
	return write_now(l, late);
}

int rwlock_unlock(pthread_rwlock_t *l)
{
	const struct thread *t = thread_self();

	sync_arrive(&op_unlock, l);
	check(l, EV_RWUNLOCK);
	if (write_locked(l)) {
		if (!is_writer(l, t))
			sync_misuse(EV_RWUNLOCK, l,
				"unlock of a read-write lock that %s has locked for writing",
				sync_thread(holder(l)));
		l->__data.__readers &= ~WRITE_LOCKED;
		l->__data.__cur_writer = 0;
	} else if (!readers(l)) {
		sync_misuse(EV_RWUNLOCK, l, "unlock of a read-write lock that is not locked");
	} else {
		if (!tally_remove(l, thread_id(t)))
			sync_misuse(EV_RWUNLOCK, l,
				"unlock of a read-write lock that other threads have locked for "
				"reading");
		l->__data.__readers -= READER;
	}
	sync_changed(l);
	sync_event(EV_RWUNLOCK, l, 0, 0);
	return 0;
}

int rwlock_destroy(pthread_rwlock_t *l)
{
	sync_arrive(&op_destroy, l);
	check(l, EV_DESTROY);
	if (write_locked(l))
		sync_misuse(EV_DESTROY, l, "destroy of a read-write lock that %s has locked",
			sync_thread(holder(l)));
	if (readers(l))
		sync_misuse(EV_DESTROY, l,
			"destroy of a read-write lock that %u readers have locked", readers(l));
	l->__data.__flags = DESTROYED;
	sync_changed(l);
	sync_event(EV_DESTROY, l, 0, 0);
	return 0;
}
