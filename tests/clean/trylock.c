/* SPDX-License-Identifier: ISC */
/* trylock: never two threads inside; a thread that finds it busy takes another path. */
#include <errno.h>
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static atomic_int skipped, entered;

static void *worker(void *arg)
{
	int error = pthread_mutex_trylock(&m);

	if (error) {
		assert(error == EBUSY);
		skipped++;
		return arg;
	}
	assert(++inside == 1);
	entered++;
	inside--;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	assert(skipped + entered == 2 && entered >= 1);
	puts("ok");
	return 0;
}
