/* SPDX-License-Identifier: ISC */
/*
 * frame.c - local variables whose address escapes are instrumented wherever they are accessed, in
 * calls too; those that do not escape never are.
 */
#include "../expect.h"

#ifdef __clang__
#define ALONE __attribute__((noinline)) static
#else /* gcc looks into functions that it does not inline */
#define ALONE __attribute__((noipa)) static
#endif

int shared;
int *leak;
int variables_are_recorded;

/* The compiler knows that p does not escape from here; its store is an event all the same. */
ALONE void out(int *p)
{
	*p = shared;
}

ALONE int through(void)
{
	int local;

	out(&local);
	return local;
}

ALONE void add(int *p)
{
	int more = shared;

	*p += more;
}

/* It is initialised at once: no announcement. */
ALONE int has_value(void)
{
	int local = shared;

	add(&local);
	return local;
}

struct small {
	char c;
	short s[3];
};

/* Too small for a pattern. */
ALONE int shorts(void)
{
	struct small local;

	out((int *)(void *)&local);
	return local.c;
}

ALONE void larger(int n)
{
	struct { int i; long l; } part;
	long array[n];

	out(&part.i);
	out((int *)array);
}

ALONE int kept(int n)
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
	__heddle_expect("variable stack 4");
	__heddle_expect("plain_load4 shared");
	__heddle_expect("plain_store4 stack 3");
	__heddle_expect("plain_load4 stack");
	__heddle_expect("plain_store4 shared 3");
	kept(5);
	shared = has_value();
	__heddle_expect("plain_load4 shared");
	__heddle_expect("plain_store4 stack 3");
	__heddle_expect("plain_load4 shared");
	__heddle_expect("plain_load4 stack");
	__heddle_expect("plain_store4 stack 6");
	__heddle_expect("plain_load4 stack");
	__heddle_expect("plain_store4 shared 6");
	shared = shorts();
	__heddle_expect("plain_load4 shared");
	__heddle_expect("plain_store4 stack 6");
	__heddle_expect("plain_load1 stack");
	__heddle_expect("plain_store4 shared 6");
	larger(3);
	__heddle_expect("variable stack 16");
	__heddle_expect("variable stack 24");
	for (int i = 0; i < 2; i++) {
		__heddle_expect("plain_load4 shared");
		__heddle_expect("plain_store4 stack 6");
	}
	return 0;
}
