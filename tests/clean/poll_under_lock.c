/* SPDX-License-Identifier: ISC */
/* graph: sc tso rc11 */
/*
 * A loop that waits by locking, reading and unlocking: heddle_assume(false) cuts fruitless
 * iterations, whose every number would be a separate execution.
 */
#include "../../include/heddle/heddle.h"
#include <sched.h>

#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static bool ready;

static bool look(void)
{
	bool is_ready;

	pthread_mutex_lock(&m);
	is_ready = ready;
	pthread_mutex_unlock(&m);
	return is_ready;
}

static void *poll_it(void *arg)
{
	while (!look()) {
		sched_yield();
		heddle_assume(false);
	}
	return arg;
}

static void *set(void *arg)
{
	pthread_mutex_lock(&m);
	ready = true;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(poll_it, NULL, set, NULL);
	return 0;
}
