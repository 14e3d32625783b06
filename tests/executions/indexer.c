/* SPDX-License-Identifier: ISC */
/* N threads put 4 entries each into a hash table of 128 places, each by compare-and-exchange at the
 * first free place from 7 * w % 128 on, where w = 11 * m + thread. Threads collide from the twelfth
 * on.
 *
 * counts -DN=11 sc,tso,pso,ra,rc11 1
 * counts -DN=12 sc,tso,pso,ra,rc11 8
 * counts -DN=13 sc,tso,pso,ra,rc11 64
 * counts -DN=14 sc,rc11 512
 * counts-bench -DN=14 rc11 512
 * counts-bench -DN=15 rc11 4096
 * counts-rf -DN=13 sc,tso,pso,ra,rc11 64
 */
#include "counts.h"

#define SIZE	128
#define ENTRIES 4

atomic_int table[SIZE];

THREAD(thread)
{
	for (int m = 1; m <= ENTRIES; m++) {
		int w = m * 11 + INDEX;
		int h = w * 7 % SIZE;

		while (!cas(&table[h], 0, w, ACQ_REL))
			h = (h + 1) % SIZE;
	}
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
