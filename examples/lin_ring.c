/* SPDX-License-Identifier: ISC */
/* A ring for one producer and one consumer: is it a bounded queue?
 *
 * Release and acquire are enough to pass values on, and no assertion about values ever fails. Yet
 * no queue behaves like this ring: its producer can find it full while its consumer finds it empty.
 * Each reads the other's counter while its own new one is still in the store buffer: store
 * buffering, in a common data structure. A producer that takes `full` as a sign that the consumer
 * has work to do, and a consumer that sleeps when the ring is empty, wait for each other.
 *
 * The program says only where operations begin and end, and what it should be: heddle/lin.h. With
 * -DFIX the counters are seq_cst.
 *
 * verdict         sc   ok
 * verdict         tso  linearizability reorder
 * verdict         pso  linearizability reorder
 * verdict  -DFIX  tso  ok
 * verdict  -DFIX  pso  ok
 * report          tso  "enq(3) -> false" "deq() -> empty" "would have to return"
 */
#include <heddle/lin.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROOM 2

#ifdef FIX
#define GET memory_order_seq_cst
#define PUT memory_order_seq_cst
#else
#define GET memory_order_acquire
#define PUT memory_order_release
#endif

static atomic_int head, tail; /* taken, put in so far */
static int slot[ROOM];

static void enqueue(int v)
{
	int t = atomic_load_explicit(&tail, memory_order_relaxed), room;

	heddle_op_begin("enq", v);
	room = t - atomic_load_explicit(&head, GET) < ROOM;
	if (room) {
		slot[t % ROOM] = v;
		atomic_store_explicit(&tail, t + 1, PUT);
	}
	heddle_op_end(room);
}

static void dequeue(void)
{
	int h = atomic_load_explicit(&head, memory_order_relaxed);
	int64_t v = HEDDLE_EMPTY;

	heddle_op_begin("deq", 0);
	if (atomic_load_explicit(&tail, GET) != h) {
		v = slot[h % ROOM];
		atomic_store_explicit(&head, h + 1, PUT);
	}
	heddle_op_end(v);
}

static void *producer(void *arg)
{
	enqueue(1);
	enqueue(2);
	enqueue(3);
	return arg;
}

static void *consumer(void *arg)
{
	dequeue();
	dequeue();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	heddle_specify(&heddle_spec_bounded_queue, ROOM);
	pthread_create(&a, NULL, producer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
