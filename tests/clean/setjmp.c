/* SPDX-License-Identifier: ISC */
/* setjmp and longjmp within a thread, also across frames, with switches between threads. */
#include <setjmp.h>
#include "two.h"

static atomic_int attempts;

static void deep(jmp_buf env, int depth, int value)
{
	atomic_fetch_add(&attempts, 1);
	if (depth == 0)
		longjmp(env, value);
	deep(env, depth - 1, value);
}

static void *worker(void *arg)
{
	jmp_buf env;
	volatile int rounds = 0;
	int got = setjmp(env);

	rounds++;
	if (got < 3)
		deep(env, 2, got + 1);
	*(int *)arg = rounds * 10 + got;
	return NULL;
}

int main(void)
{
	int a = 0, b = 0;

	two(worker, &a, worker, &b);
	printf("%d %d %d\n", a, b, attempts);
	assert(a == 43 && b == 43 && attempts == 18);
	return 0;
}
