/* SPDX-License-Identifier: ISC */
/* barrier.c - see barrier.h. */
#include "sync/barrier.h"
#include "machine/core.h"
#include "machine/learnt.h"
#include "machine/wait/sync.h"
#include "object/barrier.h"
#include "process/bytes.h"

/* The beginning of glibc's struct pthread_barrier; the rest, behind `out', is padding there. */
struct barrier_layout {
	u32 in;	   /* threads that have arrived, ever; but see forget_rounds() */
	u32 round; /* of these, in rounds that are complete */
	u32 count; /* threads a round, 0 = not initialised, or destroyed; | life << LIFE */
	i32 shared;
	u32 out;
	u32 life : 16;	  /* a number of the initialisation, in graphs; see new_life() */
	u32 taken : 16;	  /* BARRIER_SERIAL: the last round with a serial thread */
	u64 users;	  /* the threads that have ever arrived, a bit each */
};
_Static_assert(sizeof(struct barrier_layout) <= sizeof(pthread_barrier_t), "not glibc's barrier");

#define LIFE	  16
#define COUNT_MAX 0xffffu /* maximum threads */
#define ROUNDS	  0xffffu /* with numbers of their own, from 1 on: more than a graph has */

static u32 waiting_count(const struct barrier_layout *b)
{
	return b->count & COUNT_MAX;
}

/* As object.h has it. */
static u64 barrier_state(const void *obj)
{
	const struct barrier_layout *b = obj;

	return barrier_pack(waiting_count(b), b->in - b->round, b->round);
}

/*
 * Where arrivals have no order, a round's serial thread is a state of its own, at `users`: the
 * argument of BARRIER_SERIAL. If the program looks at the result of one wait of a round, any of its
 * threads may be the serial one, those whose waits pass it over, too: such rounds are learned.
 */
static u64 serial_argument(u32 life, u32 round)
{
	return (u64)life << 32 | round;
}

static struct barrier_layout *of_serial(const void *users)
{
	return (struct barrier_layout *)((uintptr_t)users - offsetof(struct barrier_layout, users));
}

static u64 serial_state(const void *users)
{
	const struct barrier_layout *b = of_serial(users);

	return b->taken ? serial_argument(b->life, b->taken) : 0;
}

static void serial_keep(const void *users, u64 state)
{
	of_serial(users)->taken = state & 0xffff;
}

static bool leave_ready(const struct thread *t, const void *obj)
{
	return object_barrier_step(OBJECT_BARRIER_LEAVE, sync_argument(t), thread_id(t),
		barrier_state(obj)).ready;
}

/* Have more threads waited at it than it is for? */
static bool is_crowded(const void *barrier, u32 *users, u32 *room)
{
	const struct barrier_layout *b = barrier;

	*users = (u32)__builtin_popcountll(b->users);
	*room = waiting_count(b);
	return *users > *room;
}

SYNC_OP(op_arrive, EV_BARRIER, OBJECT_BARRIER_ARRIVE, barrier, barrier_state);
SYNC_OP(op_init, EV_INIT, OBJECT_INIT_BARRIER, barrier, barrier_state);
SYNC_OP(op_destroy, EV_DESTROY, OBJECT_BARRIER_DESTROY, barrier, barrier_state);
SYNC_KEPT(op_serial, EV_BARRIER_LEAVE, NULL, OBJECT_BARRIER_SERIAL, barrier, serial_state,
	serial_keep);
SYNC_CROWD(op_leave, EV_BARRIER_LEAVE, leave_ready, is_crowded, OBJECT_BARRIER_LEAVE, barrier,
	barrier_state);

/* The initialisations of this execution. */
static struct { const void *barrier; u32 thread; } begun[1024];
static PER_EXECUTION u32 nbegun;

/*
 * A number for an initialisation by the calling thread, a function of its own history only: the
 * label of an arrival contains it, and may depend on nothing but values read. Main's first one is
 * 0.
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
	struct barrier_layout *b = (struct barrier_layout *)barrier;
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
	struct barrier_layout *b = (struct barrier_layout *)barrier;

	b->users = 0;
	b->taken = 0;
	if (machine_exploring)
		b->count = (b->count < COUNT_MAX ? b->count : COUNT_MAX) | (u32)b->life << LIFE;
}

static void tell_crowded(struct barrier_layout *b, u32 count)
{
	static const char words[] = "more threads wait at a barrier than its count of %u";

	if (M.options->detect & DETECT_BARRIER)
		sync_misuse(EV_BARRIER, b, words, count);
	machine_unsupported(words, count);
}

/* Have more threads arrived so far than the barrier is for? Threads whose numbers exceed the bits
 * share one. */
static bool note_user(struct barrier_layout *b)
{
	u32 users, room;

	b->users |= 1ull << (thread_id(thread_self()) & 63);
	return is_crowded(b, &users, &room) && M.engine->schedules;
}

/* The first step of a wait: its result. life, count: of the initialisation that it reads. */
static u64 arrive_at_barrier(struct barrier_layout *b, u32 *life, u32 *count)
{
	u32 value = b->count;
	u64 step;

	if (M.engine->init_read) /* a late initialisation, or an early end, is a race */
		M.engine->init_read(&value, &b->count, sizeof value);
	*life = value >> LIFE;
	*count = value & COUNT_MAX;
	step = sync_step(&op_arrive, b, *count | (u64)*life << 32);
	if (step == OBJECT_MISUSE || !*count)
		sync_misuse(EV_BARRIER, b,
			"wait at a barrier that is not initialised or has been destroyed");
	if (note_user(b) || step == BARRIER_CROWDED)
		tell_crowded(b, *count);
	return step;
}

/* Is the calling thread the serial one of this round? asks: the program looks at the result. */
static u64 become_serial(struct barrier_layout *b, u32 life, u32 round, bool asks)
{
	u64 bit = 1ull << (round & 63);

	if (!M.engine->own_history) /* BARRIER_LAST is the result */
		return 0;
	if (asks)
		learnt_add(LEARNT_SERIAL_ROUNDS, bit);
	if (!(learnt_known(LEARNT_SERIAL_ROUNDS) & bit))
		return 0;
	return sync_step(&op_serial, &b->users, serial_argument(life, 1 + round % ROUNDS));
}

#define ROUNDS_KEPT 4

/*
 * All threads have arrived, and the round is complete. Strategy states: rounds are counted modulo a
 * few, or states of a barrier in a loop would never recur. A thread that has not left a round keeps
 * the one after the next from being complete.
 */
static void forget_rounds(struct barrier_layout *b, u32 count)
{
	if (M.options->strategy == STRATEGY_STATES && b->round >= ROUNDS_KEPT * count)
		b->in = b->round = 0;
}

int barrier_wait(pthread_barrier_t *barrier, bool asks)
{
	struct barrier_layout *b = (struct barrier_layout *)barrier;
	u32 life, round, count;
	u64 step = arrive_at_barrier(b, &life, &count), serial;

	round = b->round;
	b->in++;
	sync_event(EV_BARRIER, b, count, b->in - round);
	if (b->in - round == count) {
		b->round = b->in;
		forget_rounds(b, count);
		sync_changed(b);
	}
	if (step == BARRIER_LAST)
		return PTHREAD_BARRIER_SERIAL_THREAD;
	sync_step(&op_leave, b, count | (u64)round << 32);
	serial = become_serial(b, life, round / count, asks);
	sync_event(EV_BARRIER_LEAVE, b, 0, serial);
	return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int barrier_destroy(pthread_barrier_t *barrier)
{
	struct barrier_layout *b = (struct barrier_layout *)barrier;
	const u32 none = 0;
	bool exists = b->count;

	if (M.engine->own_history) /* arrivals that nothing orders before it race */
		M.engine->init_write(&b->count, &none, sizeof none);
	sync_step(&op_destroy, b, 0);
	if (!M.engine->own_history)
		exists = b->count;
	if (!exists)
		sync_misuse(EV_DESTROY, b,
			"destruction of a barrier that is not initialised or has been destroyed");
	if (b->in != b->round)
		sync_misuse(EV_DESTROY, b, "destruction of a barrier that %s at",
			b->in - b->round == 1 ? "a thread waits" : "threads wait");
	b->count = 0;
	sync_event(EV_DESTROY, b, 0, 0);
	return 0;
}
