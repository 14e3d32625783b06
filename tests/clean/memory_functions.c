/* SPDX-License-Identifier: ISC */
/* memcpy, memmove, memset, memcmp and friends on memory that threads share, in many sizes; also the
 * compiler's own calls for struct copies and initialisers. */
#include "two.h"

#define N 100

struct big {
	char bytes[N];
};

static char from[2][N], to[2][N];
static struct big copy[2];
static atomic_int ready;

static void *produce(void *arg)
{
	memset(from[0], 'a', N);
	memset(from[1], 'b', 3);
	memcpy(from[1] + 3, from[0], 41);
	memmove(from[0] + 1, from[0], N - 1);
	from[0][0] = 'c';
	atomic_store_explicit(&ready, 1, memory_order_release);
	return arg;
}

static void *consume(void *arg)
{
	struct big local = {{0}};

	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	memcpy(to[0], from[0], N);
	memcpy(to[1], from[1], 7);
	memcpy(&local, from[0], sizeof(local));
	copy[0] = local;
	copy[1] = copy[0];
	return arg;
}

int main(void)
{
	two(produce, NULL, consume, NULL);
	printf("%.3s %.7s %d\n", to[0], to[1], memcmp(&copy[1], to[0], N));
	assert(!memcmp(to[1], "bbbaaaa", 7) && !memcmp(to[0], "caa", 3) && to[0][N - 1] == 'a');
	assert(!memcmp(&copy[1], to[0], N) && memchr(from[1], 'a', N) == from[1] + 3);
	return 0;
}
