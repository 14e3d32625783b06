/* SPDX-License-Identifier: ISC */
/* Threads transfer money between accounts until main, which sleeps, stops them: they would go on for ever.
 * Wrong (depth 1): the last transfer is cut short. */
#include "scale.h"
#include <unistd.h>

#define WORKERS	 4
#define ACCOUNTS 8
#define MONEY	 1000

static pthread_mutex_t lock[ACCOUNTS];
static int money[ACCOUNTS];
static atomic_int stop;

static void transfer(int from, int to, int sum)
{
	int first = from < to ? from : to, second = from + to - first;

	pthread_mutex_lock(&lock[first]);
	pthread_mutex_lock(&lock[second]);
	money[from] -= sum;
#ifdef WRONG
	if (!stop)
#endif
		money[to] += sum;
	pthread_mutex_unlock(&lock[second]);
	pthread_mutex_unlock(&lock[first]);
}

static void *worker(void *number)
{
	unsigned seed = (unsigned)(intptr_t)number + 1;

	while (!stop) {
		int from = (int)(next_random(&seed) % ACCOUNTS);
		int to = (from + 1 + (int)(next_random(&seed) % (ACCOUNTS - 1))) % ACCOUNTS;

		transfer(from, to, (int)(next_random(&seed) % 10));
	}
	return NULL;
}

int main(void)
{
	int all = 0;

	for (int i = 0; i < ACCOUNTS; i++) {
		pthread_mutex_init(&lock[i], NULL);
		money[i] = MONEY;
	}
	start(0, WORKERS, worker);
	sleep(1);
	stop = 1;
	join(0, WORKERS);
	for (int i = 0; i < ACCOUNTS; i++)
		all += money[i];
	assert(all == ACCOUNTS * MONEY);
	return 0;
}
