/* SPDX-License-Identifier: ISC */
/* barrier.c - see barrier.h. */
#include "machine/barrier.h"
#include "machine/sync.h"
#include "machine/waiter.h"

#define ANY 0xffffffffu

/* The beginning of glibc's struct pthread_barrier. */
struct layout {
	u32 in;	   /* threads that have arrived, ever */
	u32 round; /* of these, in rounds that are complete */
	u32 count; /* threads a round; 0 = not initialised, or destroyed */
};
_Static_assert(sizeof(struct layout) <= sizeof(pthread_barrier_t), "not glibc's barrier");

static bool leave_ready(const struct thread *t, const void *obj)
{
	return waiter_of(t)->woken;
}

static const struct sync_op op_arrive = SYNC_ALWAYS(EV_BARRIER);
static const struct sync_op op_leave = {EV_BARRIER_LEAVE, leave_ready, NULL};
static const struct sync_op op_destroy = SYNC_ALWAYS(EV_DESTROY);

int barrier_wait(pthread_barrier_t *barrier)
{
	struct layout *b = (struct layout *)barrier;
	struct waiter w;

	sync_arrive(&op_arrive, b);
	if (!b->count)
		sync_misuse(EV_BARRIER, b,
			"wait at a barrier that is not initialised or has been destroyed");
	b->in++;
	sync_event(EV_BARRIER, b, b->count, b->in - b->round);
	if (b->in - b->round == b->count) {
		b->round = b->in;
		waiters_wake(b, ANY, UINT32_MAX);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	waiter_begin(&w, b, NULL, ANY);
	sync_arrive(&op_leave, b);
	waiter_end(&w);
	sync_event(EV_BARRIER_LEAVE, b, 0, 0);
	return 0;
}

int barrier_destroy(pthread_barrier_t *barrier)
{
	struct layout *b = (struct layout *)barrier;

	sync_arrive(&op_destroy, b);
	if (!b->count)
		sync_misuse(EV_DESTROY, b,
			"destroy of a barrier that is not initialised or has been destroyed");
	if (b->in != b->round)
		sync_misuse(EV_DESTROY, b, "destroy of a barrier that %u threads wait at",
			b->in - b->round);
	b->count = 0;
	sync_event(EV_DESTROY, b, 0, 0);
	return 0;
}
