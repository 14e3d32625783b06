/* SPDX-License-Identifier: ISC */
/* finding: race; models: rc11; options: --strategy graph */
/*
 * Double-checked locking with relaxed accesses: a thread that sees the pointer without the lock may
 * not see its target.
 *
 * report rc11 "data race on storage.size" "holding lock" "holding no lock" "they do not synchronise"
 */
#include "../clean/two.h"

struct config {
	int size;
};

static struct config storage;
static struct config *_Atomic config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void)
{
	struct config *c = atomic_load_explicit(&config, memory_order_relaxed);

	if (c)
		return c;
	pthread_mutex_lock(&lock);
	c = atomic_load_explicit(&config, memory_order_relaxed);
	if (!c) {
		storage.size = 42;
		c = &storage;
		atomic_store_explicit(&config, c, memory_order_relaxed);
	}
	pthread_mutex_unlock(&lock);
	return c;
}

static void *worker(void *arg)
{
	assert(get()->size == 42);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	return 0;
}
