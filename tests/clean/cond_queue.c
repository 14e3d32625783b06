/* SPDX-License-Identifier: ISC */
/* A bounded queue of one slot with two conditions; waits are in loops, so spurious wake-ups do no
 * harm. */
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int slot, sum;

static void *producer(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		pthread_mutex_lock(&m);
		while (slot)
			pthread_cond_wait(&not_full, &m);
		slot = i;
		pthread_cond_signal(&not_empty);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		pthread_mutex_lock(&m);
		while (!slot)
			pthread_cond_wait(&not_empty, &m);
		assert(slot == i);
		sum += slot;
		slot = 0;
		pthread_cond_signal(&not_full);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int main(void)
{
	two(producer, NULL, consumer, NULL);
	assert(sum == 3);
	printf("%d\n", sum);
	return 0;
}
