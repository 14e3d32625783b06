/* SPDX-License-Identifier: ISC */
/* MP - message passing: one thread writes a message and raises a flag, the other reads both.
 *
 * The flag is stored after the message, but nothing makes memory keep that order: the flag is a
 * relaxed store. Under TSO stores reach memory in order, so the program happens to work on x86.
 * Under PSO the flag may reach memory first, and the reader finds the flag up and no message.
 *
 * A release store of the flag (-DFENCED) keeps the message before it.
 *
 * verdict           sc   ok complete
 * verdict           tso  ok complete
 * verdict           pso  assertion reorder
 * verdict  -DFENCED pso  ok complete
 * options  --strategy dfs
 * report   pso  @message @flag
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FLAG_ORDER memory_order_release
#else
#define FLAG_ORDER memory_order_relaxed
#endif

static int message;
static atomic_int flag;

static void *sender(void *arg)
{
	message = 42;				     /* @message */
	atomic_store_explicit(&flag, 1, FLAG_ORDER); /* @flag */
	return arg;
}

static void *receiver(void *arg)
{
	if (atomic_load_explicit(&flag, memory_order_acquire))
		assert(message == 42);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, sender, NULL);
	pthread_create(&b, NULL, receiver, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
