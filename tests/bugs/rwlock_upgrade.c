/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* Two readers both want to become the writer without unlocking. */
#include "../clean/two.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *worker(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	if (!value) {
		pthread_rwlock_wrlock(&lock);
		value = 1;
	}
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	return 0;
}
