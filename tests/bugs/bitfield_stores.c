/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: tso pso; options: --strategy graph --minimise 0; cflags: -O0; reorder: no */
/* A thread ends with a lock that another one wants, which has stored to two bit-fields of three
 * bytes: each store is a load and a store there, which store buffers make in two parts. The
 * execution that the graph shows is repeated with them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
	unsigned a : 3, b : 7, c : 11;
	char d;
} fields;
static atomic_int ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	fields.a = 5;
	fields.b = 6;
	atomic_store_explicit(&ready, 1, memory_order_release);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *holder(void *arg)
{
	while (!atomic_load_explicit(&ready, memory_order_acquire)) {
	}
	pthread_mutex_lock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, holder, NULL);
	pthread_join(a, NULL);
	assert(fields.a == 5 && fields.b == 6);
	return 0;
}
