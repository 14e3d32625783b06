/* SPDX-License-Identifier: ISC */
/* service.c - the program in production: threads that call the bank until it fails. */
#include <string.h>
#include "bank.h"

static void *forth(void *unused)
{
	for (;;)
		transfer(0, 1, 1);
	return unused;
}

static void *back(void *unused)
{
	for (;;)
		transfer(1, 0, 1);
	return unused;
}

static void *rates(void *r)
{
	for (;;) {
		set_rate(r);
		set_rate(NULL);
	}
	return r;
}

static volatile long sink;

static void *customers(void *unused)
{
	for (;;)
		sink += interest(100);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	int hangs = argc > 1 && !strcmp(argv[1], "hang");

	pthread_create(&t, NULL, hangs ? forth : rates, hangs ? NULL : new_rate(3));
	pthread_create(&u, NULL, hangs ? back : customers, NULL);
	pthread_join(t, NULL);
	return 0;
}
