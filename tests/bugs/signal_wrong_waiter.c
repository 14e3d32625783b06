/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/*
 * Two kinds of waiters on one condition, and a signal for one: it may wake the other kind.
 *
 * report sc "was for another thread"
 */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool ready[2];

static void *waiter(void *arg)
{
	bool *mine = arg;

	pthread_mutex_lock(&m);
	while (!*mine)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waiter, &ready[0]);
	pthread_create(&b, NULL, waiter, &ready[1]);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		ready[i] = true;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
		pthread_join(i ? b : a, NULL);
	}
	return 0;
}
