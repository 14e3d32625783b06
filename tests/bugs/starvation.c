/* SPDX-License-Identifier: ISC */
/* finding: starvation; models: sc; options: --detect=+starvation --executions 2000 --max-steps 2000; reorder: no */
/* graph: rc11 tso */
/* A server takes and releases a test-and-set lock for ever: main may never get it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void take(void)
{
	while (atomic_exchange(&lock, 1))
		;
}

static void give(void)
{
	atomic_store(&lock, 0);
}

static void *serve(void *arg)
{
	for (;;) {
		take();
		give();
	}
	return arg;
}

int main(void)
{
	pthread_t server;

	pthread_create(&server, NULL, serve, NULL);
	take();
	give();
	return 0;
}
