/* SPDX-License-Identifier: ISC */
/*
 * record.c - the flight recorder: an event in the ring of its thread.
 *
 * The pass inserts accesses; here are calls, and the rings. Nothing is shared but the list of
 * rings, which changes when a thread makes its first event, and when it ends. A signal handler may
 * make events within an event: the place in the ring is taken first.
 */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "arch/arch.h"
#include "flight/record.h"

FLIGHT_SHOWN struct flight_box heddle_flight __attribute__((aligned(FLIGHT_PAGE)));

__thread char *__heddle_flight_at;
static __thread struct flight_owner *owner;

/* Of threads without a ring of their own. */
static struct flight_ring scrap __attribute__((aligned(FLIGHT_PAGE)));

static pthread_key_t key = (pthread_key_t)-1; /* none */

/* --- rings ----------------------------------------------------------------------------------- */

static struct {
	char taken;
	struct flight_owner *first, **last; /* threads that have ended, oldest first */
	uint32_t n;
} ended;

#define KEPT 64 /* rings of threads that have ended, while there are others */

static void list_lock(void)
{
	while (__atomic_test_and_set(&ended.taken, __ATOMIC_ACQUIRE))
		arch_pause();
}

static void list_unlock(void)
{
	__atomic_clear(&ended.taken, __ATOMIC_RELEASE);
}

static struct flight_owner *take_ring(void)
{
	bool fresh = heddle_flight.threads < FLIGHT_THREADS;
	struct flight_owner *o = ended.first;

	if (fresh && ended.n < KEPT)
		return &heddle_flight.owner[heddle_flight.threads++];
	if (!o)
		return NULL;
	ended.first = o->next;
	ended.n--;
	return o;
}

static struct flight_ring *ring_of(const struct flight_owner *o)
{
	return &heddle_flight.ring[o - heddle_flight.owner];
}

/* The destructor of the key: later events of the thread, by other destructors, are not kept. */
static void end_ring(void *of)
{
	struct flight_owner *o = of;

	__heddle_flight_at = (char *)&scrap;
	owner = NULL;
	o->state = FLIGHT_ENDED;
	o->next = NULL;
	list_lock();
	if (ended.first)
		*ended.last = o;
	else
		ended.first = o;
	ended.last = &o->next;
	ended.n++;
	list_unlock();
}

static char *begin_chunk(struct flight_chunk *c, uint64_t number)
{
	for (int i = 0; i < FLIGHT_EVENTS; i++)
		c->event[i].place = 0;
	c->time = FLIGHT_TIME(arch_cycles());
	c->number = number;
	return (char *)c->event;
}

static char *begin_ring(void)
{
	struct flight_owner *o;

	list_lock();
	o = take_ring();
	heddle_flight.lost += !o;
	list_unlock();
	if (!o)
		return begin_chunk(&scrap.chunk[0], 0);
	memset(ring_of(o), 0, sizeof(scrap));
	o->state = FLIGHT_RUNS;
	o->tid = (uint32_t)syscall(SYS_gettid);
	o->thread = (uint64_t)pthread_self();
	pthread_setspecific(key, o);
	owner = o;
	flight_note_libraries();
	return begin_chunk(&ring_of(o)->chunk[1], 1);
}

/* The first event of a thread, also of that of a child process. */
static char *begin_thread(void)
{
	int saved = errno;
	char *at;

	__heddle_flight_at = begin_chunk(&scrap.chunk[0], 0); /* a signal handler's */
	flight_map_file();
	at = owner ? owner->at : begin_ring();
	errno = saved;
	return at;
}

char *__heddle_flight_chunk(char *at)
{
	struct flight_chunk *last = (void *)(at - FLIGHT_CHUNK);
	struct flight_ring *ring = (void *)((uint64_t)last / FLIGHT_PAGE * FLIGHT_PAGE);
	uint64_t number;

	if (!at)
		return begin_thread();
	if (!owner)
		return begin_chunk(&scrap.chunk[0], 0);
	number = last->number + 1;
	return begin_chunk(&ring->chunk[number % FLIGHT_CHUNKS], number);
}

/* In the child of fork() there is one thread. */
static void begin_flight_child(void)
{
	memset(&ended, 0, sizeof(ended)); /* another thread may have held the lock */
	for (uint32_t i = 0; i < heddle_flight.threads; i++)
		if (heddle_flight.owner[i].state == FLIGHT_RUNS)
			heddle_flight.owner[i].state = FLIGHT_ENDED;
	if (owner) {
		owner->state = FLIGHT_RUNS;
		owner->at = __heddle_flight_at;
		__heddle_flight_at = NULL;
	}
	flight_leave_file(owner);
	heddle_flight.pid = (uint32_t)getpid();
	if (owner)
		owner->tid = heddle_flight.pid;
}

__attribute__((constructor(101))) static void begin_recorder(void)
{
	heddle_flight.self = (uint64_t)&heddle_flight;
	heddle_flight.version = FLIGHT_VERSION;
	heddle_flight.pid = (uint32_t)getpid();
	heddle_flight.size = sizeof(heddle_flight);
	heddle_flight.magic[0] = FLIGHT_MAGIC;
	heddle_flight.magic[1] = FLIGHT_MAGIC_2;
	pthread_key_create(&key, end_ring);
	flight_begin_file();
	pthread_atfork(NULL, NULL, begin_flight_child);
}

/* --- calls ----------------------------------------------------------------------------------- */

#define PLACE(kind) \
	((uint64_t)__builtin_return_address(0) | (uint64_t)(kind) << FLIGHT_ADDRESS_BITS)

static inline __attribute__((always_inline)) struct flight_event *add_call(
	uint64_t place, uint64_t object, uint64_t value)
{
	char *at = __heddle_flight_at;
	struct flight_event *e;

	if (__builtin_expect(!((uint64_t)at % FLIGHT_CHUNK), 0))
		at = __heddle_flight_chunk(at);
	__heddle_flight_at = at + sizeof(*e);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	e = (struct flight_event *)at;
	e->object = object;
	e->value = value;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	e->place = place;
	return e;
}

#define NOW(result) \
	(FLIGHT_TIME(arch_cycles()) << FLIGHT_RESULT_BITS | (uint8_t)(result))

void flight_note_fault(uint64_t code, uint64_t address, int signal)
{
	add_call((code + 1) | (uint64_t)FLIGHT_FAULT << FLIGHT_ADDRESS_BITS,
		address & ((1ull << FLIGHT_ADDRESS_BITS) - 1), NOW(signal));
}

/* Other events of the thread may have taken the place: of a handler, or of pthread_once(). */
#define BODY_WAIT(ret, name, args, obj, after) \
	struct flight_event *e = add_call(PLACE(FLIGHT_##name), (uint64_t)(obj), FLIGHT_PENDING); \
	ret result = name args; \
\
	if (e->place == PLACE(FLIGHT_##name)) \
		e->value = after; \
	return result
/* To read the clock takes as long as to take a lock that is free. So it is read for one of about
 * four, and for those whose first word says that they are not free. */
#define CALL_LOCK(ret, name, args, obj) \
	struct flight_event *e = add_call(PLACE(FLIGHT_##name), (uint64_t)(obj), FLIGHT_PENDING); \
	bool timed = *(volatile int *)(obj) || ((uint64_t)e & 0xc0) == 0x40; \
	ret result = name args; \
\
	e->value = __builtin_expect(timed, 0) ? NOW(result) : (uint8_t)result; \
	return result
#define CALL_WAIT(ret, name, args, obj)	 BODY_WAIT(ret, name, args, obj, NOW(result))
#define CALL_START(ret, name, args, obj) BODY_WAIT(ret, name, args, obj, result ? 0 : (uint64_t)*t)
#define CALL_LEAVE(ret, name, args, obj) \
	add_call(PLACE(FLIGHT_##name), (uint64_t)(obj), 0); \
	return name args
#define CALL_END(ret, name, args, obj) \
	if (obj) \
		add_call(PLACE(FLIGHT_##name), (uint32_t)(obj), NOW(0)); \
	name args
#define CALL_GIVE(ret, name, args, obj) \
	add_call(PLACE(FLIGHT_##name), (uint64_t)(obj), NOW(0)); \
	return name args

#define CALL(how, ret, name, params, args, object) \
	FLIGHT_SHOWN ret __heddle_flight_##name params; \
	ret __heddle_flight_##name params \
	{ \
		CALL_##how(ret, name, args, object); \
	}
#include "flight/calls.def"
#undef CALL

/* --- syscall() ------------------------------------------------------------------------------- */

#define SYSCALL_ARGUMENTS 6

/* Of the operations on a futex, those of which others may go on in consequence. */
static bool futex_wakes(int operation)
{
	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_UNLOCK_PI: return true;
	default: return false;
	}
}

FLIGHT_SHOWN long __heddle_flight_syscall(long number, ...);
long __heddle_flight_syscall(long number, ...)
{
	long a[SYSCALL_ARGUMENTS], result;
	struct flight_event *e;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < SYSCALL_ARGUMENTS; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number != SYS_futex)
		return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (futex_wakes((int)a[1])) {
		add_call(PLACE(FLIGHT_futex_wake), (uint64_t)a[0], NOW(0));
		return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
	e = add_call(PLACE(FLIGHT_futex_wait), (uint64_t)a[0], FLIGHT_PENDING);
	result = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (e->place == PLACE(FLIGHT_futex_wait))
		e->value = NOW(result);
	return result;
}
