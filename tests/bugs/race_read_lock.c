/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso rc11; options: --strategy graph */
/*
 * A write under a lock for reading.
 *
 * report rc11 "holding lock for reading" "both hold lock, but for reading only"
 */
#include "../clean/two.h"

static int hits;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *look(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	hits++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	two(look, NULL, look, NULL);
	return 0;
}
