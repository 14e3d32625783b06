/* SPDX-License-Identifier: ISC */
/* finding: exit; models: tso; reorder: yes */
/* A thread calls exit(9) after store buffering. */
#include "../clean/two.h"

static atomic_int x, y, r;

static void *one(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	if (!atomic_load_explicit(&y, memory_order_relaxed))
		atomic_fetch_add(&r, 1);
	return arg;
}

static void *other(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	if (!atomic_load_explicit(&x, memory_order_relaxed))
		if (atomic_fetch_add(&r, 1) == 1)
			exit(9);
	return arg;
}

int main(void)
{
	two(one, NULL, other, NULL);
	return 0;
}
