/* SPDX-License-Identifier: ISC */
/* names_heap.c - heap memory that is named only by expressions in the source. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct link {
	struct link *next;
};

struct job {
	int id;
	struct link link;
	pthread_mutex_t lock;
};

struct ring {
	size_t n;
	union {
		uint64_t raw;
		struct {
			uint32_t lock, ticket;
		} half;
		void *owner;
	} tag;
	struct {
		int full;
		union {
			long number;
			double real;
		} u;
	} slots[];
};

struct pool {
	pthread_mutex_t lock;
	struct {
		pthread_mutex_t lock;
		pthread_cond_t filled;
	} queue;
	struct {
		struct job *first;
		uintptr_t version;
	} top;
	unsigned __int128 both;
};

char *arena;
void *kept[2]; /* so that an optimiser keeps the stores */

/* An optimiser would make a flag and a variable of these. */
static int limit = 5;
static struct job *table;

static void *allocate(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		abort();
	return p;
}

static void acquire(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
}

static void *worker(void *argument)
{
	struct job *job = argument;
	struct job *carved = (void *)(arena + 128);

	acquire(&job->lock);
	job->link.next = &job->link;
	pthread_mutex_unlock(&job->lock);
	carved->id = 6;
	return NULL;
}

static __attribute__((noinline)) int total(void)
{
	return limit + table[1].id;
}

int main(void)
{
	struct pool *pool;
	struct ring *ring;
	struct job *jobs;
	long *numbers;
	pthread_t t;

	pool = allocate(sizeof(*pool));
	ring = malloc(sizeof(*ring) + 3 * sizeof(ring->slots[0]));
	jobs = calloc(3, sizeof(struct job));
	numbers = allocate(4 * sizeof(long));
	arena = malloc(1000);
	kept[0] = ring;
	kept[1] = numbers;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_mutex_init(&pool->queue.lock, NULL);
	pthread_cond_init(&pool->queue.filled, NULL);
	pthread_mutex_init(&jobs[1].lock, NULL);
	pthread_create(&t, NULL, worker, &jobs[1]);
	pthread_join(t, NULL);
	acquire(&pool->queue.lock);
	pthread_cond_signal(&pool->queue.filled);
	ring->n = 3;
	ring->tag.owner = pool;
	__atomic_store_n(&ring->tag.half.ticket, 2, __ATOMIC_RELAXED);
	ring->slots[2].u.real = 0.5;
	numbers[3] = 7;
	pool->both = (unsigned __int128)5 << 64 | (uintptr_t)&jobs[2];
	__typeof__(pool->top) top = {&jobs[1], 9};
	__atomic_store(&pool->top, &top, __ATOMIC_RELAXED);
	table = calloc(2, sizeof(*table));
	kept[0] = total() ? ring : NULL;
	limit = 42;
	table[1].id = 8;
	assert(numbers[3] + total() == 0);
	return 0;
}
