/* SPDX-License-Identifier: ISC */
/*
 * Only the worker accesses the result; still, main must not free it before the worker is done.
 *
 * verdict rc11 heap
 * verdict tso heap -- --strategy dfs
 * verdict tso heap -- --strategy random
 * options --strategy graph
 * report rc11 "use after free: nothing orders the use of a block before its free: " "stores work#1->result[1] at" "frees work#1 at" @use @free
 */
#include "../clean/two.h"

struct work {
	atomic_int begun;
	int result[3];
};

static void *work(void *arg)
{
	struct work *w = arg;

	atomic_store(&w->begun, 1);
	w->result[1] = 7; /* @use */
	return NULL;
}

int main(void)
{
	struct work *w = calloc(1, sizeof(*w));
	pthread_t t;

	pthread_create(&t, NULL, work, w);
	if (atomic_load(&w->begun))
		free(w); /* @free */
	pthread_join(t, NULL);
	return 0;
}
