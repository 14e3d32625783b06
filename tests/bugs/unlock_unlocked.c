/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* Unlocked twice, unless the other thread locks it in between. */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int visits;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (visits++)
		pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	return 0;
}
