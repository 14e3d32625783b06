/* SPDX-License-Identifier: ISC */
/* Pieces of drivers, runtimes and file systems, of the measurements of "The Reads-From Equivalence
 * for the TSO and PSO Memory Models" (OOPSLA 2021, tables 2 to 5). All accesses are relaxed, as the
 * paper takes them, and a wait is bounded: a thread gives up after fruitless reads. The paper has
 * only their names and counts.
 *
 *     FILESYSTEM   N threads look for a block for their inode of 32, each inode and block with a
 *                  lock; from the 14th on they collide: 2^(N-13)
 *     DATARACE     pthread-datarace: two threads x = x + 1, N times each, main reads x
 *     PENDING      qw2004: N threads enter a driver and leave it again, another one stops it. The
 *                  last one to leave says so
 *
 * have the paper's counts, all of them in all three models: 2048 of FILESYSTEM with N=24, 99442 and
 * 829168 of DATARACE with N=6 and 7, 28152 of PENDING with N=4. Not so
 *
 *     EXPONENTIAL  exponential_bug: a writer of x and N times y under a lock, another one that
 *                  answers if it sees x, and a reader that answers if it sees the answer, twice
 *                  each. The paper has 502771 under sc with N=20, which is below what N=5 has here
 *                  (43771) times 12: as graphs it has but a few more (538332), and here there are
 *                  many more, N stores of y without readers. Its shape is another one
 *     PARKER       a thread parks as a Java runtime did it, another one wakes it twice; the lock is
 *                  Dekker's: a thread that finds the other in it steps back. Paper: N=40: 299347,
 *                  with an unspecified wait
 *     BOOP         27_Boop: N threads open a device, another one releases it, by four variables
 *                  without any lock. Paper: N=2: sc 165, tso 205, pso 713; no number of looks at
 *                  what is waited for gives these
 *
 * which are here as programs of the same kind.
 *
 * counts-rf -DFILESYSTEM -DN=14 pso 2
 * counts-rf -DFILESYSTEM -DN=16 sc,tso 8
 * counts-dfs -DDATARACE -DN=1 tso 4
 * counts-rf -DDATARACE -DN=3 sc,tso,pso 192
 * counts-rf -DPENDING -DN=3 sc,tso,pso 912
 * counts-rf -DEXPONENTIAL -DN=1 sc 4837
 * counts-rf -DPARKER -DN=3 sc 394
 * counts-rf -DPARKER -DN=3 tso,pso 464
 * counts-dfs -DBOOP -DN=1 sc 3
 * counts-rf -DBOOP -DN=1 pso 37
 * counts-rf -DBOOP -DN=2 sc 88
 * counts-rf -DBOOP -DN=2 tso 102
 * counts-rf-bench -DFILESYSTEM -DN=24 sc,tso,pso 2048
 * counts-rf-bench -DDATARACE -DN=6 sc,tso,pso 99442
 * counts-rf-bench -DPENDING -DN=4 sc,tso,pso 28152
 * counts-rf-bench -DEXPONENTIAL -DN=1 tso 4932
 * counts-rf-bench -DEXPONENTIAL -DN=1 pso 6378
 * counts-rf-bench -DBOOP -DN=2 pso 4335
 */
#include "counts.h"

#ifndef N
#define N 2
#endif

#define VALUE(p)  load(&(p), RLX)
#define PUT(p, v) store(&(p), v, RLX)

#if defined(FILESYSTEM)
#define INODES 32
#define BLOCKS 26
pthread_mutex_t inode_mutex[INODES], block_mutex[BLOCKS];
atomic_int inode[INODES], busy[BLOCKS];
#else
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, y, a, b, flag, done;

static inline void lock(void)
{
	pthread_mutex_lock(&mutex);
}

static inline void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}
#endif

#if defined(FILESYSTEM)
static bool take(int block)
{
	bool free;

	pthread_mutex_lock(&block_mutex[block]);
	free = !VALUE(busy[block]);
	if (free)
		PUT(busy[block], 1);
	pthread_mutex_unlock(&block_mutex[block]);
	return free;
}

THREAD(work)
{
	int i = INDEX % INODES, block = 2 * i % BLOCKS;

	pthread_mutex_lock(&inode_mutex[i]);
	if (!VALUE(inode[i])) {
		while (!take(block))
			block = (block + 1) % BLOCKS;
		PUT(inode[i], block + 1);
	}
	pthread_mutex_unlock(&inode_mutex[i]);
	return arg;
}
#elif defined(EXPONENTIAL)
static void first(void)
{
	lock();
	PUT(x, 1);
	for (int i = 0; i < N; i++)
		PUT(y, 1);
	unlock();
}

static void second(void)
{
	lock();
	PUT(x, 0);
	unlock();
	if (VALUE(x) > 0) {
		PUT(y, VALUE(y) + 1);
		PUT(x, 2);
	}
}

static bool third(void)
{
	if (VALUE(x) > 1 && VALUE(y) == 3)
		return false;
	if (VALUE(x) > 1)
		PUT(y, 2);
	return true;
}

THREAD(work)
{
	for (int i = 0; i < 2; i++) {
		if (INDEX == 0)
			first();
		else if (INDEX == 1)
			second();
		else if (!third())
			break;
	}
	return arg;
}
#elif defined(DATARACE)
THREAD(work)
{
	for (int i = 0; i < N; i++)
		PUT(x, VALUE(x) + 1);
	return arg;
}
#elif defined(PARKER)
/* A thread that finds the other one in the lock withdraws. */
static bool try_lock(int me)
{
	atomic_int *mine = me ? &b : &a, *other = me ? &a : &b;

	store(mine, 1, RLX);
	fence(SC);
	if (!load(other, RLX))
		return true;
	store(mine, 0, RLX);
	return false;
}

static void leave(int me)
{
	fence(SC);
	store(me ? &b : &a, 0, RLX);
}

static void park(void)
{
	if (VALUE(x) > 0) { /* a permit */
		PUT(x, 0);
		return;
	}
	if (!try_lock(0))
		return;
	if (VALUE(x) > 0)
		PUT(x, 0);
	else
		PUT(y, 0); /* not signalled yet */
	leave(0);
}

static void unpark(void)
{
	int was;

	if (!try_lock(1))
		return;
	was = VALUE(x);
	PUT(x, 1);
	leave(1);
	if (was < 1)
		PUT(y, 1);
}

THREAD(work)
{
	if (INDEX) {
		unpark();
		PUT(flag, 1);
		fence(SC);
		unpark();
		fence(SC);
		PUT(done, 1);
	} else {
		for (int i = 0; i < N && !VALUE(flag); i++)
			park();
	}
	return arg;
}
#elif defined(BOOP)
/* x: the use count; y: locked; flag: may be opened; done: is open. */
static void open(void)
{
	if (!VALUE(flag))
		return;
	PUT(x, VALUE(x) + 1);
	if (!VALUE(y)) {
		PUT(y, 1);
		PUT(done, 1);
	}
}

static void release(void)
{
	PUT(x, 0);
	PUT(y, 0);
	PUT(flag, 1);
	if (!VALUE(done))
		return;
	for (int i = 0; i < 2; i++)
		if (VALUE(y)) {
			PUT(x, VALUE(x) - 1);
			PUT(y, 0);
		}
	(void)VALUE(x);
}

THREAD(work)
{
	if (INDEX < N)
		open();
	else
		release();
	return arg;
}
#else /* PENDING: x is how many are in the driver, flag that it stops, a that all have left, done \
	 that it has stopped */
static void leave(void)
{
	int left;

	lock();
	left = VALUE(x) - 1;
	PUT(x, left);
	unlock();
	if (!left)
		PUT(a, 1);
}

static void enter(void)
{
	bool may;

	lock();
	may = !VALUE(flag);
	if (may)
		PUT(x, VALUE(x) + 1);
	unlock();
	if (!may)
		return;
	(void)VALUE(done);
	leave();
}

static void stop(void)
{
	PUT(flag, 1);
	leave();
	if (VALUE(a))
		PUT(done, 1);
}

THREAD(work)
{
	if (INDEX < N)
		enter();
	else
		stop();
	return arg;
}
#endif

#if defined(FILESYSTEM)
#define THREADS N
#elif defined(EXPONENTIAL)
#define THREADS 3
#elif defined(DATARACE) || defined(PARKER)
#define THREADS 2
#else
#define THREADS (N + 1)
#endif

int main(void)
{
#ifdef FILESYSTEM
	for (int i = 0; i < INODES; i++)
		pthread_mutex_init(&inode_mutex[i], NULL);
	for (int i = 0; i < BLOCKS; i++)
		pthread_mutex_init(&block_mutex[i], NULL);
#elif !defined(EXPONENTIAL) && !defined(DATARACE) && !defined(PARKER) && !defined(BOOP)
	atomic_init(&x, 1);
#endif
	start_many(work, THREADS);
	join_all(NULL);
#ifdef DATARACE
	(void)VALUE(x);
#endif
	return finish();
}
