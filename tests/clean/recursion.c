/* SPDX-License-Identifier: ISC */
/* Recursion, with shared memory touched at every depth. */
#include "two.h"

static atomic_int calls;
static int memo[2][12];

static int fibonacci(int *m, int n)
{
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	if (n < 2)
		return n;
	if (!m[n])
		m[n] = fibonacci(m, n - 1) + fibonacci(m, n - 2);
	return m[n];
}

static void *worker(void *arg)
{
	int *m = arg;

	m[0] = fibonacci(m, 11);
	return NULL;
}

int main(void)
{
	two(worker, memo[0], worker, memo[1]);
	printf("%d %d %d\n", memo[0][0], memo[1][0], calls);
	assert(memo[0][0] == 89 && memo[1][0] == 89 && calls == 42);
	return 0;
}
