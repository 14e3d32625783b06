/* SPDX-License-Identifier: ISC */
/* An event loop that an eventfd wakes. WRONG: the queue is emptied before the eventfd is read: what is
 * posted in between is not seen, and its wake-up is gone.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy random --executions 2000
 * verdict -DWRONG sc deadlock -- --strategy dfs
 * report -DWRONG rc11 "waits for ever for an eventfd to become ready"
 */
#include "kernel.h"

static int wake;
static atomic_int posted;

static void *post(void *arg)
{
	uint64_t one = 1;

	atomic_fetch_add(&posted, 1);
	assert(write(wake, &one, sizeof one) == sizeof one);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	uint64_t count;
	int done = 0;

	wake = eventfd(0, EFD_NONBLOCK);
	t[0] = start(post, NULL);
	t[1] = start(post, NULL);
	while (done < 2) {
		struct pollfd p = {wake, POLLIN, 0};

		poll(&p, 1, -1);
#ifdef WRONG
		done += atomic_exchange(&posted, 0);
		read(wake, &count, sizeof count);
#else
		read(wake, &count, sizeof count);
		done += atomic_exchange(&posted, 0);
#endif
	}
	join(t[0]);
	join(t[1]);
	return 0;
}
