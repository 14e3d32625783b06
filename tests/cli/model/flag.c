/* SPDX-License-Identifier: ISC */
/* A flag without release and acquire: the model in the file beside it says that this is a race. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int ready;

static void *publish(void *arg)
{
	(void)arg;
	data = 1;
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, publish, NULL);
	if (atomic_load_explicit(&ready, memory_order_relaxed))
		printf("%d\n", data);
	pthread_join(t, NULL);
	return 0;
}
