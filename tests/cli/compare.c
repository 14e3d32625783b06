/* SPDX-License-Identifier: ISC
 *
 * compare.c - store buffering and message passing, to be compared under two models.
 *
 * Variables are not static, as the compiler could remove static ones. -DOBSERVE: values read are
 * observed; without it there are the globals r0 and r1, which no other thread reads. -DRESULT:
 * values read are the threads' results. -DMP: message passing. -DASSERT: it is asserted. -DPLAIN:
 * the message is plain. -DBROKEN: wrong under any model. -DHEAP: on the heap, which is not state.
 */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct {
	atomic_int x, y;
#ifdef PLAIN
	int data;
#else
	atomic_int data;
#endif
} shared;
int r0, r1;
int *kept;

#define get(p)	  atomic_load_explicit(p, memory_order_relaxed)
#define set(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static void *keep(int *where, int value)
{
#if defined(RESULT)
	return (void *)(intptr_t)value;
#elif defined(HEAP)
	kept[where == &r1] = value;
#else
	*where = value;
#endif
	return NULL;
}

#ifdef PLAIN
static void put_data(int v) { shared.data = v; }
static int get_data(void) { return shared.data; }
#else
static void put_data(int v) { set(&shared.data, v); }
static int get_data(void) { return get(&shared.data); }
#endif

#ifdef MP
static void *one(void *arg)
{
	put_data(1);
	set(&shared.x, 1);
	return NULL;
}

static void *two(void *arg)
{
	int ready = get(&shared.x), data = ready ? get_data() : 0;

#ifdef ASSERT
	assert(!ready || data);
#endif
	keep(&r0, ready);
	return keep(&r1, data);
}
#else
static void *one(void *arg)
{
	set(&shared.x, 1);
	return keep(&r0, get(&shared.y));
}

static void *two(void *arg)
{
	set(&shared.y, 1);
	return keep(&r1, get(&shared.x));
}
#endif

int main(void)
{
	pthread_t a, b;

	kept = calloc(2, sizeof *kept);
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#ifdef OBSERVE
	heddle_observe("r0", r0);
	heddle_observe("r1", r1);
#endif
#ifdef BROKEN
	assert(!get(&shared.x));
#endif
	free(kept);
	return 0;
}
