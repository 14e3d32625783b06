/* SPDX-License-Identifier: ISC */
/*
 * waiters.c - threads that wait for a condition or a futex; see object.def.
 *
 * A signal wakes any one of the threads that wait at that moment. Deciding this at the signal would
 * need a choice that depends on the state; so a signal leaves a *token*, and the first thread that
 * takes it (COND_WAKE) is the one woken. A thread may only take a token that is younger than its
 * own wait; among those it takes the oldest, which leaves the most to the others. This is exact:
 * the threads woken are those of some choice at the signals, and no token is left over (Hall's
 * condition on nested sets; tests/unit/t_object.c compares with choosing at the signal).
 *
 * When there are as many tokens as waiters, no choice is left and no thread waits any longer.
 * Waking is then only a read: n threads woken by a broadcast are one execution, not n!.
 *
 * A waiter of a futex waits for some of 32 bits, and a wake-up is for some; usually for all. If
 * some of the waiters, but not all, wait for the bits of a wake-up, a token is not enough: the
 * caller has to choose (OBJECT_CHOOSE), and removes the chosen ones (FUTEX_LEAVE).
 *
 * State: 4 bits a thread (0: does not wait; else it may not take the first so many minus 1 of the
 * tokens), 8 bits for the mutex that all waiters must have used, as words between it and the
 * condition, the number of tokens in the last 4. There are always fewer tokens than waiters;
 * without waiters the state is 0. A state without room there, such as one with a mutex far from its
 * condition, is a number of the state table.
 */
#include "object/waiters.h"
#include "object/state_table.h"

#define TOKENS WAITERS_TOKENS
#define MUTEX  (4 * WAITERS_SMALL)
#define FIELD  WAITERS_FIELD

_Static_assert(MUTEX + 8 <= TOKENS, "threads, mutex, tokens");

struct waiters {
	u16 n, tokens;
	u32 reserved;
	u64 mutex; /* its address minus that of the condition; 0: none */
	struct waiter {
		u16 thread, after; /* may not take the first `after' - 1 tokens */
		u32 bits;
	} waiter[WAITERS_MAX]; /* by thread */
};

/* Not on the stack, where remains of a step would be part of a spinning thread's state. */
static struct waiters now;

static void unpack_small(struct waiters *w, u64 state)
{
	u64 fields = state & ((1ull << MUTEX) - 1);

	w->n = 0;
	w->tokens = (u16)(state >> TOKENS);
	w->mutex = (u64)((i64)(signed char)(state >> MUTEX) * 8);
	while (fields) {
		u32 t = (u32)__builtin_ctzll(fields) / 4;

		w->waiter[w->n++] = (struct waiter){
			(u16)t, (u16)(fields >> (4 * t) & FIELD), WAITERS_ANY};
		fields &= ~((u64)FIELD << (4 * t));
	}
}

/* False: there is no such state. */
static bool unpack(struct waiters *w, u64 state)
{
	const struct waiters *kept;
	u32 size;

	if (likely(!state_is_number(state))) {
		unpack_small(w, state);
		return state != OBJECT_DESTROYED;
	}
	kept = state_of(state, &size);
	if (!kept || size > sizeof *w || size != offsetof(struct waiters, waiter[kept->n]))
		return false;
	__builtin_memcpy(w, kept, size);
	return true;
}

static u64 pack(const struct waiters *w)
{
	u64 words = w->mutex / 8 & 0xff;
	u64 state = (u64)w->tokens << TOKENS | words << MUTEX;
	bool small = w->tokens < FIELD && w->mutex == (u64)((i64)(signed char)words * 8);

	if (w->tokens == w->n)
		return 0;
	for (u32 i = 0; i < w->n; i++) {
		const struct waiter *x = &w->waiter[i];

		small = small && x->thread < WAITERS_SMALL && x->after <= FIELD &&
			x->bits == WAITERS_ANY;
		if (small)
			state |= (u64)x->after << (4 * x->thread);
	}
	return small ? state : state_intern(w, offsetof(struct waiters, waiter[w->n]));
}

/* The index of the thread, or where it would be inserted. */
static u32 waiter_place(const struct waiters *w, u32 thread)
{
	u32 i = 0;

	while (i < w->n && w->waiter[i].thread < thread)
		i++;
	return i;
}

static struct waiter *find_waiter(struct waiters *w, u32 thread)
{
	u32 i = waiter_place(w, thread);

	return i < w->n && w->waiter[i].thread == thread ? &w->waiter[i] : NULL;
}

static u64 joined(struct waiters *w, u32 thread, u32 bits)
{
	u32 i = waiter_place(w, thread);

	BUG_ON(thread >= WAITERS_MAX);
	if (i == w->n || w->waiter[i].thread != thread) {
		for (u32 k = w->n++; k > i; k--)
			w->waiter[k] = w->waiter[k - 1];
	}
	w->waiter[i] = (struct waiter){(u16)thread, (u16)(w->tokens + 1), bits};
	return pack(w);
}

static void remove_waiter(struct waiters *w, struct waiter *x)
{
	for (w->n--; x < w->waiter + w->n; x++)
		x[0] = x[1];
}

/* Without the thread and the oldest token that it may take. */
static u64 took_token(struct waiters *w, struct waiter *x)
{
	u32 after = x->after;

	remove_waiter(w, x);
	w->tokens--;
	for (u32 i = 0; i < w->n; i++)
		w->waiter[i].after -= w->waiter[i].after > after;
	return pack(w);
}

/* Can every token be taken? The first k only by waiters that may take one of the first k. */
static bool tokens_have_takers(const struct waiters *w)
{
	for (u32 k = 1; k <= w->tokens; k++) {
		u32 takers = 0;

		for (u32 i = 0; i < w->n; i++)
			takers += w->waiter[i].after <= k;
		if (takers < k)
			return false;
	}
	return true;
}

static struct object_step leave(struct waiters *w, u32 thread)
{
	struct waiter *x = find_waiter(w, thread);

	if (!x)
		return step_reads(1);
	remove_waiter(w, x);
	return tokens_have_takers(w) ? step_writes(pack(w), 0) : step_reads(1);
}

/* Called often; for small states the other waiters rarely matter. */
static struct object_step wake_waiter(u64 state, u32 thread)
{
	struct waiter *x;
	u64 after;

	if (likely(!state_is_number(state))) {
		after = thread < WAITERS_SMALL ? state >> (4 * thread) & FIELD : 0;
		if (!after)
			return step_reads(0);
		if (state >> TOKENS < after)
			return step_waits();
	}
	if (!unpack(&now, state))
		return step_reads(0); /* destroyed after all were woken */
	x = find_waiter(&now, thread);
	if (!x)
		return step_reads(0);
	return now.tokens >= x->after ? step_writes(took_token(&now, x), 0) : step_waits();
}

/* n more are woken: their number is the result. */
static struct object_step signal(struct waiters *w, u64 n)
{
	u32 asleep = w->n - w->tokens;

	if (n >= asleep)
		return asleep ? step_writes(0, asleep) : step_reads(0);
	w->tokens += n;
	return step_writes(pack(w), n);
}

/* All in a small state. */
static struct object_step broadcast_small(u64 state)
{
	u64 lowest = 0x1111111111111111 & ((1ull << MUTEX) - 1), threads = state;
	u64 asleep;

	threads |= threads >> 1;
	threads |= threads >> 2;
	asleep = ((threads & lowest) * 0x1111111111111111 >> 60) - (state >> TOKENS);
	return asleep ? step_writes(0, asleep) : step_reads(0);
}

OBJECT_STEP(cond)
{
	if (op == OBJECT_COND_WAKE)
		return wake_waiter(state, thread);
	if (!state && (op == OBJECT_COND_SIGNAL || op == OBJECT_COND_BROADCAST))
		return step_reads(0);
	if (op == OBJECT_COND_BROADCAST && state < STATE_NUMBER)
		return broadcast_small(state);
	if (!unpack(&now, state))
		return op == OBJECT_INIT_COND ? step_writes(argument, 0)
					      : step_reads(OBJECT_MISUSE);
	switch (op) {
	case OBJECT_COND_WAIT:
		if (state && now.mutex != argument)
			return step_reads(WAITERS_OTHER_MUTEX);
		now.mutex = argument;
		return step_writes(joined(&now, thread, WAITERS_ANY), 0);
	case OBJECT_INIT_COND:
		return step_writes(argument, now.n - now.tokens);
	case OBJECT_COND_DESTROY:
		return state ? step_reads(OBJECT_MISUSE) : step_writes(OBJECT_DESTROYED, 0);
	default:
		return signal(&now, op == OBJECT_COND_SIGNAL ? 1 : UINT64_MAX);
	}
}

static u32 count_bits(const struct waiters *w, u32 bits)
{
	u32 n = 0;

	for (u32 i = 0; i < w->n; i++)
		n += (w->waiter[i].bits & bits) != 0;
	return n;
}

/* A write even without sleepers: later waiters must see earlier writes. */
static struct object_step futex_wake(struct waiters *w, u64 argument, u64 state)
{
	u32 there = count_bits(w, ~(u32)(argument >> 32));
	struct object_step s = step_reads(0);

	if (there && there < w->n)
		return step_reads(OBJECT_CHOOSE);
	if (there)
		s = signal(w, (u32)argument);
	if (!s.writes)
		s.next = state;
	s.writes = s.release = true;
	return s;
}

/* The kernel's lock orders joining and waking, so a thread that joins too late to be woken reads
 * the waker's writes. */
OBJECT_STEP(futex)
{
	struct object_step s;

	if (op == OBJECT_FUTEX_SLEEP) {
		s = wake_waiter(state, thread);
		s.acquire = s.ready;
		return s;
	}
	if (!unpack(&now, state))
		return step_reads(OBJECT_MISUSE);
	switch (op) {
	case OBJECT_FUTEX_JOIN:
		return step_acquires(joined(&now, thread, ~(u32)(argument >> 32)), 0);
	case OBJECT_FUTEX_LEAVE:
		return leave(&now, thread);
	default:
		return futex_wake(&now, argument, state);
	}
}

u32 waiters_woken(u64 state)
{
	return unpack(&now, state) ? now.tokens : 0;
}

u32 waiters_asleep(u64 state)
{
	return unpack(&now, state) ? now.n - now.tokens : 0;
}

u32 waiters_list(u64 state, u32 bits, u16 thread[WAITERS_MAX])
{
	u32 n = 0;

	for (u32 i = 0; unpack(&now, state) && i < now.n; i++)
		if (now.waiter[i].bits & bits)
			thread[n++] = now.waiter[i].thread;
	return n;
}
