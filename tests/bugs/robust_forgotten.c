/* SPDX-License-Identifier: ISC */
/* EOWNERDEAD is treated as success, and the mutex unlocked: the next thread cannot lock it.
 * verdict sc assertion noreorder
 * verdict rc11 assertion noreorder
 * report sc "unlock m  (its owner exits)" "lock m  (its owner has exited)" "unlock m  (never made consistent)"
 * report sc "lock m -> ENOTRECOVERABLE"
 * report rc11 "lock m  (its owner has exited)"
 * options --strategy graph
 */
#include "../clean/two.h"

static pthread_mutex_t m;

static void *leaves(void *arg)
{
	pthread_mutex_lock(&m);
	return arg;
}

static void *forgets(void *first)
{
	pthread_join(*(pthread_t *)first, NULL);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t robust;
	pthread_t a, b;

	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &robust);
	pthread_create(&a, NULL, leaves, NULL);
	pthread_create(&b, NULL, forgets, &a);
	pthread_join(b, NULL);
	assert(pthread_mutex_lock(&m) == 0);
	pthread_mutex_unlock(&m);
	return 0;
}
