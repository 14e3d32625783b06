/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso; reorder: no */
/* main returns 0 without waiting for its thread; the exit handler sees its half-finished
 * work. */
#include "../clean/two.h"

static atomic_int begun, ended;

static void check(void)
{
	assert(begun == ended);
}

static void *worker(void *arg)
{
	begun++;
	ended++;
	return arg;
}

int main(void)
{
	pthread_t t;

	atexit(check);
	pthread_create(&t, NULL, worker, NULL);
	return 0;
}
