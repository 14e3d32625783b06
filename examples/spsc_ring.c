/* SPDX-License-Identifier: ISC */
/* A ring buffer for one producer and one consumer: no lock, no atomic read-modify-write.
 *
 * Only the producer writes `head`, only the consumer writes `tail`. Each publishes its index with a
 * release store, after it has written or read the slot.
 *
 * With -DBUG the producer's store of `head` is relaxed. TSO keeps it behind the slot; under PSO it
 * may overtake it, and the consumer reads what the slot held before.
 *
 * verdict         sc   ok
 * verdict         tso  ok
 * verdict         pso  ok
 * verdict  -DBUG  sc   ok
 * verdict  -DBUG  tso  ok
 * verdict  -DBUG  pso  assertion reorder
 * report   -DBUG  pso  @slot @publish
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 2
#define ITEMS 3
#define TRIES 4 /* each side gives up after so many attempts, so that every execution ends */

#ifdef BUG
#define PUBLISH_ORDER memory_order_relaxed
#else
#define PUBLISH_ORDER memory_order_release
#endif

static int slots[SLOTS];
static atomic_uint head, tail;

static bool put(int item)
{
	unsigned h = atomic_load_explicit(&head, memory_order_relaxed);

	if (h - atomic_load_explicit(&tail, memory_order_acquire) == SLOTS)
		return false;
	slots[h % SLOTS] = item;			    /* @slot */
	atomic_store_explicit(&head, h + 1, PUBLISH_ORDER); /* @publish */
	return true;
}

static bool get(int *item)
{
	unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);

	if (t == atomic_load_explicit(&head, memory_order_acquire))
		return false;
	*item = slots[t % SLOTS];
	atomic_store_explicit(&tail, t + 1, memory_order_release);
	return true;
}

static void *producer(void *arg)
{
	int next = 1;

	for (int i = 0; i < TRIES && next <= ITEMS; i++)
		next += put(next);
	return arg;
}

static void *consumer(void *arg)
{
	int next = 1, item = 0;

	for (int i = 0; i < TRIES && next <= ITEMS; i++) {
		if (!get(&item))
			continue;
		assert(item == next);
		next++;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, producer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
