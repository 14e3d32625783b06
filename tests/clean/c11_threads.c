/* SPDX-License-Identifier: ISC */
/* threads.h: create, join with a result, exit, detach, current, yield, sleep. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static atomic_int detached_ran;

static int negative(void *arg)
{
	assert(!thrd_equal(thrd_current(), *(thrd_t *)arg));
	thrd_yield();
	return -7;
}

static int exits(void *arg)
{
	struct timespec t = {0, 1000};

	assert(thrd_sleep(&t, NULL) == 0);
	thrd_exit(*(int *)arg + 1);
}

static int detached(void *arg)
{
	detached_ran = 1;
	return 0;
}

int main(void)
{
	thrd_t self = thrd_current(), a, b, c;
	int ra = 0, rb = 0, value = 41;

	assert(thrd_create(&a, negative, &self) == thrd_success);
	assert(thrd_create(&b, exits, &value) == thrd_success);
	assert(thrd_create(&c, detached, NULL) == thrd_success);
	assert(thrd_detach(c) == thrd_success);
	assert(thrd_join(a, &ra) == thrd_success && ra == -7);
	assert(thrd_join(b, &rb) == thrd_success && rb == 42);
	while (!detached_ran)
		thrd_yield();
	printf("%d %d\n", ra, rb);
	return 0;
}
