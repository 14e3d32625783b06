/* SPDX-License-Identifier: ISC */
/* A word that is set by memset() is stored to byte by byte, loaded as a whole, and copied by
 * memcpy(). The second store is seen with the first one or, where stores are not ordered, before
 * it.
 *
 * counts sc,tso,ra 3
 * counts pso,rc11 4
 * counts -DORDERED sc,tso,pso,ra,rc11 3
 */
#include "counts.h"

#include <stdint.h>
#include <string.h>

union {
	_Atomic uint32_t word;
	_Atomic uint8_t byte[4];
} mixed;

THREAD(stores)
{
	atomic_store_explicit(&mixed.byte[0], 2, RLX);
#ifdef ORDERED
	fence(REL);
#endif
	atomic_store_explicit(&mixed.byte[3], 2, RLX);
	return NULL;
}

THREAD(loads)
{
	uint32_t word = atomic_load_explicit(&mixed.word, ACQ);

#ifdef ORDERED
	assert(word != 0x02010101);
#endif
	return (void *)(uintptr_t)word;
}

int main(void)
{
	uint8_t copy[4];

	memset(&mixed, 1, sizeof mixed);
	start(stores, 0);
	start(loads, 1);
	join_all(NULL);
	memcpy(copy, &mixed, sizeof copy);
	assert(copy[0] == 2 && copy[1] == 1 && copy[2] == 1 && copy[3] == 2);
	return 0;
}
