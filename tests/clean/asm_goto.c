/* SPDX-License-Identifier: ISC */
/* A lock whose attempts are asm goto, as the kernel writes them. graph: sc tso pso rc11; random:
 * tso */
#include "two.h"

static int word, guarded;

static bool try_lock(void)
{
	__asm__ goto("lock; btsl $0, %0; jc %l[busy]" ::"m"(word) : "memory", "cc" : busy);
	return true;
busy:
	return false;
}

static void unlock(void)
{
	__asm__ volatile("lock; btrl $0, %0" : "+m"(word)::"memory", "cc");
}

static void *worker(void *arg)
{
	while (!try_lock())
		__asm__ volatile("pause");
	guarded++;
	unlock();
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	assert(guarded == 2);
	puts("ok");
	return 0;
}
