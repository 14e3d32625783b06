/* SPDX-License-Identifier: ISC */
/* sem.c - see sem.h. */
#include "machine/sem.h"
#include "machine/sync.h"
#include "machine/vtime.h"

#include <errno.h>
#include <limits.h>

/* The beginning of glibc's struct new_sem on 64-bit machines (little endian); the rest is ours. */
struct layout {
	u32 value;
	u32 nwaiters; /* of native waiting, not used here */
	i32 private;
	u32 state;    /* glibc's padding */
};
_Static_assert(sizeof(struct layout) <= sizeof(sem_t), "sem_t is smaller than glibc's");

#define DESTROYED 0xdead5e3a

static bool ready(const struct thread *t, const void *obj)
{
	const struct layout *s = obj;

	return s->value > 0 || s->state == DESTROYED;
}

static const struct sync_op op_wait = {EV_SEM_WAIT, ready, NULL};
static const struct sync_op op_try = SYNC_ALWAYS(EV_SEM_WAIT);
static const struct sync_op op_post = SYNC_ALWAYS(EV_SEM_POST);
static const struct sync_op op_destroy = SYNC_ALWAYS(EV_DESTROY);

static struct layout *check(sem_t *sem, enum event_kind kind)
{
	struct layout *s = (struct layout *)sem;

	if (s->state == DESTROYED)
		sync_misuse(kind, s, "use of a semaphore that has been destroyed");
	return s;
}

/* Take one if there is one; `none` is the answer when there is not. */
static int take_now(sem_t *sem, int none)
{
	struct layout *s = check(sem, EV_SEM_WAIT);
	int result = none;

	if (s->value) {
		s->value--;
		machine_progress();
		sync_changed(s);
		result = 0;
	}
	sync_event(EV_SEM_WAIT, s, 0, (u64)result);
	return result;
}

void sem_begin(sem_t *s)
{
	((struct layout *)s)->state = 0; /* glibc leaves its padding as it was */
}

int sem_take(sem_t *s)
{
	sync_arrive(&op_wait, s);
	return take_now(s, EAGAIN);
}

int sem_try(sem_t *s)
{
	int result;

	sync_try(&op_try, s);
	result = take_now(s, EAGAIN);
	if (result)
		sync_failed(&((struct layout *)s)->value, sizeof(u32));
	return result;
}

int sem_take_until(sem_t *s, clockid_t clock, const struct timespec *at)
{
	u64 deadline;

	if (!vtime_deadline(clock, at, &deadline)) {
		sync_arrive(&op_try, s); /* matters only to those who would have to wait */
		return take_now(s, EINVAL);
	}
	if (vtime_passed(deadline))
		sync_arrive(&op_try, s);
	else if (!sync_arrive_timed(&op_wait, s))
		vtime_reach(deadline);
	return take_now(s, ETIMEDOUT);
}

int sem_give(sem_t *sem)
{
	struct layout *s;

	sync_arrive(&op_post, sem);
	s = check(sem, EV_SEM_POST);
	if (s->value >= SEM_VALUE_MAX)
		return EOVERFLOW;
	s->value++;
	sync_changed(s);
	sync_event(EV_SEM_POST, s, 0, s->value);
	return 0;
}

int sem_value(sem_t *sem, int *value)
{
	sync_arrive(&op_try, sem);
	*value = (int)check(sem, EV_SEM_WAIT)->value;
	return 0;
}

int sem_end(sem_t *sem)
{
	struct layout *s;

	sync_arrive(&op_destroy, sem);
	s = check(sem, EV_DESTROY);
	s->state = DESTROYED;
	sync_changed(s);
	sync_event(EV_DESTROY, s, 0, 0);
	return 0;
}
