/* SPDX-License-Identifier: ISC */
/* pthread_exit() in main: the others go on, and the process ends with the last of them, status
 * 0. */
#include "two.h"

static pthread_t main_thread;
static int value = 3;

static void *worker(void *arg)
{
	void *result;

	assert(pthread_join(main_thread, &result) == 0 && result == &value);
	puts("worker after main");
	return arg;
}

int main(void)
{
	pthread_t t;

	main_thread = pthread_self();
	pthread_create(&t, NULL, worker, NULL);
	pthread_detach(t);
	pthread_exit(&value);
}
