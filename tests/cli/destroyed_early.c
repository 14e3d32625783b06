/* SPDX-License-Identifier: ISC */
/* destroyed_early.c - a signal after the mutex is released: the condition may be destroyed and freed by then. Twice, so
 * that executions go on after a signal that came in time. */
#include <pthread.h>
#include <stdlib.h>

struct completion {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int done;
};

static void *complete(void *arg)
{
	struct completion *c = arg;

	pthread_mutex_lock(&c->mutex);
	c->done = 1;
	pthread_mutex_unlock(&c->mutex);
	pthread_cond_signal(&c->changed);
	return NULL;
}

int main(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++) {
		struct completion *c = malloc(sizeof *c);

		pthread_mutex_init(&c->mutex, NULL);
		pthread_cond_init(&c->changed, NULL);
		c->done = 0;
		pthread_create(&thread[i], NULL, complete, c);
		pthread_mutex_lock(&c->mutex);
		while (!c->done)
			pthread_cond_wait(&c->changed, &c->mutex);
		pthread_mutex_unlock(&c->mutex);
		pthread_cond_destroy(&c->changed);
		pthread_mutex_destroy(&c->mutex);
		free(c);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
