/* SPDX-License-Identifier: ISC */
/* Reference counting: N threads drop a reference each; the thread that drops the last one sees the
 * data of all and frees it: N! orders of the decrements.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=5 rc11 120
 */
#include "counts.h"

struct shared {
	int data[N];
	bool freed;
} shared;

atomic_int references = N;

THREAD(thread)
{
	shared.data[INDEX] = 1;
	if (sub(&references, 1, REL) == 1) {
		fence(ACQ);
		for (int i = 0; i < N; i++)
			assert(shared.data[i] == 1);
		shared.freed = true;
	}
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(shared.freed);
	return 0;
}
