/* SPDX-License-Identifier: ISC */
/* A local variable of a thread is accessed when its function has returned and the thread has ended:
 * by a thread that continues after it has released the owner; or through a pointer that was returned.
 * verdict sc stack
 * verdict tso stack
 * verdict rc11 stack
 * report sc "use of the stack of a function that may have returned" "T1 returns from publish" "T2 changes"
 * verdict -DRETURNED sc stack
 * verdict -DRETURNED rc11 stack
 * report -DRETURNED rc11 "use of the stack of a function that has returned" "T1 returns from owner" "main loads"
 * verdict tso stack -- --strategy random
 * verdict pso stack -- --strategy pct
 * verdict -DRETURNED tso stack -- --strategy dfs
 * verdict -DOFF rc11 ok -- --detect=-stack
 * options --strategy graph
 */
#include "../clean/two.h"

static _Atomic(atomic_int *) shared;

#ifndef RETURNED
static __attribute__((noinline)) void publish(void)
{
	atomic_int local = 1;

	shared = &local;
	while (local == 1)
		;
}

static void *owner(void *arg)
{
	publish();
	return arg;
}

static void *other(void *arg)
{
	atomic_int *p = shared;

	if (p) {
		*p = 2;
		atomic_fetch_add(p, 1);
	} else {
		while (!(p = shared))
			;
		*p = 2;
	}
	return arg;
}

int main(void)
{
	two(owner, NULL, other, NULL);
	return 0;
}
#else
static int *volatile hidden;

static void *owner(void *arg)
{
	int local = 1;

	hidden = &local;
	return hidden;
}

int main(void)
{
	pthread_t t;
	void *p;

	pthread_create(&t, NULL, owner, NULL);
	pthread_join(t, &p);
	return *(int *)p < 0;
}
#endif
