/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso; graph: sc tso rc11; dfs: sc tso */
/*
 * A thread joins another one, whose id pthread_create() has stored for main: the store is an event where others read it,
 * and the failing execution is repeated with it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_t worker;
static atomic_int done;

static void *work(void *arg)
{
	atomic_fetch_add(&done, 1);
	return arg;
}

static void *rest(void *arg)
{
	return arg;
}

static void *help(void *arg)
{
	int before = atomic_load(&done);

	pthread_join(worker, NULL);
	assert(before); /* not if it had to wait */
	return arg;
}

int main(void)
{
	pthread_t idle, helper;

	pthread_create(&idle, NULL, rest, NULL);
	pthread_create(&worker, NULL, work, NULL);
	pthread_create(&helper, NULL, help, NULL);
	pthread_join(helper, NULL);
	pthread_join(idle, NULL);
	return 0;
}
