/* SPDX-License-Identifier: ISC */
/* SB - store buffering: each thread writes one variable, then reads the other.
 *
 * In every interleaving of the four accesses, one of the two writes comes first, so the thread that
 * reads last must see it: at least one of r0 and r1 is 1. Real processors break this. A store waits
 * in the processor's store buffer before it reaches memory, and the load after it does not wait for
 * it, so both threads can read 0. Every x86 machine shows this.
 *
 * A sequentially consistent fence between the store and the load lets the store reach memory first
 * (-DFENCED). One fence is not enough: both threads need it (-DFENCED_X is only half a repair).
 *
 * verdict             sc   ok complete
 * verdict             tso  assertion reorder
 * verdict             pso  assertion reorder
 * verdict  -DFENCED_X tso  assertion reorder
 * verdict  -DFENCED   tso  ok complete
 * verdict  -DFENCED   pso  ok complete
 * options  --strategy dfs
 * report   tso  @store_x @load_y @store_y @load_x
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r0, r1;

static void *writer_x(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_release); /* @store_x */
#if defined(FENCED) || defined(FENCED_X)
	atomic_thread_fence(memory_order_seq_cst);
#endif
	r0 = atomic_load_explicit(&y, memory_order_acquire); /* @load_y */
	return arg;
}

static void *writer_y(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_release); /* @store_y */
#ifdef FENCED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	r1 = atomic_load_explicit(&x, memory_order_acquire); /* @load_x */
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer_x, NULL);
	pthread_create(&b, NULL, writer_y, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(r0 || r1);
	return 0;
}
