/* SPDX-License-Identifier: ISC */
/* A flag saves wake-ups of a loop that is about to look anyway. WRONG: it is cleared after the look.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG tso deadlock
 */
#include "kernel.h"

static int wake;
static atomic_int pending, work;

static void *post(void *arg)
{
	work++;
	if (!atomic_exchange(&pending, 1))
		assert(!eventfd_write(wake, 1));
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	eventfd_t n;
	int done = 0;

	wake = eventfd(0, 0);
	for (int i = 0; i < 2; i++)
		t[i] = start(post, NULL);
	while (done < 2) {
		assert(!eventfd_read(wake, &n));
#ifdef WRONG
		done += atomic_exchange(&work, 0);
		pending = 0;
#else
		pending = 0;
		done += atomic_exchange(&work, 0);
#endif
	}
	for (int i = 0; i < 2; i++)
		join(t[i]);
	return 0;
}
