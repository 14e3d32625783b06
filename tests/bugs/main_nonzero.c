/* SPDX-License-Identifier: ISC */
/* finding: exit; models: sc tso pso; reorder: no */
/* main returns 3 when the second thread came first. */
#include "../clean/two.h"

static atomic_int first;

static void *worker(void *arg)
{
	int none = 0;

	atomic_compare_exchange_strong(&first, &none, *(int *)arg);
	return NULL;
}

int main(void)
{
	int one = 1, two_ = 2;

	two(worker, &one, worker, &two_);
	return first == 1 ? 0 : 3;
}
