/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso rc11; options: --strategy graph */
/*
 * foreign_race.c - a function of the C library writes to shared memory, and nothing orders that and the read.
 *
 * report rc11 @write @read
 */
#include <pthread.h>
#include <stdio.h>

static char name[8] = "old";

static void *write_name(void *arg)
{
	name[0] = '?';
	snprintf(name, sizeof name, "new"); /* @write */
	return arg;
}

static void *read_name(void *arg)
{
	return name[2] == 'w' ? arg : NULL; /* @read */
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, write_name, NULL);
	pthread_create(&thread[1], NULL, read_name, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
