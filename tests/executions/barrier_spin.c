/* SPDX-License-Identifier: ISC */
/* A barrier of a counter and a flag: the last to arrive raises the flag, the others wait for it: N!
 * orders of arrival.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=6 rc11 720
 */
#include "counts.h"

atomic_int arrived, go;
int data[N];

THREAD(thread)
{
	int sum = 0;

	data[INDEX] = 1;
	if (add(&arrived, 1, ACQ_REL) == N - 1)
		store(&go, 1, REL);
	else
		while (!load(&go, ACQ))
			;
	for (int i = 0; i < N; i++)
		sum += data[i];
	assert(sum == N);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
