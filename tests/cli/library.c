/* SPDX-License-Identifier: ISC */
/* library.c - a shared library with state of every kind; with -DPROGRAM, a program that uses it and checks in
 * every execution that the state is as it was. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int library_first(void);
int library_mine(void);
extern int library_count;

#ifndef PROGRAM

int library_count = 4;
static int zero;
static char big[300000];
static __thread int mine = 6;
static char *block;

__attribute__((constructor)) static void set_up(void)
{
	block = strcpy(malloc(30), "block");
}

/* Check that the state is the initial one, then change it. */
int library_first(void)
{
	int ok = library_count == 4 && !zero && !big[1] && !big[150000] && !big[299999] && mine == 6 &&
		!strcmp(block, "block");

	library_count++;
	zero = big[1] = big[150000] = big[299999] = 1;
	mine++;
	strcpy(block, "BLOCK");
	free(block);
	return ok;
}

int library_mine(void)
{
	return mine++;
}

#else

static void *worker(void *arg)
{
	*(int *)arg = library_mine();
	return NULL;
}

int main(void)
{
	int ok = library_first(), seen[3];
	pthread_t t[3];

	assert(ok && library_count == 5 && library_mine() == 7);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, &seen[i]);
	for (int i = 0; i < 3; i++) {
		pthread_join(t[i], NULL);
		assert(seen[i] == 6);
	}
	assert(library_mine() == 8);
	puts("done");
	return 0;
}

#endif
