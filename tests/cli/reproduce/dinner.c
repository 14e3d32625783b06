/* SPDX-License-Identifier: ISC */
/* dinner.c - for t_reproduce.sh: philosophers that take their forks in the right order, and once in another function, in
 * the order in which they lie. */
#include <pthread.h>
#include <stddef.h>

#define PHILOSOPHERS 4
#define COURSES	     12

static pthread_mutex_t fork_of[PHILOSOPHERS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static __attribute__((noinline)) void eat(int first, int second)
{
	pthread_mutex_lock(&fork_of[first]);
	pthread_mutex_lock(&fork_of[second]);
	pthread_mutex_unlock(&fork_of[second]);
	pthread_mutex_unlock(&fork_of[first]);
}

static __attribute__((noinline)) void eat_with_care(int a, int b)
{
	eat(a < b ? a : b, a < b ? b : a);
}

static __attribute__((noinline)) void eat_in_haste(int a, int b)
{
	eat(a, b);
}

static void *dine(void *arg)
{
	int me = (int)(size_t)arg, next = (me + 1) % PHILOSOPHERS;

	for (int i = 0; i < COURSES; i++)
		if (i == COURSES / 2)
			eat_in_haste(me, next);
		else
			eat_with_care(me, next);
	return arg;
}

int main(void)
{
	pthread_t t[PHILOSOPHERS];

	for (size_t i = 0; i < PHILOSOPHERS; i++)
		pthread_create(&t[i], NULL, dine, (void *)i);
	for (size_t i = 0; i < PHILOSOPHERS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
