/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso ra rc11 */
/* Blocks that go from thread to thread and are freed by the last: by a reference count, a lock,
 * join. */
#include "two.h"

struct item {
	atomic_int users;
	int used_by[2];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *slot;
static struct item *item;

static void *counted(void *arg)
{
	int me = *(int *)arg;

	item->used_by[me] = 1;
	if (atomic_fetch_sub_explicit(&item->users, 1, memory_order_acq_rel) == 1) {
		assert(item->used_by[0] && item->used_by[1]);
		free(item);
	}
	return NULL;
}

static void *exchange(void *arg)
{
	char *mine = malloc(5), *other;

	strcpy(mine, "four");
	pthread_mutex_lock(&lock);
	other = slot;
	slot = mine;
	pthread_mutex_unlock(&lock);
	if (other) {
		assert(strlen(other) == 4 && !memcmp(other, "four", 5));
		free(other);
	}
	return counted(arg);
}

int main(void)
{
	int zero = 0, one = 1;

	item = calloc(1, sizeof(*item));
	item->users = 2;
	two(exchange, &zero, exchange, &one);
	free(slot);
	printf("done\n");
	return 0;
}
