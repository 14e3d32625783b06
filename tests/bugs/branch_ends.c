/* SPDX-License-Identifier: ISC */
/*
 * Branches that end in equal calls: each call has its line, whatever the optimiser makes of them.
 *
 * verdict -O0 sc misuse
 * verdict -O1 sc misuse
 * verdict -O2 tso misuse
 * report -O1 sc @unlocks
 * report -O2 tso @unlocks
 */
#include "../clean/two.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *checker(void *arg)
{
	if (pthread_rwlock_trywrlock(&lock))
		pthread_rwlock_unlock(&lock); /* @unlocks */
	else
		pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	two(reader, NULL, checker, NULL);
	return 0;
}
