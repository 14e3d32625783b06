/* SPDX-License-Identifier: ISC */
/* A local variable is accessed by another thread when its function may have returned, or has, while the
 * thread of the function goes on: works with other functions, or, -DMAIN, is main. -DOFF: it is another's then.
 * verdict sc stack
 * verdict tso stack
 * verdict rc11 stack
 * report rc11 "use of the stack of a function that may have returned" "T1 returns from publish" "T2 changes"
 * report rc11 "T1 at step" "T2 at step"
 * verdict -DMAIN rc11 stack
 * verdict -DMAIN tso stack
 * report -DMAIN rc11 "use of the stack of a function that has returned" "main returns from start" "T1 stores"
 * verdict -DARRAY -O0 rc11 stack
 * verdict tso stack -- --strategy random
 * verdict -DMAIN sc stack -- --strategy dfs
 * verdict -DARRAY -O0 pso stack -- --strategy mixed
 * verdict -DOFF tso ok -- --strategy random --executions 20000 --detect=-stack
 * verdict -DOFF rc11 race -- --detect=-stack
 * options --strategy graph
 */
#include "../clean/two.h"

#ifndef MAIN
static _Atomic(atomic_int *) shared;
static atomic_int work;

static __attribute__((noinline)) void publish(int n)
{
#ifdef ARRAY
	atomic_int locals[n + 4], *p = locals + n;
#else
	atomic_int local, *p = &local;
#endif

	*p = 1;
	shared = p;
	while (*p == 1)
		;
}

static __attribute__((noinline)) int elsewhere(void)
{
	char text[100];

	sprintf(text, "%d", work++);
	return text[0];
}

static void *owner(void *arg)
{
	publish(7);
	elsewhere();
	work++;
	return arg;
}

static void *other(void *arg)
{
	atomic_int *p;

	while (!(p = shared))
		;
	*p = 2;
	atomic_fetch_add(p, 1);
	return arg;
}

int main(void)
{
	two(owner, NULL, other, NULL);
	return 0;
}
#else
static atomic_int go, done;

static void *worker(void *p)
{
	while (!go)
		;
	*(int *)p = 3;
	done = 1;
	return NULL;
}

static __attribute__((noinline)) pthread_t start(void)
{
	int result = 0;
	pthread_t t;

	pthread_create(&t, NULL, worker, &result);
	return t;
}

int main(void)
{
	pthread_t t = start();

	go = 1;
	while (!done)
		;
	return pthread_join(t, NULL);
}
#endif
