/* SPDX-License-Identifier: ISC */
/* finding: threads; models: sc tso pso ra rc11; options: --detect=+threads; reorder: no */
/* graph: rc11 sc; dfs: tso */
/*
 * One thread is joined, one detaches itself, and the third is forgotten if the first was quick.
 *
 * report rc11 "T3 is neither joined nor detached when the program ends" @forgotten
 * report tso "T3 is neither joined nor detached when the program ends" @forgotten
 */
#include "../clean/two.h"

static atomic_bool quick;

static void *first(void *arg)
{
	atomic_store(&quick, true);
	return arg;
}

static void *second(void *arg)
{
	pthread_detach(pthread_self());
	return arg;
}

static void *third(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_create(&c, NULL, third, NULL); /* @forgotten */
	if (!atomic_load(&quick))
		pthread_join(c, NULL);
	pthread_join(a, NULL);
	return 0;
}
