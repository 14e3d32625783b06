/* SPDX-License-Identifier: ISC */
/* barrier.c - see barrier.h. */
#include "sync/barrier.h"
#include "machine/core.h"
#include "machine/sync.h"
#include "sync/waiter.h"

/* The beginning of glibc's struct pthread_barrier. */
struct layout {
	u32 in;	   /* threads that have arrived, ever */
	u32 round; /* of these, in rounds that are complete */
	u32 count; /* threads a round; 0 = not initialised, or destroyed */
	i32 shared;
	u32 out;
	u32 life;  /* ours: another one after each initialisation */
	u64 users; /* ours: the threads that have ever arrived, a bit each */
};
_Static_assert(sizeof(struct layout) <= sizeof(pthread_barrier_t), "not glibc's barrier");

static bool leave_ready(const struct thread *t, const void *obj)
{
	return waiter_of(t)->woken;
}

/* Have more threads waited at it than a round has? */
static bool is_crowded(const void *barrier, u32 *users, u32 *room)
{
	const struct layout *b = barrier;

	*users = (u32)__builtin_popcountll(b->users);
	*room = b->count;
	return *users > *room;
}

static const struct sync_op op_arrive = {EV_BARRIER, .object_op = OBJECT_ARRIVE};
static const struct sync_op op_leave = {
	EV_BARRIER_LEAVE, leave_ready, .object_op = OBJECT_LEAVE, .crowded = is_crowded};
/* No event of a graph: the destroying thread must be ordered after all other uses of it. */
static const struct sync_op op_destroy = {EV_DESTROY};

void barrier_init_begins(pthread_barrier_t *b, u32 count)
{
	if (!M.as_graph) {
		sync_init_begins(b, 0);
		if (machine_exploring)
			sync_check_unused(EV_INIT, b, "initialisation of a barrier");
	} else if (machine_exploring)
		machine_write(&((struct layout *)b)->count, &count, sizeof count);
}

void barrier_begin(pthread_barrier_t *b)
{
	struct layout *l = (struct layout *)b;

	l->users = 0; /* glibc's padding, as is the next */
	l->life = M.engine->history ? (u32)M.engine->history() : 0;
}

static const char unusable[] = "wait at a barrier that is not initialised or has been destroyed";

static const char too_many[] = "more threads wait at a barrier than its count of %u";

static void tell_crowded(struct layout *b)
{
	if (M.options->detect & DETECT_BARRIER)
		sync_misuse(EV_BARRIER, b, too_many, b->count);
}

/* Threads whose numbers are equal modulo 64 count as one. */
static bool note_user(struct layout *b)
{
	u32 users, room;

	b->users |= 1ull << (thread_id(thread_self()) & 63);
	return is_crowded(b, &users, &room);
}

/* The order of arrivals in the graph is open; it also knows if there are too many. */
static void arrive_in_graph(struct layout *b, u32 count)
{
	bool crowds = sync_step(&op_arrive, b, count | (u64)b->life << 32);

	crowds = (note_user(b) && M.engine->schedules) || crowds;
	if (!crowds)
		return;
	tell_crowded(b);
	machine_unsupported(too_many, count);
}

static int wait_in_graph(struct layout *b)
{
	struct waiter w;
	u32 count;

	/* A plain access, so that a late initialisation is a race. */
	machine_read(&count, &b->count, sizeof count);
	if (!count)
		sync_misuse(EV_BARRIER, b, "%s", unusable);
	arrive_in_graph(b, count);
	b->in++;
	sync_event(EV_BARRIER, b, b->count, b->in - b->round);
	waiter_begin(&w, b);
	if (b->in - b->round == b->count) {
		b->round = b->in;
		waiters_lowest(b)->serial = true;
		waiters_wake(b);
	}
	sync_step(&op_leave, b, b->count);
	waiter_end(&w);
	sync_event(EV_BARRIER_LEAVE, b, 0, w.serial);
	return w.serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int barrier_wait(pthread_barrier_t *barrier)
{
	struct layout *b = (struct layout *)barrier;
	struct waiter w;

	if (M.as_graph)
		return wait_in_graph(b);
	sync_arrive(&op_arrive, b);
	if (!b->count)
		sync_misuse(EV_BARRIER, b, "%s", unusable);
	if (note_user(b))
		tell_crowded(b);
	b->in++;
	sync_event(EV_BARRIER, b, b->count, b->in - b->round);
	if (b->in - b->round == b->count) {
		b->round = b->in;
		waiters_wake(b);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	waiter_begin(&w, b);
	sync_arrive(&op_leave, b);
	waiter_end(&w);
	sync_event(EV_BARRIER_LEAVE, b, 0, 0);
	return 0;
}

int barrier_destroy(pthread_barrier_t *barrier)
{
	struct layout *b = (struct layout *)barrier;

	if (!M.as_graph)
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
