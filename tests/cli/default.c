/* SPDX-License-Identifier: ISC */
/* default.c - programs that are long, that do not end, or have many threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef LENGTH
#define LENGTH 1000
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int row[LENGTH], turns;
static atomic_int rounds, stop, beats;

/* Some 12,000 accesses a thread, of which only the rounds are in any danger. */
static void *work(void *unused)
{
	for (int i = 0; i < 6; i++) {
		pthread_mutex_lock(&lock);
		for (int k = 0; k < LENGTH; k++)
			row[k]++;
		turns++;
		pthread_mutex_unlock(&lock);
#ifdef WRONG
		rounds = rounds + 1;
#else
		rounds++;
#endif
	}
	return unused;
}

static void *beat(void *unused)
{
	while (!stop)
		beats++; /* HERE */
	return unused;
}

static void *once(void *unused)
{
	pthread_mutex_lock(&lock);
	turns++;
	pthread_mutex_unlock(&lock);
	return unused;
}

/* Threads that each run to their end are too many executions, even so. */
static void *often(void *unused)
{
	for (int i = 0; i < 4000; i++)
		once(NULL);
	return unused;
}

static int run(int n, void *(*f)(void *))
{
	pthread_t t[80];

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, f, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "endless"))
		return run(1, beat);
	if (argc > 1 && !strcmp(argv[1], "many"))
		return run(80, once);
	if (argc > 1 && !strcmp(argv[1], "often"))
		return run(8, often);
	if (argc > 1 && !strcmp(argv[1], "slow"))
		return system("sleep 3") + run(2, once);
	run(3, work);
	assert(rounds == 18 && turns == 18 && row[LENGTH - 1] == 18);
	return 0;
}
