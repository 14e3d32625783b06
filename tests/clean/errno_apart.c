/* SPDX-License-Identifier: ISC */
/* graph: sc rc11; random: tso */
/* errno_apart.c - each thread has an errno of its own: calls that fail in different ways, stores by
 * the program, and threads that run in between. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "two.h"

static atomic_int x, y;

static void *look(void *arg)
{
	int r = access("/heddle-none", F_OK);

	assert(r == -1 && errno == ENOENT);
	errno = 1;
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r = errno;
	atomic_load(&y);
	assert(r == 1 && errno == 1);
	return arg;
}

static void *make(void *arg)
{
	int r = mkdir("/tmp", 0700);

	assert(r == -1 && errno == EEXIST);
	errno = 2;
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_load(&x);
	assert(errno == 2);
	return arg;
}

int main(void)
{
	two(look, NULL, make, NULL);
	return 0;
}
