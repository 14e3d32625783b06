/* SPDX-License-Identifier: ISC */
/* A two-byte CAS, of bytes of two threads, that acquires only if it succeeds. It does not with byte
 * 0 of `each' and byte 1 of `bytes', which has stored its own byte 0 in between. In every order of
 * the threads.
 *
 * counts -DF1=bytes -DF2=both -DF3=each sc,tso,ra 19
 * counts -DF1=bytes -DF2=both -DF3=each rc11 27
 * counts -DF1=both -DF2=each -DF3=bytes rc11 27
 */
#include "counts.h"
#include <stdint.h>

union {
	_Atomic uint16_t word;
	_Atomic uint8_t byte[2];
} u;

THREAD(bytes)
{
	store(&u.byte[0], 2, RLX);
	store(&u.byte[1], 1, SC);
	return NULL;
}

THREAD(both)
{
	uint16_t old = 0x101;

	atomic_compare_exchange_strong_explicit(&u.word, &old, 0x101, ACQ, RLX);
	return (void *)(long)old;
}

THREAD(each)
{
	uint8_t old = 0;

	atomic_compare_exchange_strong_explicit(&u.byte[0], &old, 1, RLX, RLX);
	RETURN(old, swap(&u.byte[1], 1, RLX), 0, 0);
}

int main(void)
{
	start(F1, 0);
	start(F2, 0);
	start(F3, 0);
	join_all(NULL);
	return 0;
}
