/* SPDX-License-Identifier: ISC */
/* A bounded number of attempts is not a spin loop: it ends though the mutex stays locked. */
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *taker(void *arg)
{
	int attempts = 0;

	while (attempts < 4 && pthread_mutex_trylock(&m))
		attempts++;
	assert(attempts == 4);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, taker, NULL);
	pthread_join(t, NULL);
	pthread_mutex_unlock(&m);
	puts("ok");
	return 0;
}
