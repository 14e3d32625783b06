/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso rc11; random: sc rc11 */
/*
 * foreign_writes.c - functions of the C library write to shared memory: what they have written is the writing thread's,
 * though another thread is the first to read it, and two readers share a lock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int generation, sorted[4];
static char name[32];
static struct tm date;
static char *text;

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *write_all(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_rwlock_wrlock(&lock);
		time_t day = 86400 * ++generation;

		snprintf(name, sizeof name, "generation %d", generation);
		for (int k = 0; k < 4; k++)
			sorted[k] = (k * 3 + i) % 4;
		qsort(sorted, 4, sizeof sorted[0], compare);
		gmtime_r(&day, &date);
		free(text);
		text = malloc(16);
		strftime(text, 16, "%d", &date);
		pthread_rwlock_unlock(&lock);
	}
	return arg;
}

static void *read_all(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	if (generation) {
		assert(name[11] == '0' + generation && !name[12]);
		for (int k = 0; k < 4; k++)
			assert(sorted[k] == k);
		assert(date.tm_mday == generation + 1);
		assert(text[1] == '1' + generation);
	} else {
		assert(!name[11] && !date.tm_mday);
	}
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, i ? read_all : write_all, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	free(text);
	return 0;
}
