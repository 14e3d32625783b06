/* SPDX-License-Identifier: ISC */
/* Thread-local variables: each thread its own, initialised anew, and their addresses usable by
 * others while the thread lives. */
#include "two.h"

static _Thread_local int mine = 5;
static _Thread_local char zeroed[40];
static _Thread_local struct {
	int *self;
	long n;
} deep = {NULL, 7};
static int *_Atomic published;
static atomic_int done;

static int bump(void)
{
	static _Thread_local int calls;

	return ++calls;
}

static void *first(void *arg)
{
	assert(mine == 5 && !zeroed[39] && deep.n == 7 && bump() == 1);
	mine = 6;
	deep.self = &mine;
	zeroed[39] = 1;
	atomic_store_explicit(&published, &mine, memory_order_release);
	while (!atomic_load_explicit(&done, memory_order_acquire))
		;
	*(int *)arg = mine * 10 + bump();
	return NULL;
}

static void *second(void *arg)
{
	int *theirs;

	assert(mine == 5 && !zeroed[39] && deep.n == 7 && bump() == 1);
	while (!(theirs = atomic_load_explicit(&published, memory_order_acquire)))
		;
	assert(theirs != &mine && *theirs == 6);
	*theirs = 8;
	atomic_store_explicit(&done, 1, memory_order_release);
	*(int *)arg = mine;
	return NULL;
}

int main(void)
{
	int a, b;

	mine++;
	two(first, &a, second, &b);
	printf("%d %d %d\n", a, b, mine);
	assert(a == 82 && b == 5 && mine == 6 && bump() == 1);
	return 0;
}
