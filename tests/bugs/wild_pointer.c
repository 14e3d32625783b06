/* SPDX-License-Identifier: ISC */
/*
 * A pointer is overwritten by numbers before it is used: no address that a process can have. The
 * processor does not say which, and a report that says 0 would be wrong.
 *
 * verdict tso crash
 * verdict rc11 crash
 * options --strategy graph
 * report tso "no memory can have the address"
 * report rc11 "no memory can have the address"
 */
#include "../clean/two.h"

static int number;
static _Atomic(int *) current = &number;
static volatile int sink;

static void *user(void *arg)
{
	sink = *(volatile int *)current;
	return arg;
}

static void *scribbler(void *arg)
{
	current = (int *)0xa5a5fb23edb9bbe8;
	return arg;
}

int main(void)
{
	two(user, NULL, scribbler, NULL);
	return 0;
}
