/* SPDX-License-Identifier: ISC */
/* race.c - a race deep in a struct, each thread under a lock of its own, and a flag that would hand the data
 * over if both its ends were strong enough; then one race whose accesses are compiled into two places each. */
#include <pthread.h>
#include <stdatomic.h>

struct slot {
	int seq;
	char name[12];
};

static struct {
	atomic_int flag[2];
	struct slot slots[8];
	pthread_mutex_t in, out;
} queue = {.in = PTHREAD_MUTEX_INITIALIZER, .out = PTHREAD_MUTEX_INITIALIZER};

static void fill(struct slot *s)
{
	s->seq = 7; /* @fill */
}

static int look(const struct slot *s)
{
	return s->seq; /* @look */
}

static void put(int i, pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	fill(&queue.slots[3 + i]);
	pthread_mutex_unlock(lock);
	atomic_store_explicit(&queue.flag[i], 1, memory_order_release); /* @release */
}

static void get(int i, pthread_mutex_t *lock)
{
	if (!atomic_load_explicit(&queue.flag[i], memory_order_relaxed)) /* @relaxed */
		return;
	pthread_mutex_lock(lock);
	atomic_store_explicit(&queue.flag[i], look(&queue.slots[3 + i]), memory_order_relaxed);
	pthread_mutex_unlock(lock);
}

static void *producer(void *arg)
{
	put(0, &queue.in);
	put(1, &queue.in);
	return arg;
}

static void *consumer(void *arg)
{
	get(1, &queue.out);
	get(0, &queue.out);
	return arg;
}

static pthread_t begin(void *(*what)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, what, NULL); /* @create */
	return t;
}

int main(void)
{
	pthread_t a = begin(producer), b = begin(consumer);

	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
