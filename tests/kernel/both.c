/* SPDX-License-Identifier: ISC */
/* Each of two threads raises its eventfd, and sleeps unless it sees the other's: one of them does. WRONG: they
 * announce themselves by atomics that are not seq_cst.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 deadlock reorder -- --strategy graph
 * verdict -DWRONG tso deadlock reorder -- --strategy graph
 * verdict -DWRONG pso deadlock reorder -- --strategy graph
 * verdict -DWRONG sc ok -- --strategy dfs
 */
#include "kernel.h"

static int raised[2], wake;
static atomic_int here[2];

static int announce(int self)
{
#ifdef WRONG
	atomic_store_explicit(&here[self], 1, memory_order_release);
	return atomic_load_explicit(&here[!self], memory_order_acquire);
#else
	struct pollfd other = {.fd = raised[!self], .events = POLLIN};

	(void)here;
	eventfd_write(raised[self], 1);
	return poll(&other, 1, 0);
#endif
}

static void *run(void *arg)
{
	int self = arg != NULL;
	eventfd_t n;

	if (announce(self))
		eventfd_write(wake, 1);
	else
		eventfd_read(wake, &n);
	return NULL;
}

int main(void)
{
	pthread_t t;

	raised[0] = eventfd(0, 0);
	raised[1] = eventfd(0, 0);
	wake = eventfd(0, 0);
	t = start(run, &wake);
	run(NULL);
	join(t);
	return 0;
}
