/* SPDX-License-Identifier: ISC */
/* Short critical sections, beside accesses without a lock, of the measurements of "The Reads-From
 * Equivalence for the TSO and PSO Memory Models" (OOPSLA 2021, tables 3 to 5). All accesses are
 * relaxed, as the paper takes them; what the originals do atomically is done under a mutex, as in
 * the paper, and a wait is bounded: N looks, if nothing else is said. The paper's counts, in all
 * three models and all of them, have
 *
 *     INC_CAS     02_inc_cas: N threads increment by a compare-and-exchange, trying N times, then
 *                 read
 *     UNVERIF     13_unverif: lock; x = x + 1; unlock; the one that then reads 1 increments y and z
 *                 N times: (N!)^2
 *     TICKET      48_ticket_low: a ticket lock. That tso and pso have no more takes a fence before
 *                 it is released
 *     FKP2014     lock; x = x + 1; unlock; compare with y; lock; y = y + 1; unlock
 *     QUEUE       queue_ok: a thread fills a queue, N empty it, each in one critical section:
 *                 (N+1)!
 *
 * The text does not determine how the others are cut, and their counts are our own:
 *
 *     INCDEC      03_incdec: half of N threads count up, half down, and check it in a section of
 *                 their own. Paper: N=5: 14568, here 113400 = 10! / 2^5, as many as orders of the
 *                 sections
 *     READ_WRITE  18_read_write_lock: two writers, N readers. Paper: N=6: 149912, and in general,
 *                 with n = N+2 threads, n! (1 + 1/0! + 1/1! + ... + 1/(n-2)!); so have
 *     BARRIER     40_barrier: N threads count, the third lets all pass; two looks. Paper: n = N in
 *                 the same formula, N=6: 2670. Here 174960: threads that never let go of the lock
 *                 would give the formula
 *     TWO_FLAGS   32_pthread5: x and y set together, checked, and reset by N threads. Paper: N=2:
 *                 1470
 *     BATCHES     fk2012: producers and consumers of a counter. Paper: two of each, N=2: 3556, here
 *                 2296
 *     GCD         Euclid's algorithm by subtraction, N steps of each thread. Paper: N=25: 61302,
 *                 and as N^3: there a step that is not due does not order anything, here it takes
 *                 the lock
 *     POKE        N slots filled, PAIRS of threads that choose one and take from one, a lock for
 *                 each. The paper has N+8 threads, and in one column other counts than in the next
 *                 (1946 and 2636)
 *
 * 47_ticket_hc (N=2: 48) differs from 48 in a loop that is not shown; 46_monabsex2 is RA of
 * rf_counters.c, sssc12_variant RESERVE of rf_locks.c, indexer is in indexer.c.
 *
 * counts-rf -DINC_CAS -DN=3 sc,tso,pso 432
 * counts-rf -DUNVERIF -DN=3 sc,pso 36
 * counts-rf -DTICKET -DN=3 sc,tso,pso 204
 * counts-rf -DFKP2014 -DN=3 sc,pso 1098
 * counts-rf -DQUEUE -DN=4 sc,pso 120
 * counts-rf -DINCDEC -DN=3 sc,pso 90
 * counts-rf -DREAD_WRITE -DN=1 sc,tso 24
 * counts-rf -DREAD_WRITE -DN=2 pso 596
 * counts-rf -DTWO_FLAGS -DN=3 sc,pso 212
 * counts-rf -DBARRIER -DN=3 sc,pso 54
 * counts-rf -DBATCHES -DN=5 sc,pso 546
 * counts-rf -DBATCHES -DPRODUCERS=2 -DCONSUMERS=2 -DN=1 sc,pso 68
 * counts-rf -DGCD -DN=3 sc,pso 118
 * counts-rf -DPOKE -DPAIRS=2 -DN=2 sc,pso 144
 * counts-rf-bench -DINC_CAS -DN=4 sc,tso,pso 159552
 * counts-rf-bench -DUNVERIF -DN=5 sc,tso,pso 14400
 * counts-rf-bench -DTICKET -DN=4 sc,tso,pso 41400
 * counts-rf-bench -DFKP2014 -DN=4 sc,tso,pso 207024
 * counts-rf-bench -DQUEUE -DN=6 sc,tso,pso 5040
 * counts-rf-bench -DINCDEC -DN=5 sc 113400
 * counts-rf-bench -DBATCHES -DPRODUCERS=2 -DCONSUMERS=2 -DN=2 sc,tso,pso 2296
 */
#include "counts.h"

#ifndef N
#define N 3
#endif
#ifndef PRODUCERS
#define PRODUCERS 1
#define CONSUMERS 1
#endif

#define VALUE(p)  load(&(p), RLX)
#define PUT(p, v) store(&(p), v, RLX)

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, second_mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, y, z, flag;

static void lock(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/* Locked: the old value. */
static inline int add_to(atomic_int *p, int v)
{
	int old;

	lock();
	old = load(p, RLX);
	store(p, old + v, RLX);
	unlock();
	return old;
}

#if defined(INC_CAS)
static bool replace(int old)
{
	bool same;

	lock();
	same = VALUE(x) == old;
	if (same)
		PUT(x, old + 1);
	unlock();
	return same;
}

THREAD(work)
{
	for (int i = 0; i < N; i++)
		if (replace(VALUE(x)))
			return (void *)(long)VALUE(x);
	return arg;
}
#elif defined(INCDEC)
THREAD(work)
{
	int v;

	lock();
	v = VALUE(x);
	PUT(flag, 1);
	PUT(x, INDEX % 2 ? v - 1 : v + 1);
	unlock();
	lock();
	v = VALUE(flag) + VALUE(x);
	unlock();
	return (void *)(long)v;
}
#elif defined(UNVERIF)
THREAD(work)
{
	add_to(&x, 1);
	if (VALUE(x) == 1)
		for (int i = 0; i < N; i++) {
			PUT(y, VALUE(y) + 1);
			PUT(z, VALUE(z) + 1);
		}
	return arg;
}
#elif defined(FKP2014)
THREAD(work)
{
	bool less;

	add_to(&x, 1);
	less = VALUE(y) < VALUE(x);
	add_to(&y, 1);
	return (void *)(long)less;
}
#elif defined(TICKET)
long looked[N];

THREAD(work)
{
	int mine = add_to(&x, 1), looks = 0;

	while (VALUE(y) != mine) {
		looked[INDEX] = looks; /* stored, so that each number of looks is another state */
		if (++looks == N)
			return arg;
	}
	PUT(z, 1);
	(void)VALUE(z);
	PUT(z, 0);
	fence(SC);
	PUT(y, VALUE(y) + 1);
	return arg;
}
#elif defined(READ_WRITE)
/* The first two write. */
THREAD(work)
{
	bool writes = INDEX < 2, may;

	lock();
	may = !VALUE(x) && !(writes && VALUE(y));
	if (may && writes)
		PUT(x, 1);
	else if (may)
		PUT(y, VALUE(y) + 1);
	unlock();
	if (!may)
		return arg;
	if (writes) {
		PUT(z, 3);
		PUT(x, 0);
	} else {
		(void)VALUE(z);
		add_to(&y, -1);
	}
	return arg;
}
#elif defined(TWO_FLAGS)
THREAD(work)
{
	if (INDEX > 1 && VALUE(z))
		return arg;
	lock();
	if (INDEX == 1) {
		(void)VALUE(x);
		(void)VALUE(y);
	} else {
		PUT(x, !INDEX);
		PUT(y, !INDEX);
	}
	unlock();
	if (!INDEX)
		PUT(z, 1);
	return arg;
}
#elif defined(BARRIER)
THREAD(work)
{
	bool last = add_to(&x, 1) == 2;

	if (last)
		PUT(flag, 1);
	for (int i = 0; !last && i < 2 && !VALUE(flag); i++)
		;
	return arg;
}
#elif defined(QUEUE)
/* The first fills it, the others empty it. */
THREAD(work)
{
	lock();
	if (VALUE(flag) == !!INDEX) {
		for (int i = 0; i < N; i++)
			PUT(x, VALUE(x) + (INDEX ? -1 : 1));
		PUT(flag, !INDEX);
	}
	unlock();
	return arg;
}
#elif defined(BATCHES)
static void produce(void)
{
	bool some;

	pthread_mutex_lock(&second_mutex);
	lock();
	some = VALUE(x) > 0;
	if (some)
		PUT(x, VALUE(x) + 1);
	unlock();
	if (!some) {
		PUT(x, 0);
		for (int i = 0; i < N; i++)
			PUT(x, VALUE(x) + 1);
	}
	pthread_mutex_unlock(&second_mutex);
}

static void consume(void)
{
	for (int i = 0; i < N; i++) {
		int v;

		lock();
		v = VALUE(x);
		if (v > 0)
			PUT(x, v - 1);
		unlock();
		if (v > 0)
			break;
	}
}

THREAD(work)
{
	if (INDEX < PRODUCERS)
		produce();
	else
		consume();
	return arg;
}
#elif defined(GCD)
THREAD(work)
{
	atomic_int *mine = INDEX ? &y : &x, *other = INDEX ? &x : &y;

	for (int i = 0; i < N && VALUE(x) != VALUE(y); i++) {
		int v;

		lock();
		v = load(mine, RLX) - load(other, RLX);
		if (v > 0)
			store(mine, v, RLX);
		unlock();
	}
	return arg;
}
#else /* POKE */
#define SLOTS 4

pthread_mutex_t slot_mutex[SLOTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
atomic_int slot[SLOTS];

THREAD(work)
{
	pthread_mutex_lock(&slot_mutex[INDEX]);
	PUT(slot[INDEX], 1);
	pthread_mutex_unlock(&slot_mutex[INDEX]);
	return arg;
}

THREAD(choose)
{
	lock();
	PUT(x, INDEX % N);
	unlock();
	return arg;
}

THREAD(take)
{
	int i;

	lock();
	i = VALUE(x);
	unlock();
	pthread_mutex_lock(&slot_mutex[i]);
	if (VALUE(slot[i])) {
		PUT(y, VALUE(y) + 1);
		PUT(slot[i], 0);
	}
	pthread_mutex_unlock(&slot_mutex[i]);
	return arg;
}
#endif

#if defined(GCD)
#define THREADS 2
#elif defined(READ_WRITE) || defined(TWO_FLAGS)
#define THREADS (N + 2)
#elif defined(QUEUE)
#define THREADS (N + 1)
#elif defined(BATCHES)
#define THREADS (PRODUCERS + CONSUMERS)
#else
#define THREADS N
#endif

int main(void)
{
#ifdef GCD
	atomic_init(&x, 17);
	atomic_init(&y, 7);
#endif
	start_many(work, THREADS);
#ifdef POKE
	start_many(choose, PAIRS);
	start_many(take, PAIRS);
#endif
	join_all(NULL);
	return 0;
}
