/* SPDX-License-Identifier: ISC */
/* finding: livelock; models: sc tso; options: --max-steps 3000 --executions 100 */
/* graph: rc11 ra sc tso; random: rc11 */
/* A thread polls under a lock for a flag that the other one, if it is late, never sets. */
#include "../clean/two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int late, set;

static void *setter(void *arg)
{
	pthread_mutex_lock(&lock);
	set = !late;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *poller(void *arg)
{
	int seen;

	do {
		pthread_mutex_lock(&lock);
		late = 1;
		seen = set;
		pthread_mutex_unlock(&lock);
	} while (!seen);
	return arg;
}

int main(void)
{
	two(setter, NULL, poller, NULL);
	return 0;
}
