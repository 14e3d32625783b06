/* SPDX-License-Identifier: ISC */
/* A thread that waits for another one, and cancels that when it is cancelled itself; the landing pad of
 * a variable is run like a handler. WRONG: it only detaches it, which then uses freed memory.
 *
 * cflags -fexceptions
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 heap -- --strategy graph
 * verdict -DWRONG sc heap -- --strategy dfs
 */
#include "kernel.h"

static atomic_int *work;
static int stop;

static void *child(void *arg)
{
	pthread_testcancel();
	atomic_fetch_add(work, 1);
	return NULL;
}

static void end_child(pthread_t *t)
{
	if (!stop)
		return;
#ifdef WRONG
	pthread_detach(*t);
#else
	pthread_cancel(*t);
	pthread_join(*t, NULL);
#endif
}

static void *parent(void *arg)
{
	pthread_t t __attribute__((cleanup(end_child))) = start(child, NULL);

	stop = 1;
	pthread_join(t, NULL);
	stop = 0;
	return NULL;
}

int main(void)
{
	pthread_t t;

	work = malloc(sizeof *work);
	atomic_init(work, 0);
	t = start(parent, NULL);
	pthread_cancel(t);
	join(t);
	free(work);
	return 0;
}
