/* SPDX-License-Identifier: ISC */
/* options: --strategy random --executions 1000 --time 10 --detect=+uninit; graph: sc tso rc11 */
/*
 * Memory that has not been initialised is copied, without consequence: padding, a field that is
 * valid only sometimes, what is beyond a string; other memory comes from calloc(), memset(), realloc(), a
 * system call.
 */
#include "../clean/two.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
	char kind;
	/* padding */
	long value;
	int only_for_two;
	unsigned low : 3, high : 5;
};

static _Atomic(struct item *) shared;

static size_t word_length(const char *s)
{
	for (const uint64_t *w = (const void *)s;; w++)
		if ((*w - 0x0101010101010101) & ~*w & 0x8080808080808080)
			for (s = (const char *)w;; s++)
				if (!*s)
					return (size_t)(s - (const char *)w);
}

static void *maker(void *arg)
{
	struct item *a = malloc(sizeof *a), *b = malloc(sizeof *b);
	char *text = malloc(16);

	a->kind = 1;
	a->value = 3;
	a->low = 1;
	*b = *a; /* padding and all */
	memcpy(a, b, sizeof *a);
	int second = a->only_for_two;
	if (a->kind == 2 && second == 7)
		abort();
	if (a->low != 1)
		abort();
	memcpy(text, "abc", 4);
	if (word_length(text) != 3)
		abort();
	free(text);
	free(b);
	atomic_store(&shared, a);
	return arg;
}

static void *user(void *arg)
{
	struct item *a = atomic_load(&shared);
	int *zero = calloc(4, sizeof *zero), *grown;
	char *bytes = malloc(8);
	int fd = open("/proc/self/status", O_RDONLY);

	if (a && a->value != 3)
		abort();
	if (zero[2])
		abort();
	zero[0] = 5;
	grown = realloc(zero, 8 * sizeof *grown);
	if (grown[0] != 5 || grown[3])
		abort();
	memset(bytes, 1, 8);
	if (bytes[7] != 1)
		abort();
	if (read(fd, bytes, 4) == 4 && bytes[0] != 'N')
		abort();
	close(fd);
	free(bytes);
	free(grown);
	return arg;
}

int main(void)
{
	struct item *left;

	two(maker, NULL, user, NULL);
	left = shared;
	free(left);
	return 0;
}
