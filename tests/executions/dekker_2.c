/* SPDX-License-Identifier: ISC */
/* The heart of Dekker: raise my flag, read the other's, enter if it is down. No thread waits; at
 * most one enters if the store is not overtaken.
 *
 * counts sc,tso,pso,rc11 7
 * counts -DTHREE sc,tso,pso,rc11 224
 * counts -DL=2 sc,tso,pso,rc11 107
 */
#include "counts.h"

#ifndef L
#define L 1
#endif
#ifdef THREE
#define N 3
#else
#define N 2
#endif

atomic_int flag[N];
int inside;

THREAD(thread)
{
	int me = INDEX, entered = 0;

	for (int i = 0; i < L; i++) {
		bool alone = true;

		store(&flag[me], 1, SC);
		for (int j = 0; j < N; j++)
			if (j != me && load(&flag[j], SC))
				alone = false;
		if (alone) {
			inside++;
			entered++;
		}
		store(&flag[me], 0, SC);
	}
	RETURN(entered, 0, 0, 0);
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
