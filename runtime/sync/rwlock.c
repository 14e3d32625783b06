/* SPDX-License-Identifier: ISC */
/* rwlock.c - see rwlock.h. */
#include "sync/rwlock.h"
#include "machine/wait/sync.h"
#include "object/rwlock.h"
#include "machine/wait/vtime.h"

#include <errno.h>

/* glibc's bits of __readers. */
#define WRITE_LOCKED 2u
#define READER	     8u

#define DESTROYED  0xdead10c
#define TALLIED	   16 /* threads whose read locks are counted */
#define TALLY_MAX  15 /* counts saturate */

static bool is_destroyed_rwlock(const pthread_rwlock_t *l)
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

/* --- readers: 4 bits per thread -------------------------------------------------------------- */

static u32 read_holds(const pthread_rwlock_t *l, u32 id)
{
	return l->__data.__pad2 >> (4 * id) & TALLY_MAX;
}

/* Are there readers that are not counted: threads beyond the bits, or from before the
 * exploration? */
static bool tally_incomplete(const pthread_rwlock_t *l)
{
	u32 sum = 0;

	for (u32 id = 0; id < TALLIED; id++) {
		if (read_holds(l, id) == TALLY_MAX)
			return true;
		sum += read_holds(l, id);
	}
	return sum != readers(l);
}

static void tally_add(pthread_rwlock_t *l, u32 id)
{
	if (id < TALLIED && read_holds(l, id) < TALLY_MAX)
		l->__data.__pad2 += 1ul << (4 * id);
}

/* False if the thread certainly does not read. */
static bool tally_remove(pthread_rwlock_t *l, u32 id)
{
	bool unsure = tally_incomplete(l);

	if (id < TALLIED && read_holds(l, id)) {
		if (read_holds(l, id) < TALLY_MAX)
			l->__data.__pad2 -= 1ul << (4 * id);
		return true;
	}
	return unsure;
}

/* --- state ----------------------------------------------------------------------------------- */

/* Readers let waiting writers go first. */
static bool prefers_writers(const pthread_rwlock_t *l)
{
	return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

/* The writer, or the first known reader. */
static int rwlock_holder(const void *obj)
{
	const pthread_rwlock_t *l = obj;

	if (write_locked(l))
		return sync_owner_id(l->__data.__cur_writer);
	for (u32 id = 0; id < TALLIED; id++)
		if (read_holds(l, id))
			return (int)id;
	return -1;
}

/* The writer, or a reader that certainly holds it; -1: it may not be a lock yet. */
static int rwlock_certain_holder(const void *obj)
{
	const pthread_rwlock_t *l = obj;

	if (is_destroyed_rwlock(l) || (write_locked(l) ? !(l->__data.__cur_writer & SYNC_OWNER) ||
							  l->__data.__cur_writer < 0
						: !readers(l) || tally_incomplete(l)))
		return -1;
	return rwlock_holder(obj);
}

/* As object.h has it. */
static u64 rwlock_state(const void *obj)
{
	const pthread_rwlock_t *l = obj;

	if (is_destroyed_rwlock(l))
		return OBJECT_DESTROYED;
	return (write_locked(l) ? (u64)sync_owner_id(l->__data.__cur_writer) + 1 : 0) |
	       (u64)readers(l) << 16 | (u64)l->__data.__writers << 32;
}

SYNC_WAITS(op_read, EV_RDLOCK, rwlock_holder, OBJECT_RDLOCK, rwlock, rwlock_state);
SYNC_WAITS(op_write, EV_WRLOCK, rwlock_holder, OBJECT_WRLOCK, rwlock, rwlock_state);
SYNC_WAITS(op_announced, EV_WRLOCK, rwlock_holder, OBJECT_ANNOUNCED_WRLOCK, rwlock, rwlock_state);
SYNC_OP(op_try_read, EV_RDLOCK, OBJECT_TRYRDLOCK, rwlock, rwlock_state);
SYNC_OP(op_try_write, EV_WRLOCK, OBJECT_TRYWRLOCK, rwlock, rwlock_state);
SYNC_OP(op_announce, EV_WRLOCK, OBJECT_ANNOUNCE, rwlock, rwlock_state);
SYNC_OP(op_try_announced, EV_WRLOCK, OBJECT_ANNOUNCED_TRYWRLOCK, rwlock, rwlock_state);
SYNC_OP(op_unlock, EV_RWUNLOCK, OBJECT_RWUNLOCK, rwlock, rwlock_state);
static u64 rwlock_state_before(const void *obj)
{
	return rwlock_certain_holder(obj) < 0 ? OBJECT_DESTROYED : rwlock_state(obj);
}

SYNC_INIT(op_init, rwlock_certain_holder, OBJECT_INIT_LOCK, life, rwlock_state_before,
	rwlock_state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_DESTROY, life, rwlock_state);

/* --- the operations -------------------------------------------------------------------------- */

static void check_rwlock(const pthread_rwlock_t *l, enum event_kind kind)
{
	if (is_destroyed_rwlock(l))
		sync_misuse(kind, l, "use of a read-write lock that has been destroyed");
}

/* The writer cannot lock again, which others cannot observe: not a step. */
static bool is_own_rwlock(const pthread_rwlock_t *l)
{
	return !is_destroyed_rwlock(l) && is_writer(l, thread_self());
}

/* step: sync_step()'s result, 1: granted. */
static int read_now(pthread_rwlock_t *l, int busy, u64 step)
{
	u32 id = thread_id(thread_self());
	int result = 0;

	check_rwlock(l, EV_RDLOCK);
	sync_check_step(step, EV_RDLOCK, l);
	if (step == 1) {
		l->__data.__readers += READER;
		tally_add(l, id);
		machine_wrote();
		sync_changed(l);
	} else {
		result = busy != EBUSY && is_writer(l, thread_self()) ? EDEADLK : busy;
	}
	sync_event(EV_RDLOCK, l, busy == EBUSY, (u64)result);
	return result;
}

static int write_now(pthread_rwlock_t *l, int busy, u64 step)
{
	int result = 0;

	check_rwlock(l, EV_WRLOCK);
	sync_check_step(step, EV_WRLOCK, l);
	if (step == 1) {
		l->__data.__readers |= WRITE_LOCKED;
		machine_wrote();
		l->__data.__cur_writer = sync_owner(thread_self());
		sync_changed(l);
	} else {
		result = busy != EBUSY && is_writer(l, thread_self()) ? EDEADLK : busy;
	}
	sync_event(EV_WRLOCK, l, busy == EBUSY, (u64)result);
	return result;
}

/* Wait until the lock is granted, or misused. */
static u64 wait_for_rwlock(const struct sync_op *op, pthread_rwlock_t *l)
{
	u64 step = sync_step(op, l, 0);

	return step == OBJECT_MISUSE ? step : 1;
}

int rwlock_rdlock(pthread_rwlock_t *l)
{
	return read_now(l, EDEADLK, is_own_rwlock(l) ? 0 : wait_for_rwlock(&op_read, l));
}

/* A failed attempt has read these fields. */
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
	return failed(l, read_now(l, EBUSY, sync_try(&op_try_read, l)));
}

int rwlock_trywrlock(pthread_rwlock_t *l)
{
	return failed(l, write_now(l, EBUSY, sync_try(&op_try_write, l)));
}

/* With the attribute, readers observe waiting writers: a separate step. */
static void announce_writer(pthread_rwlock_t *l)
{
	u64 step = sync_step(&op_announce, l, 0);

	check_rwlock(l, EV_WRLOCK);
	sync_check_step(step, EV_WRLOCK, l);
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
	u64 step;

	if (is_own_rwlock(l))
		return write_now(l, EDEADLK, 0);
	if (!prefers_writers(l))
		return write_now(l, EDEADLK, wait_for_rwlock(&op_write, l));
	announce_writer(l);
	step = wait_for_rwlock(&op_announced, l);
	withdraw_writer(l);
	return write_now(l, EDEADLK, step);
}

/* The operations that wait for a lock and that try. */
struct rwlock_ops {
	const struct sync_op *waits, *tries;
};

/* Arrive and wait until the deadline. *late: the result if the lock is still not free. */
static u64 wait_rwlock_until(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at,
	struct rwlock_ops way, int *late)
{
	bool is_late = true;
	u64 deadline, step;

	*late = EINVAL;
	if (!vtime_deadline(clock, at, &deadline))
		return is_own_rwlock(l) ? 0 : sync_step(way.tries, l, 0);
	*late = ETIMEDOUT;
	if (is_own_rwlock(l))
		return 0;
	if (vtime_passed(deadline))
		return sync_step(way.tries, l, 0);
	step = sync_step_timed(way.waits, way.tries, l, &is_late);
	if (is_late)
		vtime_reach(deadline);
	return is_late || step == OBJECT_MISUSE ? step : 1;
}

int rwlock_timedrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at)
{
	int late;
	u64 step =
		wait_rwlock_until(l, clock, at, (struct rwlock_ops){&op_read, &op_try_read}, &late);

	return read_now(l, late, step);
}

int rwlock_timedwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at)
{
	bool visible = prefers_writers(l) && !is_own_rwlock(l);
	struct rwlock_ops way = {&op_write, &op_try_write};
	int late;
	u64 step;

	if (visible) {
		announce_writer(l);
		way = (struct rwlock_ops){&op_announced, &op_try_announced};
	}
	step = wait_rwlock_until(l, clock, at, way, &late);
	if (visible)
		withdraw_writer(l);
	return write_now(l, late, step);
}

int rwlock_unlock(pthread_rwlock_t *l)
{
	const struct thread *t = thread_self();
	u64 step;

	step = sync_step(&op_unlock, l, 0);
	check_rwlock(l, EV_RWUNLOCK);
	if (write_locked(l)) {
		if (!is_writer(l, t))
			sync_misuse(EV_RWUNLOCK, l,
				"unlock of a read-write lock that %s has locked for writing",
				sync_thread(rwlock_holder(l)));
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
	sync_check_step(step, EV_RWUNLOCK, l);
	sync_changed(l);
	sync_event(EV_RWUNLOCK, l, 0, 0);
	return 0;
}

int rwlock_destroy(pthread_rwlock_t *l)
{
	u64 step = sync_step(&op_destroy, l, 0);

	check_rwlock(l, EV_DESTROY);
	if (write_locked(l))
		sync_misuse(EV_DESTROY, l, "destruction of a read-write lock that %s has locked",
			sync_thread(rwlock_holder(l)));
	if (readers(l))
		sync_misuse(EV_DESTROY, l,
			"destruction of a read-write lock that %u readers have locked", readers(l));
	sync_check_step(step, EV_DESTROY, l);
	l->__data.__flags = DESTROYED;
	sync_changed(l);
	sync_event(EV_DESTROY, l, 0, 0);
	return 0;
}

void rwlock_init_begins(pthread_rwlock_t *l)
{
	sync_init_lock(&op_init, l, "read-write lock");
}
