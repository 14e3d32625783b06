/* SPDX-License-Identifier: ISC */
/* early_load.c - a load that the program does not make: gcc would make it before the loop. */
#include <pthread.h>

int shared, zero, sum;

__attribute__((noinline)) static int add(int n, int wanted)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		if (wanted)
			s += shared;
	return s;
}

static void *set(void *arg)
{
	shared = 1;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, set, NULL);
	sum = add(3, zero);
	pthread_join(t, NULL);
	return 0;
}
