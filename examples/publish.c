/* SPDX-License-Identifier: ISC */
/*
 * publish.c - a message and a flag that announces it: right on x86, a data race in C11.
 *
 * The message is plain data, the flag is atomic, and both of its accesses are relaxed. x86 keeps
 * stores in order and loads in order, so that a reader that sees the flag sees the message. C11
 * promises that only if the store of the flag releases and the load acquires; ARM and POWER, and
 * compilers for every machine, may reorder otherwise. -DRELEASE does it right.
 *
 *   -DATOMIC   the message is (relaxed) atomic, too: no data race any more, but it may be missed
 *
 * verdict tso ok complete -- --strategy graph
 * verdict pso race -- --strategy graph
 * verdict rc11 race -- --strategy graph
 * verdict -DRELEASE rc11 ok complete -- --strategy graph
 * verdict -DATOMIC tso ok complete -- --strategy graph
 * verdict -DATOMIC rc11 assertion reorder -- --strategy graph
 * verdict -DATOMIC -DRELEASE rc11 ok complete -- --strategy graph
 * report rc11 "data race on message" @write "holding no lock" "they do not synchronise"
 * report -DATOMIC rc11 "although message = 1 (T1, " @write ") is already in memory"
 * report -DATOMIC rc11 "make the store to flag" "release, the load of flag"
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define ORDER_STORE memory_order_release
#define ORDER_LOAD  memory_order_acquire
#else
#define ORDER_STORE memory_order_relaxed
#define ORDER_LOAD  memory_order_relaxed
#endif

#ifdef ATOMIC
static atomic_int message;
#define WRITE(m) atomic_store_explicit(&message, m, memory_order_relaxed)
#define READ()	 atomic_load_explicit(&message, memory_order_relaxed)
#else
static int message;
#define WRITE(m) (message = (m))
#define READ()	 message
#endif

static atomic_int flag;

static void *sender(void *arg)
{
	WRITE(1); /* @write */
	atomic_store_explicit(&flag, 1, ORDER_STORE);
	return arg;
}

static void *receiver(void *arg)
{
	if (atomic_load_explicit(&flag, ORDER_LOAD))
		assert(READ() == 1);
	return arg;
}

int main(void)
{
	pthread_t s, r;

	pthread_create(&s, NULL, sender, NULL);
	pthread_create(&r, NULL, receiver, NULL);
	pthread_join(s, NULL);
	pthread_join(r, NULL);
	return 0;
}
