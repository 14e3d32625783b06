/* SPDX-License-Identifier: ISC */
/* options: --strategy random --executions 300 --time 10 --detect=+leak; graph: sc tso rc11 */
/*
 * Blocks that something still points to when the program ends: a global, a static local,
 * thread-local storage, thread-specific data, the stack of main, a block of those; from the middle,
 * and with a tag.
 */
#include "two.h"

#include <stdint.h>
#include <stdlib.h>

static void *global;
static _Thread_local void *local;
static pthread_key_t key;

static void *keeps(void *arg)
{
	static void *kept;

	kept = malloc(24);
	return kept;
}

static __attribute__((noinline)) void keep_some(void)
{
	void **first = malloc(sizeof *first);
	uint64_t tagged = (uint64_t)(uintptr_t)malloc(32) | 5ull << 48;

	*first = (char *)malloc(40) + 7;
	global = first;
	local = malloc(sizeof tagged);
	*(uint64_t *)local = tagged;
	pthread_setspecific(key, malloc(56));
}

/* Remains of the last call count as pointers, too. */
static __attribute__((noinline)) void scrub(void)
{
	volatile char dead[8192];

	for (unsigned i = 0; i < sizeof dead; i++)
		dead[i] = 0;
}

int main(void)
{
	void *volatile on_stack = malloc(48);
	pthread_t u;

	pthread_key_create(&key, NULL);
	pthread_create(&u, NULL, keeps, NULL);
	pthread_join(u, NULL);
	keep_some();
	scrub();
	exit(on_stack == NULL);
}
