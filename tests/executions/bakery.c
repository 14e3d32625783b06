/* SPDX-License-Identifier: ISC */
/* Lamport's bakery for N threads, each once, seq_cst.
 *
 * counts -DN=2 sc,tso,pso,rc11 9
 */
#include "counts.h"

atomic_int choosing[N], number[N];
int inside;

THREAD(thread)
{
	int me = INDEX, max = 0;

	store(&choosing[me], 1, SC);
	for (int j = 0; j < N; j++)
		if (j != me) {
			int other = load(&number[j], SC);

			if (other > max)
				max = other;
		}
	store(&number[me], max + 1, SC);
	store(&choosing[me], 0, SC);
	for (int j = 0; j < N; j++) {
		int other;

		if (j == me)
			continue;
		while (load(&choosing[j], SC))
			;
		do {
			other = load(&number[j], SC);
		} while (other && (other < max + 1 || (other == max + 1 && j < me)));
	}
	inside++;
	store(&number[me], 0, SC);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(inside == N);
	return 0;
}
