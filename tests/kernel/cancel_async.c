/* SPDX-License-Identifier: ISC */
/* A thread that computes until it is cancelled. WRONG: asynchronously, also in the middle of an
 * update.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion -- --strategy dfs
 * verdict -DWRONG tso assertion -- --strategy random
 */
#include "kernel.h"

static atomic_int begun, low, high;

static void *compute(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
#ifndef WRONG
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
#endif
	low++;
	high++;
	for (;;) {
#ifndef WRONG
		pthread_testcancel();
#endif
		begun;
	}
	return NULL;
}

int main(void)
{
	pthread_t t = start(compute, NULL);
	void *result;

	pthread_cancel(t);
	assert(!pthread_join(t, &result) && result == PTHREAD_CANCELED);
	assert(low == high || !low);
	return 0;
}
