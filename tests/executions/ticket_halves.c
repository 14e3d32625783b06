/* SPDX-License-Identifier: ISC */
/* The ticket lock of Linux: fetch_add of the word takes a ticket, of which the owner's half is
 * stored and awaited.
 *
 * For an order of the tickets, A1 < A2 < ... are the fetch_adds, S1 < S2 < ... the releases, Ai
 * before Si, and each A writes the owner that it reads. A load of its ticket reads the release
 * before it, or a later A; so of two threads
 *
 *     A2 S1 S2: 2 (the first load reads A1 or A2);  S1 A2 S2: 1                                  3
 *     for each order
 *
 * and of three, by what comes behind A1,
 *
 *     A2 A3 S1 S2 S3: 3;  A2 S1 A3 S2 S3: 2 * 2;  A2 S1 S2 A3 S3: 2;  S1 A2 A3 S2 S3: 2;  S1 A2 S2
 *     A3 S3: 1      12
 *
 * counts sc,tso,pso,sra,ra,rc11 6
 * counts -DN=3 sc,tso,pso,sra,ra,rc11 72
 */
#include "counts.h"

#include <stdint.h>

#ifndef N
#define N 2
#endif

union {
	_Atomic uint32_t both;
	struct {
		_Atomic uint16_t owner, next;
	} half;
} lock;

THREAD(worker)
{
	uint16_t mine = (uint16_t)(add(&lock.both, 1u << 16, ACQ) >> 16);

	while (load(&lock.half.owner, ACQ) != mine)
		;
	store(&lock.half.owner, (uint16_t)(mine + 1), REL);
	return NULL;
}

int main(void)
{
	start_many(worker, N);
	join_all(NULL);
	assert(load(&lock.both, RLX) == N * 0x10001u);
	return 0;
}
