/* SPDX-License-Identifier: ISC */
/* pthread_once: one initialiser, and its effects are visible to every thread that returns. */
#include "two.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inits, *table;

static void init(void)
{
	inits++;
	table = malloc(sizeof *table);
	*table = 17;
}

static void *worker(void *arg)
{
	assert(pthread_once(&once, init) == 0);
	assert(*table == 17);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	assert(inits == 1);
	free(table);
	puts("ok");
	return 0;
}
