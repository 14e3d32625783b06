/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* A read lock that another thread holds is unlocked. */
#include "../clean/two.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *careless(void *arg)
{
	if (pthread_rwlock_trywrlock(&lock))
		pthread_rwlock_unlock(&lock);
	else
		pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	two(reader, NULL, careless, NULL);
	return 0;
}
