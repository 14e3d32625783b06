/* SPDX-License-Identifier: ISC */
/*
 * A local variable is used that no thread has stored to: its address went to a function that stores
 * in some executions only, or to another thread, which uses it.
 *
 * verdict -O0 sc uninit noreorder
 * verdict -O1 tso uninit
 * verdict -O2 rc11 uninit
 * report -O2 rc11 "use of uninitialised memory: T2 uses a local variable that was never stored" @use
 * verdict -O2 ra uninit
 * verdict -O2 pso uninit -- --strategy random
 * verdict -O0 tso uninit -- --strategy pct
 * verdict -O1 sc uninit -- --strategy dfs
 * verdict -DPRINT -O0 rc11 uninit
 * verdict -DPRINT -O2 tso uninit -- --strategy random
 * verdict -DCALL -O0 rc11 uninit
 * verdict -DOTHER -O0 rc11 uninit
 * verdict -DOTHER -O2 sc uninit
 * verdict -DOTHER -O2 tso uninit -- --strategy random
 * verdict -DATOMIC rc11 uninit reorder
 * verdict -DATOMIC pso uninit reorder -- --strategy random
 * verdict -DATOMIC tso ok complete -- --strategy dfs
 * verdict -DARRAY -O0 rc11 uninit
 * verdict -DOFF rc11 ok -- --detect=-unwritten
 * options --strategy graph
 */
#include "../clean/two.h"

static atomic_bool set;
static volatile int sink;

#if defined(OTHER) || defined(ATOMIC)
struct job {
	atomic_int ready;
	int value;
};

static _Atomic(struct job *) shared;

static void *first(void *arg)
{
	struct job job;

	(void)arg;
#ifdef ATOMIC
	atomic_store_explicit(&job.ready, 0, memory_order_relaxed);
#endif
	atomic_store_explicit(&shared, &job, memory_order_relaxed);
	while (!set)
		;
	return NULL;
}

static void *second(void *arg)
{
	struct job *job = atomic_load_explicit(&shared, memory_order_relaxed);

#ifdef ATOMIC
	if (job)
		(void)atomic_load_explicit(&job->ready, memory_order_relaxed);
#else
	if (job && job->value == 3)
		sink = 1;
#endif
	set = true;
	return arg;
}
#else
static void *first(void *arg)
{
	set = true;
	return arg;
}

static __attribute__((noinline)) void store_maybe(int *p)
{
	if (set)
		*p = 1;
}

#ifdef CALL
static __attribute__((noinline)) void use(int value)
{
	if (value == 1)
		sink = 1;
}
#endif

static void *second(void *arg)
{
#ifdef ARRAY
	int array[(long)arg + 2], *x = &array[1];
#else
	int local, *x = &local;
#endif

	store_maybe(x);
#if defined(PRINT)
	printf("%d\n", *x);
#elif defined(CALL)
	use(*x);
#else
	if (*x == 1) /* @use */
		sink = 1;
#endif
	return arg;
}
#endif

int main(void)
{
	two(first, NULL, second, NULL);
	return 0;
}
