/* SPDX-License-Identifier: ISC */
/*
 * waiters.c - threads that wait for a condition or a futex; see object.def.
 *
 * A signal wakes a thread that waits at that moment; which one is undetermined. To decide it at
 * the signal would need a choice that depends on the state; so a signal leaves a *token*, and the
 * first thread to take it (COND_WAKE) was meant. A thread may only take a token that is younger
 * than its own wait; among those it takes the oldest, which leaves the others the most. That is
 * exact: the threads woken are those of some choice at the signals, and no token is left without
 * a taker (Hall's condition on nested sets; tests/unit/t_object.c compares with choosing at the
 * signal).
 *
 * When there are as many tokens as waiters, no choice is left and no thread waits any longer. To
 * notice that is only a read: n threads woken by a broadcast are one execution, not n!.
 *
 * State: 4 bits a thread (0: does not wait; else it may not take the first so many minus 1 of the
 * tokens), 8 bits of the mutex that all who wait have to have used (object_tag), the number of
 * tokens in the last 4. There are always fewer tokens than waiters; without waiters all is 0.
 */
#include "object/step.h"

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
		return step_reads(1);
	return step_writes(waiters(rest) == tokens(rest) ? 0 : rest, 0);
}

static struct object_step wake(u32 thread, u64 state)
{
	if (!field(state, thread))
		return step_reads(0);
	if (tokens(state) >= field(state, thread))
		return step_writes(took_token(state, thread), 0);
	return step_waits();
}

/* n more are woken: their number is the result. */
static struct object_step signal(u64 n, u64 state)
{
	u64 asleep = waiters(state) - tokens(state);

	if (n >= asleep)
		return asleep ? step_writes(0, asleep) : step_reads(0);
	return step_writes(state + (n << TOKENS), n);
}

OBJECT_STEP(cond)
{
	struct object_step s;

	if (state == OBJECT_DESTROYED)
		return op == OBJECT_INIT_COND ? step_writes(argument, 0)
					      : step_reads(OBJECT_MISUSE);
	switch (op) {
	case OBJECT_COND_WAIT:
		if (state && (state >> TAG & 0xff) != argument)
			return step_reads(OBJECT_MISUSE);
		return step_writes(joined(state, thread) | argument << TAG, 0);
	case OBJECT_COND_WAKE:
		return wake(thread, state);
	case OBJECT_INIT_COND:
		return step_writes(argument, waiters(state) - tokens(state));
	case OBJECT_COND_DESTROY:
		return waiters(state) ? step_reads(OBJECT_MISUSE)
				      : step_writes(OBJECT_DESTROYED, 0);
	default:
		s = signal(op == OBJECT_COND_SIGNAL ? 1 : UINT64_MAX, state);
		s.result = 0;
		return s;
	}
}

/* To join and to wake are ordered by the kernel's lock, so that a thread that joins too late to be
 * woken reads what the waker has written. */
OBJECT_STEP(futex)
{
	struct object_step s;

	if (state == OBJECT_DESTROYED)
		return step_reads(OBJECT_MISUSE);
	switch (op) {
	case OBJECT_FUTEX_JOIN:
		return step_acquires(joined(state, thread), 0);
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
