/* SPDX-License-Identifier: ISC */
/* An eventfd as a semaphore. WRONG: without EFD_SEMAPHORE the first reader takes all.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock
 */
#include "kernel.h"

static int fd;

static void *take(void *arg)
{
	uint64_t n;

	assert(!eventfd_read(fd, &n));
	return NULL;
}

int main(void)
{
	pthread_t t;

#ifdef WRONG
	fd = eventfd(0, 0);
#else
	fd = eventfd(0, EFD_SEMAPHORE);
#endif
	t = start(take, NULL);
	assert(!eventfd_write(fd, 2));
	take(NULL);
	join(t);
	return 0;
}
