/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* A read-write lock is used after it has been destroyed. */
#include "../clean/two.h"

static pthread_rwlock_t lock;

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_rwlock_init(&lock, NULL);
	pthread_create(&t, NULL, reader, NULL);
	pthread_rwlock_destroy(&lock);
	pthread_join(t, NULL);
	return 0;
}
