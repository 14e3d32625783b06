/* SPDX-License-Identifier: ISC */
/*
 * object.c - see object.h.
 *
 * Conditions and futexes. A signal wakes a thread that waits at that moment; which one is
 * undetermined. To decide it at the signal would need a choice that depends on the state; so a
 * signal leaves a *token*, and who comes first to take it (COND_WAKE) was meant. A thread may only
 * take a token that is younger than its own wait; among those it takes the oldest, which leaves the
 * others the most. That is exact: the threads woken are those of some choice at the signals, and no
 * token is left without a taker (Hall's condition on nested sets; tests/unit/t_object.c compares
 * with choosing at the signal).
 *
 * As soon as there are as many tokens as waiters nothing is open any more: nobody waits any
 * longer. To take notice of that is only a read: n threads woken by a broadcast are one execution,
 * not n!.
 *
 * State: 4 bits a thread (0: does not wait; else it may not take the first so many minus 1 of the
 * tokens), 8 bits of the mutex that all who wait have to have used (object_tag), the number of
 * tokens in the last 4. There are always fewer tokens than waiters; without waiters all is 0.
 */
#include "model/object.h"

#define SEM_MAX 0x7fffffffu /* SEM_VALUE_MAX */

enum { ONCE_NEW, ONCE_RUNNING, ONCE_DONE };

static struct object_step waits(void)
{
	return (struct object_step){.ready = false};
}

static struct object_step reads(u64 result)
{
	return (struct object_step){.ready = true, .result = result};
}

static struct object_step writes(u64 next, u64 result)
{
	return (struct object_step){.ready = true, .writes = true, .next = next, .result = result};
}

static struct object_step acquires(u64 next, u64 result)
{
	struct object_step s = writes(next, result);

	s.acquire = true;
	return s;
}

static struct object_step ordered(u64 argument, u64 state)
{
	struct object_step s = writes(argument, state);

	s.acquire = s.release = true;
	return s;
}

static struct object_step releases(u64 next)
{
	struct object_step s = writes(next, 0);

	s.release = true;
	return s;
}

/* --- mutexes --------------------------------------------------------------------------------- */

static struct object_step mutex_step(enum object_op op, u64 argument, u32 thread, u64 state)
{
	u64 self = thread + 1;

	if (op == OBJECT_UNLOCK)
		return state == self || state == OBJECT_SOMEBODY ? releases(argument)
								 : reads(OBJECT_MISUSE);
	if (state == OBJECT_GONE)
		return reads(OBJECT_NOT_RECOVERABLE);
	if (!state || state == OBJECT_DEAD)
		return acquires(self, state ? OBJECT_OWNER_DEAD : op == OBJECT_TRYLOCK);
	return op == OBJECT_TRYLOCK ? reads(0) : waits();
}

/* --- read-write locks ------------------------------------------------------------------------ */

#define WRITER	  0xffffull
#define READER	  (1ull << 16)
#define READERS	  (0xffffull << 16)
#define ANNOUNCED (1ull << 32)

static struct object_step rwlock_read(bool tries, u64 state)
{
	bool writers_first = state >= ANNOUNCED && state & READERS;

	if (!(state & WRITER) && !writers_first)
		return acquires(state + READER, tries);
	return tries ? reads(0) : waits();
}

static struct object_step rwlock_write(bool tries, bool announced, u32 thread, u64 state)
{
	u64 rest = state - (announced ? ANNOUNCED : 0);

	if (!(state & (WRITER | READERS)))
		return acquires(rest | (thread + 1), tries);
	if (!tries)
		return waits();
	return announced ? writes(rest, 0) : reads(0);
}

static struct object_step rwlock_unlock(u32 thread, u64 state)
{
	u64 writer = state & WRITER;

	if (writer)
		return writer == thread + 1 || writer == OBJECT_SOMEBODY
			? releases(state & ~WRITER) : reads(OBJECT_MISUSE);
	return state & READERS ? releases(state - READER) : reads(OBJECT_MISUSE);
}

static struct object_step rwlock_step(enum object_op op, u32 thread, u64 state)
{
	switch (op) {
	case OBJECT_RDLOCK:
	case OBJECT_TRYRDLOCK:
		return rwlock_read(op == OBJECT_TRYRDLOCK, state);
	case OBJECT_WRLOCK:
	case OBJECT_TRYWRLOCK:
		return rwlock_write(op == OBJECT_TRYWRLOCK, false, thread, state);
	case OBJECT_ANNOUNCE:
		return writes(state + ANNOUNCED, 0);
	case OBJECT_ANNOUNCED_WRLOCK:
	case OBJECT_ANNOUNCED_TRYWRLOCK:
		return rwlock_write(op == OBJECT_ANNOUNCED_TRYWRLOCK, true, thread, state);
	default:
		return rwlock_unlock(thread, state);
	}
}

/* --- semaphores, once ------------------------------------------------------------------------ */

static struct object_step sem_step(enum object_op op, u64 state)
{
	switch (op) {
	case OBJECT_SEM_POST:
		return state < SEM_MAX ? releases(state + 1) : reads(1);
	case OBJECT_SEM_VALUE:
		return reads(state);
	default:
		if (state)
			return acquires(state - 1, op == OBJECT_SEM_TRYWAIT);
		return op == OBJECT_SEM_TRYWAIT ? reads(0) : waits();
	}
}

static struct object_step once_step(enum object_op op, u64 state)
{
	struct object_step s;

	if (op == OBJECT_ONCE_DONE)
		return releases(ONCE_DONE);
	if (state == ONCE_NEW)
		return acquires(ONCE_RUNNING, 1);
	s = state == ONCE_DONE ? reads(0) : waits();
	s.acquire = s.ready;
	return s;
}

/* --- conditions and futexes ------------------------------------------------------------------ */

#define TOKENS 60 /* where their number begins */
#define TAG    (4 * OBJECT_WAITERS)

_Static_assert(TAG + 8 <= TOKENS, "threads, mutex, tokens");

static u32 field(u64 state, u32 thread)
{
	return (u32)(state >> (4 * thread)) & 15;
}

static u64 with(u64 state, u32 thread, u32 value)
{
	return (state & ~(15ull << (4 * thread))) | (u64)value << (4 * thread);
}

static u32 tokens(u64 state)
{
	return (u32)(state >> TOKENS);
}

static u32 waiters(u64 state)
{
	u32 n = 0;

	for (u32 t = 0; t < OBJECT_WAITERS; t++)
		n += field(state, t) != 0;
	return n;
}

static u64 joined(u64 state, u32 thread)
{
	return with(state, thread, tokens(state) + 1);
}

/* Without the thread and the oldest token that it may take. */
static u64 took_token(u64 state, u32 thread)
{
	u32 mine = field(state, thread);

	state = with(state, thread, 0) - (1ull << TOKENS);
	for (u32 t = 0; t < OBJECT_WAITERS; t++)
		if (field(state, t) > mine)
			state = with(state, t, field(state, t) - 1);
	return state;
}

/* Can every token be taken? The first k only by those who may take one of the first k. */
static bool tokens_have_takers(u64 state)
{
	for (u32 k = 1; k <= tokens(state); k++) {
		u32 takers = 0;

		for (u32 t = 0; t < OBJECT_WAITERS; t++)
			takers += field(state, t) && field(state, t) <= k;
		if (takers < k)
			return false;
	}
	return true;
}

static struct object_step leave(u32 thread, u64 state)
{
	u64 rest = with(state, thread, 0);

	if (!field(state, thread) || !tokens_have_takers(rest))
		return reads(1);
	return writes(waiters(rest) == tokens(rest) ? 0 : rest, 0);
}

static struct object_step wake(u32 thread, u64 state)
{
	if (!field(state, thread))
		return reads(0);
	if (tokens(state) >= field(state, thread))
		return writes(took_token(state, thread), 0);
	return waits();
}

/* n more are woken: their number is the result. */
static struct object_step signal(u64 n, u64 state)
{
	u64 asleep = waiters(state) - tokens(state);

	if (n >= asleep)
		return asleep ? writes(0, asleep) : reads(0);
	return writes(state + (n << TOKENS), n);
}

static struct object_step cond_step(enum object_op op, u64 tag, u32 thread, u64 state)
{
	struct object_step s;

	switch (op) {
	case OBJECT_COND_WAIT:
		if (state && (state >> TAG & 0xff) != tag)
			return reads(OBJECT_MISUSE);
		return writes(joined(state, thread) | tag << TAG, 0);
	case OBJECT_COND_WAKE:
		return wake(thread, state);
	default:
		s = signal(op == OBJECT_COND_SIGNAL ? 1 : UINT64_MAX, state);
		s.result = 0;
		return s;
	}
}

/* To join and to wake are ordered by the kernel's lock, so that a thread that joins too late to be
 * woken reads what the waker has written. */
static struct object_step futex_step(enum object_op op, u64 argument, u32 thread, u64 state)
{
	struct object_step s;

	switch (op) {
	case OBJECT_FUTEX_JOIN:
		return acquires(joined(state, thread), 0);
	case OBJECT_FUTEX_LEAVE:
		return leave(thread, state);
	case OBJECT_FUTEX_SLEEP:
		s = wake(thread, state);
		s.acquire = s.ready;
		return s;
	default:
		/* Also without sleepers it is a write: who joins afterwards has to see what was
		 * written before. */
		s = signal(argument, state);
		if (!s.writes)
			s.next = state;
		s.writes = s.release = true;
		return s;
	}
}

/* --- all ------------------------------------------------------------------------------------- */

static struct object_step destroy(enum object_op op, u64 state)
{
	if (op == OBJECT_DESTROY && state & ~(OBJECT_DEAD | OBJECT_GONE))
		return reads(OBJECT_MISUSE);
	if (op == OBJECT_COND_DESTROY && waiters(state))
		return reads(OBJECT_MISUSE);
	return writes(OBJECT_DESTROYED, 0);
}

struct object_step object_step(enum object_op op, u64 argument, u32 thread, u64 state)
{
	if (op == OBJECT_INIT)
		return writes(argument, 0);
	if (op == OBJECT_INIT_LOCK)
		return writes(argument,
			state != OBJECT_DESTROYED && state & ~(OBJECT_DEAD | OBJECT_GONE));
	if (op == OBJECT_INIT_COND)
		return writes(
			argument, state == OBJECT_DESTROYED ? 0 : waiters(state) - tokens(state));
	if (op == OBJECT_ORDERED)
		return ordered(argument, state);
	if (state == OBJECT_DESTROYED)
		return reads(OBJECT_MISUSE);
	if (op <= OBJECT_UNLOCK)
		return mutex_step(op, argument, thread, state);
	if (op <= OBJECT_RWUNLOCK)
		return rwlock_step(op, thread, state);
	if (op <= OBJECT_SEM_VALUE)
		return sem_step(op, state);
	if (op <= OBJECT_ONCE_DONE)
		return once_step(op, state);
	if (op <= OBJECT_COND_BROADCAST)
		return cond_step(op, argument, thread, state);
	if (op <= OBJECT_FUTEX_WAKE)
		return futex_step(op, argument, thread, state);
	return destroy(op, state);
}

static const char *const names[] = {
	[OBJECT_NONE] = "none",
	[OBJECT_LOCK] = "lock",
	[OBJECT_TRYLOCK] = "trylock",
	[OBJECT_UNLOCK] = "unlock",
	[OBJECT_RDLOCK] = "rdlock",
	[OBJECT_TRYRDLOCK] = "tryrdlock",
	[OBJECT_WRLOCK] = "wrlock",
	[OBJECT_TRYWRLOCK] = "trywrlock",
	[OBJECT_ANNOUNCE] = "announce-writer",
	[OBJECT_ANNOUNCED_WRLOCK] = "announced-wrlock",
	[OBJECT_ANNOUNCED_TRYWRLOCK] = "announced-trywrlock",
	[OBJECT_RWUNLOCK] = "rwunlock",
	[OBJECT_SEM_WAIT] = "sem-wait",
	[OBJECT_SEM_TRYWAIT] = "sem-trywait",
	[OBJECT_SEM_POST] = "sem-post",
	[OBJECT_SEM_VALUE] = "sem-value",
	[OBJECT_ONCE_ENTER] = "once-enter",
	[OBJECT_ONCE_DONE] = "once-done",
	[OBJECT_COND_WAIT] = "cond-wait",
	[OBJECT_COND_WAKE] = "cond-wake",
	[OBJECT_COND_SIGNAL] = "cond-signal",
	[OBJECT_COND_BROADCAST] = "cond-broadcast",
	[OBJECT_FUTEX_JOIN] = "futex-join",
	[OBJECT_FUTEX_LEAVE] = "futex-leave",
	[OBJECT_FUTEX_SLEEP] = "futex-sleep",
	[OBJECT_FUTEX_WAKE] = "futex-wake",
	[OBJECT_INIT] = "init",
	[OBJECT_INIT_LOCK] = "init-lock",
	[OBJECT_INIT_COND] = "init-condition",
	[OBJECT_DESTROY] = "destroy",
	[OBJECT_SEM_DESTROY] = "sem-destroy",
	[OBJECT_COND_DESTROY] = "cond-destroy",
	[OBJECT_ORDERED] = "ordered",
	[OBJECT_ARRIVE] = "barrier-arrive",
	[OBJECT_LEAVE] = "barrier-leave",
};

const char *object_op_name(enum object_op op)
{
	return op <= OBJECT_LEAVE ? names[op] : "unknown";
}
