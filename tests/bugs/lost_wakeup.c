/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no; options: --strategy dfs --spurious 0 */
/* graph: rc11 sc; dfs: tso */
/*
 * The flag is set and signalled without the mutex: between the waiter's test and its wait.
 *
 * report sc "T1 waits for ever for condition c" "has signalled it too early: step" "before step"
 */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *signaller(void *arg)
{
	ready = true;
	pthread_cond_signal(&c);
	return arg;
}

int main(void)
{
	two(waiter, NULL, signaller, NULL);
	return 0;
}
