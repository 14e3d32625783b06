/* SPDX-License-Identifier: ISC */
/* The value of a thread: returned, or given to pthread_exit() deep inside; identities; tryjoin. */
#define _GNU_SOURCE
#include <errno.h>
#include "two.h"

static pthread_t ids[2];

static void leave(int n)
{
	if (n == 0)
		pthread_exit((void *)0x1234);
	leave(n - 1);
}

static void *deep(void *arg)
{
	ids[0] = pthread_self();
	leave(3);
	return NULL;
}

static void *shallow(void *arg)
{
	ids[1] = pthread_self();
	return (char *)arg + 1;
}

int main(void)
{
	pthread_t a, b;
	void *ra, *rb;
	char c[2];
	int error;

	pthread_create(&a, NULL, deep, NULL);
	pthread_create(&b, NULL, shallow, c);
	error = pthread_tryjoin_np(a, &ra);
	assert(error == 0 || error == EBUSY);
	assert(!error || pthread_join(a, &ra) == 0);
	assert(pthread_join(pthread_self(), NULL) == EDEADLK);
	assert(pthread_join(b, &rb) == 0);
	assert(ra == (void *)0x1234 && rb == c + 1);
	assert(pthread_equal(a, ids[0]) && pthread_equal(b, ids[1]) && !pthread_equal(a, b));
	puts("ok");
	return 0;
}
