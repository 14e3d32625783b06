/* SPDX-License-Identifier: ISC */
/* finding: livelock; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso; random: rc11 ra */
/* Two hand-made spinlocks taken in opposite order: neither blocks, both spin for ever. */
#include "../clean/two.h"

static atomic_flag a = ATOMIC_FLAG_INIT, b = ATOMIC_FLAG_INIT;

static void both(atomic_flag *first, atomic_flag *second)
{
	while (atomic_flag_test_and_set_explicit(first, memory_order_acquire))
		;
	while (atomic_flag_test_and_set_explicit(second, memory_order_acquire))
		;
	atomic_flag_clear_explicit(second, memory_order_release);
	atomic_flag_clear_explicit(first, memory_order_release);
}

static void *ab(void *arg)
{
	both(&a, &b);
	return arg;
}

static void *ba(void *arg)
{
	both(&b, &a);
	return arg;
}

int main(void)
{
	two(ab, NULL, ba, NULL);
	return 0;
}
