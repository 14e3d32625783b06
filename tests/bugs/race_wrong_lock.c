/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso pso ra rc11; options: --strategy graph */
/*
 * Each thread takes a lock, but not the same one.
 *
 * report rc11 "holding mine" "holding yours" "not the same lock"
 */
#include "../clean/two.h"

static int counter;
static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER, yours = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *arg)
{
	pthread_mutex_lock(arg);
	counter++;
	pthread_mutex_unlock(arg);
	return arg;
}

int main(void)
{
	two(count, &mine, count, &yours);
	return 0;
}
