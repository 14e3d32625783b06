/* SPDX-License-Identifier: ISC */
/* The steps of a cycle, with many others between them; -DMESSAGE: the store of an old value among them. The report of
 * a long execution has them all.
 *
 * verdict rc11 assertion -- --strategy graph
 * report rc11 "steps omitted" "store x = 1" "load  y = 0" "store y = 1" "load  x = 0"
 * report rc11 "po  T1  load  y = 0" "not kept in this order"
 * verdict -DMESSAGE rc11 assertion -- --strategy graph
 * report -DMESSAGE rc11 "steps omitted" "store x = 1" "load  x = 0" "although x = 1"
 */
#include "../clean/two.h"

static atomic_int x, y, near, far;
static int seen[2];

static void pass_time(atomic_int *p)
{
	for (int i = 0; i < 40; i++)
		atomic_store_explicit(p, i, memory_order_relaxed);
}

static int both(atomic_int *to, atomic_int *from, atomic_int *other)
{
	atomic_store_explicit(to, 1, memory_order_relaxed);
	pass_time(other);
	return atomic_load_explicit(from, memory_order_relaxed);
}

static void *first(void *arg)
{
	pass_time(&near);
#ifdef MESSAGE
	both(&x, &x, &near);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
#else
	seen[0] = both(&x, &y, &near);
#endif
	pass_time(&near);
	return arg;
}

static void *second(void *arg)
{
#ifdef MESSAGE
	seen[1] = !atomic_load_explicit(&y, memory_order_relaxed);
	pass_time(&far);
	seen[1] |= atomic_load_explicit(&x, memory_order_relaxed);
#else
	seen[1] = both(&y, &x, &far);
#endif
	pass_time(&far);
	return arg;
}

int main(void)
{
	two(first, NULL, second, NULL);
	assert(near == 39 && far == 39);
	assert(seen[0] || seen[1]);
	return 0;
}
