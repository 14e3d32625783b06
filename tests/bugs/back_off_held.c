/* SPDX-License-Identifier: ISC */
/* finding: livelock; models: sc tso pso; reorder: no */
/* graph: rc11 sc tso; random: rc11 */
/* Two threads take a lock for a moment and try another one, which was never released. Each disturbs
 * the other, but no order of their steps lets one of them go on. */
#include "../clean/two.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;

static void *taker(void *arg)
{
	for (;;) {
		if (pthread_mutex_trylock(&first)) {
			sched_yield();
			continue;
		}
		if (!pthread_mutex_trylock(&held))
			break;
		pthread_mutex_unlock(&first);
		sched_yield();
	}
	pthread_mutex_unlock(&held);
	pthread_mutex_unlock(&first);
	return arg;
}

int main(void)
{
	pthread_mutex_lock(&held);
	two(taker, NULL, taker, NULL);
	return 0;
}
