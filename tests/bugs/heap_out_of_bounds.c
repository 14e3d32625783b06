/* SPDX-License-Identifier: ISC */
/*
 * Two threads append to an array for one: the second lands past its end.
 *
 * verdict rc11 heap
 * verdict tso heap
 * verdict tso heap -- --strategy dfs
 * verdict tso heap -- --strategy random
 * verdict -DBEFORE rc11 heap
 * verdict -DSTRING rc11 heap
 * verdict -DSTRING tso heap -- --strategy dfs
 * options --strategy graph
 * report rc11 "out of bounds: store of 4 bytes right behind a block of 4 bytes" @store
 * report tso "out of bounds: store of 4 bytes right behind a block of 4 bytes" @store
 * report -DBEFORE rc11 "out of bounds: store of 4 bytes 4 bytes before a block of 4 bytes"
 * report -DSTRING rc11 "right behind a block of 4 bytes"
 */
#include "../clean/two.h"

static int *array;
static atomic_int used;

static void *append(void *arg)
{
#ifdef BEFORE
	array[-atomic_fetch_add(&used, 1)] = 1;
#elif defined(STRING)
	char text[8];

	if (atomic_fetch_add(&used, 1)) {
		strncpy(text, (char *)array, sizeof(text));
		assert(text[0] == 'x');
	}
#else
	array[atomic_fetch_add(&used, 1)] = 1; /* @store */
#endif
	return arg;
}

int main(void)
{
	array = malloc(sizeof(*array));
#ifdef STRING
	memset(array, 'x', sizeof(*array));
#endif
	two(append, NULL, append, NULL);
	free(array);
	return 0;
}
