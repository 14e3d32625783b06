/* SPDX-License-Identifier: ISC */
/* barrier.c - see barrier.h. */
#include "sync/barrier.h"
#include "machine/core.h"
#include "machine/sync.h"
#include "object/barrier.h"
#include "process/bytes.h"

/* The beginning of glibc's struct pthread_barrier; what follows `out' is padding there. */
struct layout {
	u32 in;	   /* threads that have arrived, ever */
	u32 round; /* of these, in rounds that are complete */
	u32 count; /* threads a round, 0 = not initialised, or destroyed; | life << LIFE */
	i32 shared;
	u32 out;
	u32 life : 16;	  /* a number of the initialisation, in graphs; see new_life() */
	u32 was_last : 1; /* who arrived last in the last round was its serial thread */
	u64 users;	  /* the threads that have ever arrived, a bit each */
};
_Static_assert(sizeof(struct layout) <= sizeof(pthread_barrier_t), "not glibc's barrier");

#define LIFE	  16
#define COUNT_MAX 0xffffu /* threads: more never meet */

static u32 count_of(const struct layout *b)
{
	return b->count & COUNT_MAX;
}

/* As object.h has it. Where arrivals have no order, the thread with the lowest number is the serial
 * thread: all use it in each round. */
static u64 barrier_state(const void *obj)
{
	const struct layout *b = obj;
	u32 serial = b->was_last || !b->users ? 0 : (u32)__builtin_ctzll(b->users) + 1;

	return barrier_pack(count_of(b), b->in - b->round, serial, b->round);
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
	*room = count_of(b);
	return *users > *room;
}

SYNC_OP(op_arrive, EV_BARRIER, OBJECT_BARRIER_ARRIVE, barrier, barrier_state);
SYNC_OP(op_init, EV_INIT, OBJECT_INIT_BARRIER, barrier, barrier_state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_BARRIER_DESTROY, barrier, barrier_state);
SYNC_CROWD(op_leave, EV_BARRIER_LEAVE, leave_ready, is_crowded, OBJECT_BARRIER_LEAVE, barrier,
	barrier_state);

/* The initialisations of this execution. */
static struct { const void *barrier; u32 thread; } begun[1024];
static PER_EXECUTION u32 nbegun;

/*
 * A number of an initialisation by the calling thread, that only its own past determines: the label
 * of an arrival contains it, which may depend on nothing but values read. Main's first one is 0.
 */
static u32 new_life(const pthread_barrier_t *b)
{
	u32 id = thread_id(thread_self()), n = 0;

	for (u32 i = 0; i < nbegun; i++)
		n += begun[i].barrier == b && begun[i].thread == id;
	if (nbegun == array_size(begun))
		machine_refuse("limit: more than %u initialisations of barriers", nbegun);
	begun[nbegun].barrier = b;
	begun[nbegun++].thread = id;
	return (id | n << 9) & 0xffff;
}

void barrier_init_begins(pthread_barrier_t *barrier, u32 count)
{
	struct layout *b = (struct layout *)barrier;
	u32 value = count < COUNT_MAX ? count : COUNT_MAX;

	sync_init_waited(&op_init, b, count, "barrier");
	b->life = 0;
	if (!machine_exploring || !M.engine->init_write)
		return;
	b->life = M.engine->own_history ? new_life(barrier) : 0;
	value |= (u32)b->life << LIFE;
	M.engine->init_write(&b->count, &value, sizeof value);
}

void barrier_begin(pthread_barrier_t *barrier)
{
	struct layout *b = (struct layout *)barrier;

	b->users = 0;
	b->was_last = 0;
	if (machine_exploring)
		b->count = (b->count < COUNT_MAX ? b->count : COUNT_MAX) | (u32)b->life << LIFE;
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
	step = sync_step(&op_arrive, b, (count & COUNT_MAX) | (u64)(count >> LIFE) << 32);
	if (step == OBJECT_MISUSE)
		sync_misuse(EV_BARRIER, b,
			"wait at a barrier that is not initialised or has been destroyed");
	if (note_user(b) || step == BARRIER_CROWDED)
		tell_crowded(b, count_of(b));
	return step;
}

int barrier_wait(pthread_barrier_t *barrier)
{
	struct layout *b = (struct layout *)barrier;
	u64 step = arrive_at_barrier(b), serial;
	u32 round = b->round;

	b->in++;
	sync_event(EV_BARRIER, b, count_of(b), b->in - round);
	if (b->in - round == count_of(b)) {
		b->round = b->in;
		b->was_last = step == BARRIER_LAST;
		sync_changed(b);
	}
	if (step == BARRIER_LAST)
		return PTHREAD_BARRIER_SERIAL_THREAD;
	serial = sync_step(&op_leave, b, count_of(b) | (u64)round << 32);
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
