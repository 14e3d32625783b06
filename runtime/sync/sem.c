/* SPDX-License-Identifier: ISC */
/* sem.c - see sem.h. */
#include "sync/sem.h"
#include "machine/wait/interrupt.h"
#include "machine/wait/sync.h"
#include "object/sem.h"
#include "machine/wait/vtime.h"

#include <errno.h>
#include <limits.h>

/* The beginning of glibc's struct new_sem on 64-bit machines (little endian); the rest is ours. */
struct sem_layout {
	u32 value;
	u32 nwaiters; /* of native waiting, not used here */
	i32 private;
	u32 state;    /* glibc's padding */
};
_Static_assert(sizeof(struct sem_layout) <= sizeof(sem_t), "sem_t is smaller than glibc's");

#define DESTROYED 0xdead5e3a

/* As object.h has it. */
static u64 semaphore_state(const void *obj)
{
	const struct sem_layout *s = obj;

	return s->state == DESTROYED ? OBJECT_DESTROYED : s->value;
}

SYNC_WAITS(op_wait, EV_SEM_WAIT, NULL, OBJECT_SEM_WAIT, sem, semaphore_state);
SYNC_OP(op_try, EV_SEM_WAIT, OBJECT_SEM_TRYWAIT, sem, semaphore_state);
SYNC_OP(op_value, EV_SEM_WAIT, OBJECT_SEM_VALUE, sem, semaphore_state);
SYNC_OP(op_post, EV_SEM_POST, OBJECT_SEM_POST, sem, semaphore_state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_SEM_DESTROY, sem, semaphore_state);
SYNC_OP(op_init, EV_INIT, OBJECT_INIT_SEM, sem, semaphore_state);

static struct sem_layout *check_semaphore(sem_t *sem, enum event_kind kind)
{
	struct sem_layout *s = (struct sem_layout *)sem;

	if (s->state == DESTROYED)
		sync_misuse(kind, s, "use of a semaphore that has been destroyed");
	return s;
}

/* Take one if there is one; else return `none`. step: sync_step()'s result. */
static int take_now(sem_t *sem, int none, u64 step)
{
	struct sem_layout *s = check_semaphore(sem, EV_SEM_WAIT);
	int result = none;

	sync_check_step(step, EV_SEM_WAIT, s);
	if (step == 1) {
		s->value--;
		machine_progress();
		sync_changed(s);
		result = 0;
	}
	sync_event(EV_SEM_WAIT, s, s->value, (u64)result);
	return result;
}

void sem_init_begins(sem_t *s, unsigned value)
{
	sync_init_waited(&op_init, s, value, "semaphore");
}

void sem_begin(sem_t *s)
{
	((struct sem_layout *)s)->state = 0; /* glibc does not change its padding */
}

void sem_set(sem_t *s, unsigned value)
{
	*(struct sem_layout *)s = (struct sem_layout){.value = value};
}

int sem_take(sem_t *s)
{
	enum interrupt_end end;
	u64 step = 0;

	do {
		if (!interrupt_begins(CALL_RESTARTS))
			step = sync_step(&op_wait, s, 0);
		end = interrupt_ends();
	} while (end == INTERRUPT_AGAIN);
	if (end)
		return EINTR;
	return take_now(s, EAGAIN, step == OBJECT_MISUSE ? step : 1);
}

int sem_try(sem_t *s)
{
	u64 step = sync_try(&op_try, s);
	int result = take_now(s, EAGAIN, step);

	if (result)
		sync_failed(&((struct sem_layout *)s)->value, sizeof(u32));
	return result;
}

int sem_take_until(sem_t *s, clockid_t clock, const struct timespec *at)
{
	enum interrupt_end end;
	u64 deadline, step = 0;
	bool late = false;

	if (!vtime_deadline(clock, at, &deadline)) /* matters only if it has to wait */
		return take_now(s, EINVAL, sync_step(&op_try, s, 0));
	if (vtime_passed(deadline))
		return take_now(s, ETIMEDOUT, sync_step(&op_try, s, 0));
	do {
		if (!interrupt_begins(CALL_FAILS))
			step = sync_step_timed(&op_wait, &op_try, s, &late);
		end = interrupt_ends();
	} while (end == INTERRUPT_AGAIN);
	if (end)
		return EINTR;
	if (late)
		vtime_reach(deadline);
	else if (step != OBJECT_MISUSE)
		step = 1;
	return take_now(s, ETIMEDOUT, step);
}

int sem_give(sem_t *sem)
{
	u64 step = sync_step(&op_post, sem, 0);
	struct sem_layout *s = check_semaphore(sem, EV_SEM_POST);

	sync_check_step(step, EV_SEM_POST, s);
	if (step == 1)
		return EOVERFLOW;
	s->value++;
	sync_changed(s);
	sync_event(EV_SEM_POST, s, 0, s->value);
	return 0;
}

int sem_value(sem_t *sem, int *value)
{
	u64 step = sync_step(&op_value, sem, 0);
	struct sem_layout *s = check_semaphore(sem, EV_SEM_WAIT);

	sync_check_step(step, EV_SEM_WAIT, s);
	*value = (int)step;
	return 0;
}

int sem_end(sem_t *sem)
{
	u64 step = sync_step(&op_destroy, sem, 0);
	struct sem_layout *s = check_semaphore(sem, EV_DESTROY);

	sync_check_step(step, EV_DESTROY, s);
	sync_check_unused(EV_DESTROY, s, "destruction", "semaphore");
	s->state = DESTROYED;
	sync_changed(s);
	sync_event(EV_DESTROY, s, 0, 0);
	return 0;
}
