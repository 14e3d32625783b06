/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no */
/* Two initialisers need each other: each runs in one thread and waits for the other. */
#include "../clean/two.h"

static pthread_once_t a = PTHREAD_ONCE_INIT, b = PTHREAD_ONCE_INIT;

static void nothing(void)
{
}

static void init_a(void)
{
	pthread_once(&b, nothing);
}

static void init_b(void)
{
	pthread_once(&a, nothing);
}

static void *one(void *arg)
{
	pthread_once(&a, init_a);
	return arg;
}

static void *other(void *arg)
{
	pthread_once(&b, init_b);
	return arg;
}

int main(void)
{
	two(one, NULL, other, NULL);
	return 0;
}
