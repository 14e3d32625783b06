/* SPDX-License-Identifier: ISC */
/* finding: crash; models: tso pso */
/* A call through a function pointer that the other thread has replaced by rubbish. */
#include "../clean/two.h"

static void fine(void)
{
}

static _Atomic(uintptr_t) handler = (uintptr_t)0;

static void *caller(void *arg)
{
	void (*f)(void) = (void (*)(void))handler;

	f();
	return arg;
}

static void *breaker(void *arg)
{
	handler = 0x10;
	return arg;
}

int main(void)
{
	handler = (uintptr_t)fine;
	two(caller, NULL, breaker, NULL);
	return 0;
}
