/* SPDX-License-Identifier: ISC */
/* places.c - a program's own wrappers of atomics: uses that need their orders and uses that do not. */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef MARK
#define MARK
#endif

static atomic_int flag, count, ticket, hint;
static int data;

static inline void put(atomic_int *p, int v)
{
	atomic_store_explicit(p, v, memory_order_release);
}

static inline int get(atomic_int *p)
{
	return atomic_load_explicit(p, memory_order_acquire);
}

static inline void put_as(atomic_int *p, int v, memory_order order)
{
	atomic_store_explicit(p, v, order);
}

static inline MARK void raise_twice(atomic_int *p)
{
	if (atomic_fetch_add_explicit(p, 1, memory_order_acq_rel) == 1)
		atomic_fetch_add_explicit(p, 1, memory_order_acq_rel);
}

static void *writer(void *p)
{
	data = 1;
	put(&flag, 1);
	put(&count, 1); /* needs nothing */
	put_as(&hint, 1, memory_order_release); /* needs nothing */
	raise_twice(&ticket);
	return p;
}

static void *reader(void *p)
{
	if (get(&flag))
		assert(data == 1);
	(void)get(&count); /* needs nothing */
	(void)atomic_load_explicit(&hint, memory_order_relaxed);
	put_as(&count, 2, memory_order_release); /* needs nothing */
	raise_twice(&ticket);
	return p;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}
