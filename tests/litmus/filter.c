/* SPDX-License-Identifier: ISC */
/* Peterson's algorithm for three threads: two levels, and at each one thread stays behind.
 *
 * The same fences as for two threads: a full one after the victim is set, and under PSO a
 * store-store one before.
 *
 * verdict                sc   ok
 * verdict                tso  assertion reorder
 * verdict                pso  assertion reorder
 * verdict  -DFENCED      tso  ok
 * verdict  -DFENCED      pso  assertion reorder
 * verdict  -DFENCED_PSO  pso  ok
 */
#include "litmus.h"

#define N 3

#if defined(FENCED) || defined(FENCED_PSO)
#define FULL() atomic_thread_fence(memory_order_seq_cst)
#else
#define FULL() ((void)0)
#endif
#ifdef FENCED_PSO
#define STORE_STORE() atomic_thread_fence(memory_order_release)
#else
#define STORE_STORE() ((void)0)
#endif

static VAR level[N], victim[N];
static int counter;

static int somebody_at(int l, int me)
{
	for (int i = 0; i < N; i++)
		if (i != me && R(&level[i]) >= l)
			return 1;
	return 0;
}

static void enter_and_leave(int me)
{
	int seen;

	for (int l = 1; l < N; l++) {
		W(&level[me], l);
		STORE_STORE();
		W(&victim[l], me);
		FULL();
		while (R(&victim[l]) == me && somebody_at(l, me))
			;
	}
	seen = counter;
	counter = seen + 1;
	atomic_store_explicit(&level[me], 0, memory_order_release);
}

static void *a(void *arg)
{
	enter_and_leave(0);
	return arg;
}

static void *b(void *arg)
{
	enter_and_leave(1);
	return arg;
}

static void *c(void *arg)
{
	enter_and_leave(2);
	return arg;
}

int main(void)
{
	uintptr_t r[N];

	RUN(r, a, b, c);
	assert(counter == N);
	return 0;
}
