/* SPDX-License-Identifier: ISC */
/* native_queue.c - mostly atomics, to time an instrumented binary that is not exploring: a bounded
 * queue for many producers and consumers (a sequence number a cell), filled and emptied in turn,
 * and a counter under a mutex in two threads. Prints nanoseconds of CPU time. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#define CELLS 1024
#define MANY  2000000

static struct cell {
	atomic_uint turn;
	unsigned value;
} cell[CELLS];
static atomic_uint head, tail;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total;

static bool put(unsigned value)
{
	unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);

	for (;;) {
		struct cell *c = &cell[at % CELLS];
		int late = (int)(atomic_load_explicit(&c->turn, memory_order_acquire) - at);

		if (late < 0)
			return false;
		if (!late && atomic_compare_exchange_weak(&tail, &at, at + 1)) {
			c->value = value;
			atomic_store_explicit(&c->turn, at + 1, memory_order_release);
			return true;
		}
		at = atomic_load_explicit(&tail, memory_order_relaxed);
	}
}

static bool get(unsigned *value)
{
	unsigned at = atomic_load_explicit(&head, memory_order_relaxed);

	for (;;) {
		struct cell *c = &cell[at % CELLS];
		int late = (int)(atomic_load_explicit(&c->turn, memory_order_acquire) - (at + 1));

		if (late < 0)
			return false;
		if (!late && atomic_compare_exchange_weak(&head, &at, at + 1)) {
			*value = c->value;
			atomic_store_explicit(&c->turn, at + CELLS, memory_order_release);
			return true;
		}
		at = atomic_load_explicit(&head, memory_order_relaxed);
	}
}

static void *add(void *arg)
{
	for (int i = 0; i < MANY / 8; i++) {
		pthread_mutex_lock(&mutex);
		total++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	struct timespec t;
	pthread_t other;
	unsigned value;

	for (unsigned i = 0; i < CELLS; i++)
		cell[i].turn = i;
	for (unsigned i = 0; i < MANY; i++) {
		while (!put(i))
			while (get(&value))
				total += value;
	}
	add(NULL);
	pthread_create(&other, NULL, add, NULL);
	pthread_join(other, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	printf("%lld\n", t.tv_sec * 1000000000ll + t.tv_nsec);
	return total == 42;
}
