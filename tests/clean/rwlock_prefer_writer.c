/* SPDX-License-Identifier: ISC */
/* A lock that prefers writers: readers and writers still exclude each other, and all
 * make progress. */
#define _GNU_SOURCE
#include "two.h"

static pthread_rwlock_t lock;
static int value;

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	value++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *reader(void *arg)
{
	int first;

	pthread_rwlock_rdlock(&lock);
	first = value;
	assert(first == value);
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_rwlockattr_t attr;

	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&lock, &attr);
	two(writer, NULL, reader, NULL);
	two(writer, NULL, writer, NULL);
	assert(value == 3 && pthread_rwlock_destroy(&lock) == 0);
	puts("ok");
	return 0;
}
