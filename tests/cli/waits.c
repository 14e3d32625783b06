/* SPDX-License-Identifier: ISC */
/* waits.c - three workers miss a wake-up that came long before they waited, with many steps in between. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int noise, start;

static void *worker(void *argument)
{
	pthread_mutex_lock(&m);
	pthread_cond_wait(&filled, &m);
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t t[3];

	pthread_cond_broadcast(&filled);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 40; i++) {
		pthread_mutex_lock(&m);
		noise++;
		pthread_mutex_unlock(&m);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return start;
}
