/* SPDX-License-Identifier: ISC */
/* barrier.c - see barrier.h. */
#include "sync/barrier.h"
#include "machine/core.h"
#include "machine/sync.h"
#include "object/barrier.h"
#include "process/bytes.h"

/* The beginning of glibc's struct pthread_barrier; `life' and the next are padding there. */
struct layout {
	u32 in;	   /* threads that have arrived, ever */
	u32 round; /* of these, in rounds that are complete */
	u32 count; /* threads a round; 0 = not initialised, or destroyed */
	i32 shared;
	u32 out;
	u32 life : 31;	    /* another one after each initialisation */
	u32 was_last : 1;   /* who arrived last in the last round was its serial thread */
	u64 users;	    /* the threads that have ever arrived, a bit each */
};
_Static_assert(sizeof(struct layout) <= sizeof(pthread_barrier_t), "not glibc's barrier");

/* As object.h has it. Where arrivals have no order, the thread with the lowest number is the serial
 * thread: all use it in each round. */
static u64 barrier_state(const void *obj)
{
	const struct layout *b = obj;
	u32 serial = b->was_last || !b->users ? 0 : (u32)__builtin_ctzll(b->users) + 1;

	return barrier_pack(b->count, b->in - b->round, serial, b->round);
}

static bool leave_ready(const struct thread *t, const void *obj)
{
	return object_barrier_step(OBJECT_BARRIER_LEAVE, sync_argument(t), thread_id(t),
		barrier_state(obj)).ready;
}

/* Have more threads waited at it than it is for? */
static bool is_crowded(const void *barrier, u32 *users, u32 *room)
{
	const struct layout *b = barrier;

	*users = (u32)__builtin_popcountll(b->users);
	*room = b->count;
	return *users > *room;
}

SYNC_OP(op_arrive, EV_BARRIER, OBJECT_BARRIER_ARRIVE, barrier, barrier_state);
SYNC_OP(op_init, EV_INIT, OBJECT_INIT_BARRIER, barrier, barrier_state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_BARRIER_DESTROY, barrier, barrier_state);
SYNC_CROWD(op_leave, EV_BARRIER_LEAVE, leave_ready, is_crowded, OBJECT_BARRIER_LEAVE, barrier,
	barrier_state);

void barrier_init_begins(pthread_barrier_t *b, u32 count)
{
	sync_init_waited(&op_init, b, count, "barrier");
	if (machine_exploring && M.engine->init_write)
		M.engine->init_write(&((struct layout *)b)->count, &count, sizeof count);
}

static u16 begun[THREADS_MAX]; /* by thread; of this execution if any has begun */
static PER_EXECUTION bool any_begun;

/* An initialisation by the calling thread: a number that depends on nothing else. A label of a
 * thread that waits contains it. */
static u32 new_life(void)
{
	u32 id = thread_id(thread_self());

	if (!any_begun)
		bytes_fill(begun, 0, sizeof begun);
	any_begun = true;
	return (id << 16 | ++begun[id]) & 0x7fffffff;
}

void barrier_begin(pthread_barrier_t *b)
{
	struct layout *l = (struct layout *)b;

	l->users = 0;
	l->was_last = 0;
	l->life = M.engine->own_history ? new_life() : 0;
}

static void tell_crowded(struct layout *b, u32 count)
{
	static const char words[] = "more threads wait at a barrier than its count of %u";

	if (M.options->detect & DETECT_BARRIER)
		sync_misuse(EV_BARRIER, b, words, count);
	machine_unsupported(words, count);
}

/* A thread whose number is too large for the bits counts as one with another number. Is it one too
 * many, as far as threads have come? */
static bool note_user(struct layout *b)
{
	u32 users, room;

	b->users |= 1ull << (thread_id(thread_self()) & 63);
	return is_crowded(b, &users, &room) && M.engine->schedules;
}

/* The first step of a wait: its result. */
static u64 arrive_at_barrier(struct layout *b)
{
	u32 count = b->count;
	u64 step;

	if (M.engine->init_read) /* an initialisation that comes too late is a race */
		M.engine->init_read(&count, &b->count, sizeof count);
	step = sync_step(&op_arrive, b, count | (u64)b->life << 32);
	if (step == OBJECT_MISUSE)
		sync_misuse(EV_BARRIER, b,
			"wait at a barrier that is not initialised or has been destroyed");
	if (note_user(b) || step == BARRIER_CROWDED)
		tell_crowded(b, b->count);
	return step;
}

int barrier_wait(pthread_barrier_t *barrier)
{
	struct layout *b = (struct layout *)barrier;
	u64 step = arrive_at_barrier(b), serial;
	u32 round = b->round;

	b->in++;
	sync_event(EV_BARRIER, b, b->count, b->in - round);
	if (b->in - round == b->count) {
		b->round = b->in;
		b->was_last = step == BARRIER_LAST;
		sync_changed(b);
	}
	if (step == BARRIER_LAST)
		return PTHREAD_BARRIER_SERIAL_THREAD;
	serial = sync_step(&op_leave, b, b->count | (u64)round << 32);
	sync_event(EV_BARRIER_LEAVE, b, 0, serial);
	return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int barrier_destroy(pthread_barrier_t *barrier)
{
	struct layout *b = (struct layout *)barrier;

	sync_step(&op_destroy, b, 0);
	if (!b->count)
		sync_misuse(EV_DESTROY, b,
			"destruction of a barrier that is not initialised or has been destroyed");
	if (b->in != b->round)
		sync_misuse(EV_DESTROY, b, "destruction of a barrier that %u threads wait at",
			b->in - b->round);
	b->count = 0;
	sync_event(EV_DESTROY, b, 0, 0);
	return 0;
}
