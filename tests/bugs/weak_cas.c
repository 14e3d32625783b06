/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso ra rc11; options: --strategy graph; reorder: no */
/* A weak compare-and-exchange may fail though the value is the expected one; its failure does not
 * prove that another thread was first. */
#include <stdatomic.h>

#include "../clean/two.h"

static atomic_int owner;

static void *claim(void *arg)
{
	int seen = 0;

	if (!atomic_compare_exchange_weak(&owner, &seen, 1))
		assert(seen == 1);
	return arg;
}

int main(void)
{
	two(claim, NULL, claim, NULL);
	return 0;
}
