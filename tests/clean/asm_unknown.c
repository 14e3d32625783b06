/* SPDX-License-Identifier: ISC */
/* A lock of unknown assembly (it jumps within itself): its ordering is unknown, so no race is
 * reported. graph: none
 * verdict sc ok
 * verdict tso ok
 * verdict rc11 ok
 * options --executions 2000 --time 20
 */
#include "two.h"

static int word, guarded;

static bool try_lock(void)
{
	unsigned char busy;

	__asm__ volatile("lock; btsl $0, %0; jc 1f; movb $0, %1; jmp 2f; 1: movb $1, %1; 2:"
			 : "+m"(word), "=q"(busy)::"memory", "cc");
	return !busy;
}

static void *worker(void *arg)
{
	while (!try_lock())
		__asm__ volatile("pause");
	guarded++;
	__atomic_store_n(&word, 0, __ATOMIC_RELEASE);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	assert(guarded == 2);
	puts("ok");
	return 0;
}
