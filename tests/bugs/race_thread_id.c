/* SPDX-License-Identifier: ISC */
/* finding: race; models: rc11; options: --strategy graph */
/*
 * A thread reads the id of one that is created later: pthread_create() may be storing it.
 *
 * report rc11 "main stores it at race_thread_id.c:26, T1 loads it at race_thread_id.c:17"
 */
#include <pthread.h>
#include <stddef.h>

static pthread_t id[2];

static void *child(void *arg)
{
	int *known = arg;

	*known = id[1] != 0;
	return NULL;
}

int main(void)
{
	int known[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&id[i], NULL, child, &known[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], NULL);
	return 0;
}
