/* SPDX-License-Identifier: ISC */
/* test.c - a test of the same code: with 1, two transfers; 2, a rate that is withdrawn; 3, one way only; 4, a transfer and an audit. */
#include <stdlib.h>
#include "bank.h"

static int which;

static void *other(void *unused)
{
	if (which == 1)
		transfer(1, 0, 2);
	else if (which == 2)
		set_rate(NULL);
	else if (which == 3)
		transfer(0, 1, 2);
	else
		audit();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;

	which = argc > 1 ? atoi(argv[1]) : 1;
	if (which == 2)
		set_rate(new_rate(5));
	pthread_create(&t, NULL, other, NULL);
	if (which == 1 || which == 3)
		transfer(0, 1, 3);
	else if (which == 2)
		interest(10);
	else
		transfer(1, 0, 3);
	pthread_join(t, NULL);
	return 0;
}
