/* SPDX-License-Identifier: ISC */
/* finding: livelock; models: tso rc11; options: --strategy graph */
/* Waits for a write that never comes; each iteration allocates, writes and frees its own memory,
 * with no lasting effect. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int flag;

static void *waits(void *arg)
{
	for (;;) {
		int *p = malloc(sizeof *p);

		*p = atomic_load(&flag);
		if (*p)
			return p;
		free(p);
	}
}

int main(void)
{
	pthread_t t;
	void *p;

	pthread_create(&t, NULL, waits, NULL);
	pthread_join(t, &p);
	free(p);
	return 0;
}
