/* SPDX-License-Identifier: ISC */
/* graph: tso rc11 */
/* Every byte of blocks of all sizes, and nothing beyond: copies, strings, large blocks,
 * alignment. */
#include "two.h"

static void use(size_t n, size_t alignment)
{
	char *p = alignment > 16 ? aligned_alloc(alignment, n) : malloc(n), *q;

	memset(p, 'x', n);
	p[n - 1] = 0;
	assert(strlen(p) == n - 1);
	assert(!memchr(p, 'y', n));
	q = strdup(p);
	assert(!strcmp(p, q));
	memcpy(q, p, n);
	q = realloc(q, n + 1);
	q[n] = 1;
	assert(p[n - 1] + q[n] == 1);
	free(p);
	free(q);
}

static void *worker(void *arg)
{
	for (size_t n = 1; n <= 40; n += 3)
		use(n, 16);
	use(4000, 16);
	use(256, 256);
	free(malloc(0));
	free(NULL);
	return arg;
}

int main(void)
{
	char *large = malloc(3 << 20), *larger = malloc(5 << 20);

	large[0] = large[(3 << 20) - 1] = 1;
	larger[0] = larger[(5 << 20) - 1] = large[0];
	two(worker, NULL, worker, NULL);
	free(large);
	free(larger);
	printf("done\n");
	return 0;
}
