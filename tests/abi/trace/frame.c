/* SPDX-License-Identifier: ISC */
/*
 * frame.c - local variables whose address escapes are instrumented wherever they are accessed, in
 * calls too; those that do not escape never are.
 */
#include "../expect.h"

int shared;
int *leak;

/* The compiler knows that p does not escape from here; its store is an event all the same. */
static __attribute__((noinline)) void out(int *p)
{
	*p = shared;
}

static __attribute__((noinline)) int through(void)
{
	int local;

	out(&local);
	return local;
}

static __attribute__((noinline)) int kept(int n)
{
	int array[16];

	for (int i = 0; i < 16; i++)
		array[i] = i * n;
	return array[n & 15];
}

int main(void)
{
	shared = 3;
	__heddle_expect("plain_store4 shared 3");
	shared = through();
	__heddle_expect("plain_load4 shared");
	__heddle_expect("plain_store4 stack 3");
	__heddle_expect("plain_load4 stack");
	__heddle_expect("plain_store4 shared 3");
	kept(5);
	return 0;
}
