/* SPDX-License-Identifier: ISC */
/* libc says that there are several threads: libraries do without atomic operations otherwise.
 *
 * graph: rc11 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/single_threaded.h>

static void *work(void *argument)
{
	assert(!__libc_single_threaded);
	return argument;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	assert(!__libc_single_threaded);
	pthread_join(t, NULL);
	return 0;
}
