/* SPDX-License-Identifier: ISC */
/* finding: race; models: pso rc11; options: --strategy graph; random: rc11 */
/*
 * A ticket lock whose halves are one word for fetch_add, and which is released by a relaxed store
 * of the owner.
 *
 * report rc11 "T1's store of lock" "is relaxed, not release"
 */
#include "../clean/two.h"

static union {
	_Atomic uint32_t both;
	struct {
		_Atomic uint16_t owner, next;
	};
} lock;

static int counter;

static void *worker(void *arg)
{
	uint32_t mine = atomic_fetch_add_explicit(&lock.both, 1u << 16, memory_order_acquire) >> 16;

	while (atomic_load_explicit(&lock.owner, memory_order_acquire) != mine)
		;
	counter++;
	atomic_store_explicit(&lock.owner, (uint16_t)(mine + 1), memory_order_relaxed);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	assert(counter == 2);
	return 0;
}
