/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: pso; reorder: yes */
/* Double-checked initialisation whose pointer is published by a plain store: under PSO the pointer
 * arrives before what it points to. Clean on x86, which is why it is so common. */
#include "../clean/two.h"

struct config {
	int size;
};

static struct config storage;
static struct config *volatile config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void)
{
	if (!config) {
		pthread_mutex_lock(&lock);
		if (!config) {
			storage.size = 42;
			config = &storage;
		}
		pthread_mutex_unlock(&lock);
	}
	return config;
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
