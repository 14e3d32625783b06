/* SPDX-License-Identifier: ISC */
/*
 * t_object.c - synchronisation objects as values: the rules of single operations, and conditions
 * against a plain model in which each signal chooses the thread it wakes.
 */
#include "object/barrier.h"
#include "object/state_table.h"
#include "object/waiters.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static struct object_step step(enum object_op op, u32 thread, u64 state)
{
	return object_step(op, 0, thread, state);
}

/* --- locks ----------------------------------------------------------------------------------- */

static void mutexes(void)
{
	struct object_step s = step(OBJECT_LOCK, 3, 0);
	u64 held = s.next;

	CU_ASSERT_TRUE(s.ready && s.writes && s.acquire && !s.release);
	CU_ASSERT_TRUE(held != 0);
	CU_ASSERT_FALSE(step(OBJECT_LOCK, 2, held).ready);
	CU_ASSERT_FALSE(step(OBJECT_LOCK, 3, held).ready);
	s = step(OBJECT_TRYLOCK, 2, held);
	CU_ASSERT_TRUE(s.ready && !s.writes && !s.acquire && s.result == 0);
	s = step(OBJECT_TRYLOCK, 2, 0);
	CU_ASSERT_TRUE(s.ready && s.writes && s.acquire && s.result == 1);
	s = step(OBJECT_UNLOCK, 3, held);
	CU_ASSERT_TRUE(s.ready && s.writes && s.release && !s.acquire && s.next == 0);
	CU_ASSERT_EQUAL(step(OBJECT_UNLOCK, 2, held).result, OBJECT_MISUSE);
	CU_ASSERT_EQUAL(step(OBJECT_UNLOCK, 2, 0).result, OBJECT_MISUSE);
	CU_ASSERT_EQUAL(step(OBJECT_DESTROY, 2, held).result, OBJECT_MISUSE);
	CU_ASSERT_EQUAL(step(OBJECT_DESTROY, 2, 0).next, OBJECT_DESTROYED);
	CU_ASSERT_EQUAL(step(OBJECT_UNLOCK, 2, OBJECT_UNKNOWN_OWNER).next, 0);
}

/* Robust mutexes of an owner that exits: the next owner is notified; unlocked without repair, no
 * thread gets it again. */
static void robust(void)
{
	struct object_step s = object_step(OBJECT_UNLOCK, OBJECT_DEAD, 3, 4);

	CU_ASSERT_TRUE(s.writes && s.release && s.next == OBJECT_DEAD);
	for (int op = OBJECT_LOCK; op <= OBJECT_TRYLOCK; op++) {
		s = step((enum object_op)op, 2, OBJECT_DEAD);
		CU_ASSERT_TRUE(s.ready && s.writes && s.acquire && s.next == 3 &&
			       s.result == OBJECT_OWNER_DEAD);
		s = step((enum object_op)op, 2, OBJECT_GONE);
		CU_ASSERT_TRUE(s.ready && !s.writes && s.result == OBJECT_NOT_RECOVERABLE);
	}
	CU_ASSERT_EQUAL(object_step(OBJECT_UNLOCK, OBJECT_GONE, 2, 3).next, OBJECT_GONE);
	CU_ASSERT_EQUAL(step(OBJECT_UNLOCK, 2, OBJECT_DEAD).result, OBJECT_MISUSE);
	CU_ASSERT_EQUAL(step(OBJECT_DESTROY, 2, OBJECT_DEAD).next, OBJECT_DESTROYED);
	CU_ASSERT_EQUAL(step(OBJECT_DESTROY, 2, OBJECT_GONE).next, OBJECT_DESTROYED);
}

/* An operation on a destroyed object does not wait, changes nothing, and is reported. */
static void destroyed(void)
{
	for (int op = OBJECT_LOCK; op < OBJECT_NAME_OPEN; op++) { /* no name is destroyed */
		struct object_step s = step((enum object_op)op, 1, OBJECT_DESTROYED);

		if (op == OBJECT_INIT || op == OBJECT_INIT_LOCK || op == OBJECT_INIT_COND ||
			op == OBJECT_ORDERED) {
			CU_ASSERT_TRUE(s.ready && s.writes);
			CU_ASSERT_EQUAL(s.next != 0, op == OBJECT_ORDERED);
		} else if (op == OBJECT_COND_WAKE || op == OBJECT_FUTEX_SLEEP) {
			CU_ASSERT_TRUE(s.ready && !s.writes && s.result == 0);
		} else {
			CU_ASSERT_TRUE(s.ready && !s.writes && s.result == OBJECT_MISUSE);
		}
	}
	CU_ASSERT_EQUAL(object_step(OBJECT_INIT, 7, 1, OBJECT_DESTROYED).next, 7);
}

/* The holders of a read-write lock, kept beside its state. */
struct holders {
	u32 readers, writer; /* writer + 1 */
	u32 reads[3];
	u32 announced;
};

static void check_rwlock(const struct holders *h, u64 state, u32 t)
{
	bool free = !h->readers && !h->writer;
	bool may_read = !h->writer && !(h->announced && h->readers);

	CU_ASSERT_FALSE(h->readers && h->writer);
	CU_ASSERT_EQUAL(step(OBJECT_RDLOCK, t, state).ready, may_read);
	CU_ASSERT_EQUAL(step(OBJECT_TRYRDLOCK, t, state).result, may_read);
	CU_ASSERT_EQUAL(step(OBJECT_TRYRDLOCK, t, state).writes, may_read);
	CU_ASSERT_EQUAL(step(OBJECT_WRLOCK, t, state).ready, free);
	CU_ASSERT_EQUAL(step(OBJECT_TRYWRLOCK, t, state).result, free);
	CU_ASSERT_EQUAL(step(OBJECT_DESTROY, t, state).result == OBJECT_MISUSE,
		!free || h->announced);
	if (h->writer && h->writer != t + 1)
		CU_ASSERT_EQUAL(step(OBJECT_RWUNLOCK, t, state).result, OBJECT_MISUSE);
	if (free)
		CU_ASSERT_EQUAL(step(OBJECT_RWUNLOCK, t, state).result, OBJECT_MISUSE);
}

/* All sequences of correct operations by three threads. */
static void walk_rwlock(struct holders h, u64 state, u32 depth)
{
	for (u32 t = 0; t < 3; t++) {
		struct object_step s;
		struct holders n = h;

		check_rwlock(&h, state, t);
		if (!depth)
			continue;
		s = step(OBJECT_RDLOCK, t, state);
		if (s.ready && h.writer != t + 1) {
			n.readers++, n.reads[t]++;
			CU_ASSERT_TRUE(s.acquire && s.writes);
			walk_rwlock(n, s.next, depth - 1);
		}
		n = h;
		s = step(h.announced ? OBJECT_ANNOUNCED_WRLOCK : OBJECT_WRLOCK, t, state);
		if (s.ready) {
			n.writer = t + 1, n.announced -= n.announced > 0;
			CU_ASSERT_TRUE(s.acquire && s.writes);
			walk_rwlock(n, s.next, depth - 1);
		}
		n = h;
		if (h.writer == t + 1 || h.reads[t]) {
			s = step(OBJECT_RWUNLOCK, t, state);
			CU_ASSERT_TRUE(s.ready && s.release && s.writes);
			if (h.writer)
				n.writer = 0;
			else
				n.readers--, n.reads[t]--;
			walk_rwlock(n, s.next, depth - 1);
		}
		n = h;
		n.announced++;
		if (h.announced < 2)
			walk_rwlock(n, step(OBJECT_ANNOUNCE, t, state).next, depth - 1);
	}
}

static void rwlocks(void)
{
	u64 announced = step(OBJECT_ANNOUNCE, 0, 0).next;
	u64 read = step(OBJECT_RDLOCK, 1, announced).next;

	walk_rwlock((struct holders){0}, 0, 6);
	/* a writer that gives up withdraws its announcement */
	CU_ASSERT_FALSE(step(OBJECT_RDLOCK, 2, read).ready);
	CU_ASSERT_EQUAL(step(OBJECT_ANNOUNCED_TRYWRLOCK, 0, read).result, 0);
	CU_ASSERT_TRUE(
		step(OBJECT_RDLOCK, 2, step(OBJECT_ANNOUNCED_TRYWRLOCK, 0, read).next).ready);
	CU_ASSERT_EQUAL(step(OBJECT_ANNOUNCED_TRYWRLOCK, 0, announced).result, 1);
}

/* --- semaphores, once ------------------------------------------------------------------------ */

static void semaphores(void)
{
	for (u64 v = 0; v < 4; v++) {
		struct object_step s = step(OBJECT_SEM_POST, 0, v);

		CU_ASSERT_TRUE(s.ready && s.release && s.next == v + 1 && !s.result);
		s = step(OBJECT_SEM_WAIT, 0, v);
		CU_ASSERT_EQUAL(s.ready, v > 0);
		CU_ASSERT_TRUE(!s.ready || (s.next == v - 1 && s.acquire));
		s = step(OBJECT_SEM_TRYWAIT, 0, v);
		CU_ASSERT_TRUE(s.ready && s.writes == (v > 0) && s.result == (v > 0));
		CU_ASSERT_EQUAL(step(OBJECT_SEM_VALUE, 0, v).result, v);
		CU_ASSERT_FALSE(step(OBJECT_SEM_VALUE, 0, v).writes);
	}
	CU_ASSERT_FALSE(step(OBJECT_SEM_POST, 0, 0x7fffffff).writes);
	CU_ASSERT_EQUAL(step(OBJECT_SEM_POST, 0, 0x7fffffff).result, 1);
}

static void once(void)
{
	struct object_step s = step(OBJECT_ONCE_ENTER, 1, 0);

	CU_ASSERT_TRUE(s.ready && s.writes && s.result == 1);
	CU_ASSERT_FALSE(step(OBJECT_ONCE_ENTER, 1, s.next).ready);
	CU_ASSERT_FALSE(step(OBJECT_ONCE_ENTER, 2, s.next).ready);
	s = step(OBJECT_ONCE_DONE, 1, s.next);
	CU_ASSERT_TRUE(s.ready && s.writes && s.release);
	s = step(OBJECT_ONCE_ENTER, 2, s.next);
	CU_ASSERT_TRUE(s.ready && !s.writes && s.acquire && s.result == 0);
}

/* Threads 0 to n - 1 meet, again and again: the last one does not leave, the others may only when
 * all have arrived; the round is the number of arrivals in complete rounds. */
static void barriers(void)
{
	for (u32 n = 1; n <= 4; n++) {
		u64 state = barrier_pack(n, 0, 0);

		for (u32 i = 0; i < 3 * n; i++) {
			u64 round = i / n * n, leaves = round << BARRIER_ROUND | n;
			struct object_step s = step(OBJECT_BARRIER_ARRIVE, i % n, state);

			CU_ASSERT_TRUE(s.ready && s.writes);
			CU_ASSERT_EQUAL(s.result, i % n == n - 1 ? BARRIER_LAST : BARRIER_WAITS);
			state = s.next;
			CU_ASSERT_EQUAL(object_step(OBJECT_BARRIER_LEAVE, leaves, 0, state).ready,
				i % n == n - 1);
			CU_ASSERT_EQUAL(step(OBJECT_BARRIER_DESTROY, 0, state).writes,
				i % n == n - 1);
		}
	}
	CU_ASSERT_EQUAL(step(OBJECT_BARRIER_ARRIVE, 0, 0).result, OBJECT_MISUSE);
	CU_ASSERT_EQUAL(step(OBJECT_BARRIER_DESTROY, 0, 0).result, OBJECT_MISUSE);
}

/* Of a round, the first one is the serial thread. */
static void serial_threads(void)
{
	struct object_step first, second, next;

	first = object_step(OBJECT_BARRIER_SERIAL, 1, 2, 0);
	CU_ASSERT_TRUE(first.writes && first.result == 1);
	second = object_step(OBJECT_BARRIER_SERIAL, 1, 0, first.next);
	CU_ASSERT_TRUE(second.ready && !second.writes && !second.result);
	next = object_step(OBJECT_BARRIER_SERIAL, 2, 0, first.next);
	CU_ASSERT_TRUE(next.writes && next.result == 1);
}

/* --- names ----------------------------------------------------------------------------------- */

static void object_names(void)
{
	struct object_step s = object_step(OBJECT_NAME_OPEN, 0, 1, 0);

	CU_ASSERT_TRUE(s.writes && s.acquire && s.release && !s.next && !s.result);
	s = object_step(OBJECT_NAME_CREATE, 7, 1, 0);
	CU_ASSERT_TRUE(s.next == 7 && s.result == 7);
	s = object_step(OBJECT_NAME_CREATE, 8, 1, 7);
	CU_ASSERT_TRUE(s.writes && s.next == 7 && s.result == 0);
	s = object_step(OBJECT_NAME_OPEN, 8, 1, 7);
	CU_ASSERT_TRUE(s.next == 7 && s.result == 7);
	s = object_step(OBJECT_NAME_UNLINK, 0, 1, 7);
	CU_ASSERT_TRUE(s.next == 0 && s.result == 7);
	CU_ASSERT_EQUAL(object_step(OBJECT_NAME_UNLINK, 0, 1, 0).result, 0);
	CU_ASSERT_EQUAL(object_step(OBJECT_NAME_OPEN, 8, 1, 0).next, 8);
}

/* --- conditions and futexes, against choosing at the signal ---------------------------------- */

#define SLEEPERS 4
#define WORLDS	 256

/* A possible choice of the signals: sleeping threads, and woken ones that have not noticed. */
struct world {
	u8 sleeping, woken;
};

struct worlds {
	u32 n;
	struct world w[WORLDS];
};

static void worlds_add(struct worlds *ws, struct world w)
{
	for (u32 i = 0; i < ws->n; i++)
		if (ws->w[i].sleeping == w.sleeping && ws->w[i].woken == w.woken)
			return;
	CU_ASSERT_FATAL(ws->n < WORLDS);
	ws->w[ws->n++] = w;
}

/* Every choice of n sleepers. */
static void choose(struct worlds *to, struct world w, u32 n, u32 from)
{
	if (!n || !w.sleeping) {
		worlds_add(to, w);
		return;
	}
	for (u32 t = from; t < SLEEPERS; t++) {
		struct world next = w;

		if (!(w.sleeping >> t & 1))
			continue;
		next.sleeping &= (u8)~(1 << t);
		next.woken |= (u8)(1 << t);
		choose(to, next, n - 1, 0);
	}
}

static struct worlds wake_n(const struct worlds *ws, u32 n)
{
	struct worlds to = {0};

	for (u32 i = 0; i < ws->n; i++)
		choose(&to, ws->w[i], n, 0);
	return to;
}

static struct worlds joins(const struct worlds *ws, u32 t)
{
	struct worlds to = {0};

	for (u32 i = 0; i < ws->n; i++)
		worlds_add(&to, (struct world){ws->w[i].sleeping | (u8)(1 << t), ws->w[i].woken});
	return to;
}

/* Those in which t has been woken (or, if not `woken`, sleeps), without it. */
static struct worlds without(const struct worlds *ws, u32 t, bool woken)
{
	struct worlds to = {0};
	u8 bit = (u8)(1 << t);

	for (u32 i = 0; i < ws->n; i++) {
		struct world w = ws->w[i];

		if ((woken ? w.woken : w.sleeping) & bit)
			worlds_add(&to, (struct world){w.sleeping & (u8)~bit, w.woken & (u8)~bit});
	}
	return to;
}

static u32 asleep(const struct worlds *ws)
{
	return (u32)__builtin_popcount(ws->w[0].sleeping);
}

static u64 words; /* sequences of operations compared */
static u32 first; /* the number of the first thread */

static void walk_cond(const struct worlds *ws, u64 state, u32 inside, u32 depth);

static void walk_thread(const struct worlds *ws, u64 state, u32 inside, u32 t, u32 depth)
{
	struct object_step s;
	struct worlds next;

	if (!(inside >> t & 1)) {
		s = step(OBJECT_COND_WAIT, first + t, state);
		CU_ASSERT_TRUE(s.ready && s.writes);
		next = joins(ws, t);
		walk_cond(&next, s.next, inside | 1u << t, depth);
		return;
	}
	s = step(OBJECT_COND_WAKE, first + t, state);
	next = without(ws, t, true);
	CU_ASSERT_EQUAL(s.ready, next.n > 0);
	if (s.ready && next.n)
		walk_cond(&next, s.writes ? s.next : state, inside & ~(1u << t), depth);
	s = step(OBJECT_FUTEX_LEAVE, first + t, state);
	next = without(ws, t, false);
	CU_ASSERT_TRUE(s.ready);
	CU_ASSERT_EQUAL(s.result, next.n == 0);
	if (!s.result && next.n)
		walk_cond(&next, s.next, inside & ~(1u << t), depth);
}

static void walk_cond(const struct worlds *ws, u64 state, u32 inside, u32 depth)
{
	struct object_step s;
	struct worlds next;

	words++;
	if (!depth--)
		return;
	CU_ASSERT_EQUAL(step(OBJECT_COND_DESTROY, 0, state).result == OBJECT_MISUSE, state != 0);
	for (u32 t = 0; t < SLEEPERS; t++)
		walk_thread(ws, state, inside, t, depth);
	for (u32 n = 1; n <= 2; n++) {
		s = object_step(OBJECT_FUTEX_WAKE, n, 0, state);
		CU_ASSERT_EQUAL(s.result, asleep(ws) < n ? asleep(ws) : n);
		next = wake_n(ws, n);
		walk_cond(&next, s.next, inside, depth);
	}
	s = step(OBJECT_COND_SIGNAL, 0, state);
	CU_ASSERT_EQUAL(s.writes, asleep(ws) > 0);
	CU_ASSERT_TRUE(!s.writes || s.next == object_step(OBJECT_FUTEX_WAKE, 1, 0, state).next);
	s = step(OBJECT_COND_BROADCAST, 0, state);
	CU_ASSERT_EQUAL(s.writes, asleep(ws) > 0);
	next = wake_n(ws, SLEEPERS);
	for (u32 t = 0; t < SLEEPERS && s.writes; t++)
		CU_ASSERT_TRUE(step(OBJECT_COND_WAKE, first + t, s.next).ready);
	walk_cond(&next, s.writes ? s.next : state, inside, depth);
}

static void conditions(void)
{
	struct worlds ws = {1, {{0, 0}}};

	words = first = 0;
	walk_cond(&ws, 0, 0, 7);
	CU_ASSERT_TRUE(words > 100000);
}

/* The same, of threads whose states are numbers; some are, some are not. */
static void large_states(void)
{
	struct worlds ws = {1, {{0, 0}}};

	state_table_begin(calloc(1, STATE_TABLE_SIZE));
	words = 0;
	first = WAITERS_SMALL;
	walk_cond(&ws, 0, 0, 6);
	CU_ASSERT_TRUE(state_table_used());
	first = WAITERS_SMALL - 2;
	walk_cond(&ws, 0, 0, 6);
	first = 0;
	CU_ASSERT_TRUE(words > 20000);
}

/* All threads that there may be, each woken by a signal of its own, the last one by none. */
static void very_many(void)
{
	u64 state = 0;

	for (u32 t = 0; t < WAITERS_MAX; t++)
		state = step(OBJECT_COND_WAIT, t, state).next;
	for (u32 t = 0; t < WAITERS_MAX - 1; t++)
		state = step(OBJECT_COND_SIGNAL, 0, state).next;
	CU_ASSERT_EQUAL(waiters_asleep(state), 1);
	for (u32 t = 0; t < WAITERS_MAX - 1; t++)
		state = step(OBJECT_COND_WAKE, t, state).next;
	CU_ASSERT_FALSE(step(OBJECT_COND_WAKE, WAITERS_MAX - 1, state).ready);
	CU_ASSERT_EQUAL(step(OBJECT_COND_DESTROY, 0, state).result, OBJECT_MISUSE);
	CU_ASSERT_EQUAL(step(OBJECT_COND_SIGNAL, 0, state).next, 0);
	CU_ASSERT_EQUAL(step(OBJECT_COND_WAKE, 0, STATE_NUMBER).result, 0);
	CU_ASSERT_EQUAL(step(OBJECT_COND_SIGNAL, 0, STATE_NUMBER).result, OBJECT_MISUSE);
}

/* A wake-up of a futex is for all of its waiters, none, or the caller has to choose. */
static void bits(void)
{
	u16 thread[WAITERS_MAX];
	u64 a = object_step(OBJECT_FUTEX_JOIN, waiters_argument(0, 2), 1, 0).next, both;
	struct object_step s = object_step(OBJECT_FUTEX_WAKE, waiters_argument(9, 4), 0, a);

	CU_ASSERT_TRUE(s.writes && s.next == a && !s.result);
	s = object_step(OBJECT_FUTEX_WAKE, waiters_argument(9, 6), 0, a);
	CU_ASSERT_TRUE(s.writes && !s.next && s.result == 1);
	both = object_step(OBJECT_FUTEX_JOIN, waiters_argument(0, 4), 2, a).next;
	s = object_step(OBJECT_FUTEX_WAKE, waiters_argument(9, 4), 0, both);
	CU_ASSERT_TRUE(!s.writes && s.result == OBJECT_CHOOSE);
	CU_ASSERT_TRUE(waiters_list(both, 4, thread) == 1 && thread[0] == 2);
	CU_ASSERT_EQUAL(step(OBJECT_FUTEX_LEAVE, 2, both).next, a);
	CU_ASSERT_EQUAL(object_step(OBJECT_FUTEX_WAKE, 9, 0, both).result, 2);
}

static void one_mutex_of(u64 a, u64 b)
{
	u64 state = object_step(OBJECT_COND_WAIT, a, 0, 0).next;

	CU_ASSERT_EQUAL(object_step(OBJECT_COND_WAIT, b, 1, state).result, WAITERS_OTHER_MUTEX);
	state = object_step(OBJECT_COND_WAIT, a, 12, state).next;
	state = step(OBJECT_COND_SIGNAL, 5, state).next;
	CU_ASSERT_EQUAL(object_step(OBJECT_COND_WAIT, b, 1, state).result, WAITERS_OTHER_MUTEX);
	state = step(OBJECT_COND_SIGNAL, 5, state).next;
	CU_ASSERT_EQUAL(state, 0);
	CU_ASSERT_TRUE(object_step(OBJECT_COND_WAIT, b, 1, state).writes);
}

/* All waiters use one mutex, at any distance; without waiters another one is allowed. */
static void one_mutex(void)
{
	static const u64 distance[] = {
		40, 80, -48ull, 1016, 1024, -1024ull, -1032ull, 2088, 40 + 8 * 255, 12, 1ull << 45};

	state_table_begin(calloc(1, STATE_TABLE_SIZE));
	for (u32 i = 0; i < array_size(distance); i++)
		for (u32 k = 0; k < array_size(distance); k++)
			if (i != k)
				one_mutex_of(distance[i], distance[k]);
}

/* The maximum of waiters, all with tokens of their own. */
static void many_waiters(void)
{
	u64 state = 0;

	for (u32 t = 0; t < WAITERS_SMALL; t++) {
		state = step(OBJECT_COND_WAIT, t, state).next;
		if (t % 2)
			state = step(OBJECT_COND_SIGNAL, 20, state).next;
	}
	for (u32 t = 0; t < WAITERS_SMALL; t++)
		if (step(OBJECT_COND_WAKE, t, state).writes)
			state = step(OBJECT_COND_WAKE, t, state).next;
	for (u32 t = 0; t < WAITERS_SMALL; t++)
		CU_ASSERT_FALSE(state && step(OBJECT_COND_WAKE, t, state).writes);
	CU_ASSERT_TRUE(state != 0 && state != OBJECT_DESTROYED);
	CU_ASSERT_EQUAL(step(OBJECT_COND_BROADCAST, 20, state).next, 0);
}

static void names(void)
{
	for (int op = OBJECT_NONE; op < OBJECT_OPS; op++)
		for (int other = OBJECT_NONE; other < op; other++)
			CU_ASSERT_STRING_NOT_EQUAL(object_op_name((enum object_op)op),
				object_op_name((enum object_op)other));
}

const struct unit_test object_tests[] = {
	{"mutexes", mutexes},
	{"robust mutexes", robust},
	{"destroyed objects", destroyed},
	{"read-write locks, all short histories", rwlocks},
	{"semaphores", semaphores},
	{"once", once},
	{"barriers", barriers},
	{"serial threads", serial_threads},
	{"names", object_names},
	{"conditions wake whom a choice at the signal could wake", conditions},
	{"many waiters", many_waiters},
	{"states that are numbers: the same", large_states},
	{"as many waiters as can be", very_many},
	{"futex: wake-ups for some bits", bits},
	{"condition: one mutex", one_mutex},
	{"operations have names of their own", names},
	{NULL, NULL},
};
