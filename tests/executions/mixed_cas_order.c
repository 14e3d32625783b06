/* SPDX-License-Identifier: ISC */
/* A two-byte CAS that is seq_cst only if it succeeds, after a seq_cst store: having read byte 2
 * before `all' stores it, it must not succeed. It fails with byte 3 of `last', which may come later,
 * and until then it has no consistent source there.
 *
 * counts -DF1=all -DF2=both -DF3=last sc,tso,pso 7
 * counts -DF1=all -DF2=both -DF3=last ra 10
 * counts -DF1=all -DF2=both -DF3=last rc11 8
 * counts -DF1=last -DF2=all -DF3=both rc11 8
 */
#include "counts.h"
#include <stdint.h>

union {
	_Atomic uint32_t word;
	_Atomic uint16_t half[2];
	_Atomic uint8_t byte[4];
} u;

THREAD(all)
{
	store(&u.word, 0x02020002, SC);
	return NULL;
}

THREAD(both)
{
	uint16_t old = 0;

	store(&u.byte[0], 2, SC);
	atomic_compare_exchange_strong_explicit(&u.half[1], &old, 0x0202, SC, RLX);
	return (void *)(long)old;
}

THREAD(last)
{
	uint8_t old = 0;

	atomic_compare_exchange_strong_explicit(&u.byte[3], &old, 1, RLX, RLX);
	return (void *)(long)old;
}

int main(void)
{
	start(F1, 0);
	start(F2, 0);
	start(F3, 0);
	join_all(NULL);
	return 0;
}
