/* SPDX-License-Identifier: ISC */
/*
 * parts.c - calls part.c, which may be instrumented by another compiler: its results must be right
 * in every execution, natively and explored. With RACE, nothing orders the two.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

extern volatile int ready;
extern int counter;
void produce(int n);
int consume(void);
void take_turn(int mine);
int wide_sum(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *locked(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		produce(3);
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *turns(void *arg)
{
	take_turn(arg != NULL);
	return arg;
}

#ifdef RACE
static void *plain(void *arg)
{
	produce(3);
	return arg;
}
#define locked plain
#endif

static void both(void *(*f)(void *))
{
	pthread_t a, b;

	pthread_create(&a, NULL, f, NULL);
	pthread_create(&b, NULL, f, (void *)1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

int main(void)
{
	int sum;

	both(locked);
	sum = consume();
#ifndef RACE
	assert(ready == 4 && counter == 4);
	assert(sum == 3 + 5 + 4 + 43 + 4 + 'a' + 3);
#endif
	both(turns);
	assert(counter == 8 || ready != 4);
	printf("%d %d\n", sum, wide_sum());
	return 0;
}
