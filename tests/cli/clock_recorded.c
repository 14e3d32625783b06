/* SPDX-License-Identifier: ISC */
/*
 * clock_recorded.c - C and C++: fails in one execution of four or so, and to repeat that takes half a
 * second, so that --time and interrupts come while the finding is confirmed, minimised and recorded.
 */
#include <assert.h>
#include <pthread.h>

#ifdef __cplusplus
#include <atomic>
using namespace std;
#else
#include <stdatomic.h>
#endif

#define TURNS 200000000

static atomic_int x, y;
static int a, b;

static void *first(void *arg)
{
	atomic_store(&x, 1);
	for (volatile int i = 0; i < TURNS; i++)
		;
	a = atomic_load(&y);
	return arg;
}

static void *second(void *arg)
{
	atomic_store(&y, 1);
	b = atomic_load(&x);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(a == b);
	return 0;
}
