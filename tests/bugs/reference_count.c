/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: tso pso; reorder: yes */
/* Biased reference counting: the owner counts with plain stores and looks for others, the other
 * thread announces itself and looks at the owner's count. Both need a full fence. */
#include "../clean/two.h"

static atomic_int owner_uses, other_uses, freed;

static void *owner(void *arg)
{
	atomic_store_explicit(&owner_uses, 1, memory_order_release);
	if (!atomic_load_explicit(&other_uses, memory_order_acquire))
		assert(!atomic_load_explicit(&freed, memory_order_acquire));
	return arg;
}

static void *other(void *arg)
{
	atomic_store_explicit(&other_uses, 1, memory_order_release);
	if (!atomic_load_explicit(&owner_uses, memory_order_acquire))
		atomic_store_explicit(&freed, 1, memory_order_release);
	return arg;
}

int main(void)
{
	two(owner, NULL, other, NULL);
	return 0;
}
