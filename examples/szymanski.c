/* SPDX-License-Identifier: ISC */
/* Szymanski's algorithm - a waiting room with two doors, here for two threads (1988).
 *
 * A thread's flag says where it is: 0 elsewhere, 1 at the outer door, 2 waiting for others to
 * come in, 3 in the doorway, 4 in the waiting room with the outer door shut. Threads in the room
 * enter by rank: the first thread enters at once, the second waits until the first has left.
 *
 * Each "say where I am, then read where the other is" needs its store in memory before the load:
 * after `flag = 3` in both threads, and after `flag = 1` in the first (-DFENCED). Three fences are
 * the minimum; stores overtaking stores (PSO) do no more harm. Without the fences a thread may also
 * wait for ever for a 4 that the other, which has not seen it, has already replaced.
 *
 * verdict            sc   ok
 * verdict            tso  assertion,livelock reorder
 * verdict            tso  assertion reorder -- --detect=-livelock
 * verdict            pso  assertion,livelock reorder
 * verdict            pso  assertion reorder -- --detect=-livelock
 * verdict  -DFENCED  tso  ok
 * verdict  -DFENCED  pso  ok
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2 /* how often each thread enters */
#endif

#if defined(FENCED) || defined(FENCED_PSO)
#define STORE_LOAD_FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define STORE_LOAD_FENCE() ((void)0)
#endif

/* Loads are never reordered with each other here; a plain x86 or SPARC load is an acquire. */
#define get(p)	       atomic_load_explicit(p, memory_order_acquire)
#define set(p, v)      atomic_store_explicit(p, v, memory_order_relaxed)
#define set_last(p, v) atomic_store_explicit(p, v, memory_order_release)

static atomic_int flag[2];
/* What the lock protects. Not an atomic increment: that would wait for the store buffer, and so
 * repair the very thing it is to watch. Two threads inside at once lose an update. */
static int counter;

static void critical_section(void)
{
	int seen = counter;

	counter = seen + 1;
}

/* Through both doors, for both threads alike but for the fence after the first store. */
static void enter_waiting_room(int me)
{
	int other = 1 - me;

	set(&flag[me], 1);
	if (me == 0)
		STORE_LOAD_FENCE();
	while (get(&flag[other]) >= 3)
		;
	set(&flag[me], 3);
	STORE_LOAD_FENCE();
	if (get(&flag[other]) == 1) {
		set(&flag[me], 2);
		while (get(&flag[other]) != 4)
			;
	}
	set(&flag[me], 4);
}

static void *first(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		int f;

		enter_waiting_room(0);
		critical_section();
		do
			f = get(&flag[1]);
		while (f == 2 || f == 3);
		set_last(&flag[0], 0);
	}
	return arg;
}

static void *second(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		enter_waiting_room(1);
		while (get(&flag[0]) >= 2)
			;
		critical_section();
		set_last(&flag[1], 0);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2 * ROUNDS);
	return 0;
}
