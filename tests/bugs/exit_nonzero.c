/* SPDX-License-Identifier: ISC */
/* finding: exit; models: sc tso pso; reorder: no */
/* exit(3) by main, after its handlers, if the thread is late. */
#include "../clean/two.h"

static atomic_int answer;

static void *worker(void *arg)
{
	answer = 42;
	return arg;
}

static void handler(void)
{
	answer = 42;
}

int main(void)
{
	pthread_t t;

	atexit(handler);
	pthread_create(&t, NULL, worker, NULL);
	if (answer != 42)
		exit(3);
	pthread_join(t, NULL);
	return 0;
}
