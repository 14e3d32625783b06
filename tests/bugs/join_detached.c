/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* The thread detaches itself, which main does not know. */
#include "../clean/two.h"

static void *worker(void *arg)
{
	pthread_detach(pthread_self());
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return 0;
}
