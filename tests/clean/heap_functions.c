/* SPDX-License-Identifier: ISC */
/* Every function that allocates: alignment, zeroes, contents kept by realloc, large blocks, blocks
 * that libc allocates and the program frees, and the other way round.
 * options: --strategy random --executions 50; */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <unistd.h>
#include "two.h"

static void aligned_to(void *p, uintptr_t alignment)
{
	assert(p && (uintptr_t)p % alignment == 0);
	memset(p, 1, 10);
	free(p);
}

static void alignments(void)
{
	void *p;

	aligned_to(malloc(10), 16);
	aligned_to(calloc(1, 10), 16);
	for (uintptr_t a = 16; a <= 1 << 16; a *= 4) {
		aligned_to(memalign(a, 10), a);
		aligned_to(aligned_alloc(a, a), a);
		assert(!posix_memalign(&p, a, 33));
		aligned_to(p, a);
	}
	aligned_to(valloc(10), 4096);
	aligned_to(pvalloc(10), 4096);
	assert(posix_memalign(&p, 3, 10) == EINVAL);
}

static void contents(void)
{
	char *p = calloc(1000, 3), *q;

	for (int i = 0; i < 3000; i++)
		assert(!p[i]);
	memset(p, 'a', 3000);
	p = realloc(p, 100000);
	assert(p[0] == 'a' && p[2999] == 'a' && malloc_usable_size(p) >= 100000);
	p = reallocarray(p, 10, 10);
	assert(p[0] == 'a' && p[99] == 'a');
	q = realloc(NULL, 5);
	assert(q && q != p);
	free(q);
	free(p);
	free(NULL);
	p = malloc(0);
	q = malloc(0);
	assert(p && q && p != q);
	free(p);
	free(q);
}

static void *large(void *arg)
{
	for (size_t n = 1 << 19; n < 1 << 21; n = 2 * n + 1) {
		char *p = malloc(n), *q = calloc(n, 1);

		assert(p && q && !q[0] && !q[n / 2] && !q[n - 1]);
		p[0] = p[n - 1] = q[n - 1] = 3;
		q = realloc(q, n + 100);
		assert(q[n - 1] == 3);
		free(p);
		free(q);
	}
	return NULL;
}

static void with_libc(void)
{
	char *line = malloc(2), *text, *copy = strdup("copied"), *part = strndup("copied", 3);
	FILE *f = fopen("/proc/self/status", "r");
	size_t n = 2;

	assert(f && getline(&line, &n, f) > 2 && !strncmp(line, "Name:", 5));
	fclose(f);
	free(line);
	assert(asprintf(&text, "%s %s %d", copy, part, 5) == 12 && !strcmp(text, "copied cop 5"));
	text = realloc(text, 1000);
	assert(!strcmp(text, "copied cop 5"));
	free(text);
	assert(asprintf(&text, "%500d", 7) == 500 && text[499] == '7');
	free(text);
	text = realpath("/proc/../", NULL);
	assert(!strcmp(text, "/"));
	free(text);
	text = getcwd(NULL, 0);
	assert(text[0] == '/' && !getcwd(NULL, 1) && errno == ERANGE);
	free(text);
	free(copy);
	free(part);
}

/* Through a volatile variable: else the compiler, knowing malloc, assumes that it succeeds. */
static int null(void *p)
{
	void *volatile seen = p;

	return !seen;
}

static void refused(void)
{
	volatile size_t huge = SIZE_MAX / 2 + 1, half = SIZE_MAX / 2;

	errno = 0;
	assert(null(malloc(huge)) && errno == ENOMEM);
	assert(null(malloc(half)) && null(calloc(half, 4)) && null(realloc(NULL, huge)));
	assert(null(reallocarray(NULL, half, 4)) && null(aligned_alloc(1 << 12, huge)));
}

int main(void)
{
	alignments();
	contents();
	with_libc();
	refused();
	two(large, NULL, large, NULL);
	puts("done");
	return 0;
}
