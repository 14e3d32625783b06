/* SPDX-License-Identifier: ISC */
/* Sequence lock whose reader tries once: it returns the value, or that it failed. One writer, L
 * writes, and R readers.
 *
 * counts -DR=1 -DL=1 sc,tso,pso,rc11 7
 * counts -DR=2 -DL=1 sc,tso,pso,rc11 49
 * counts -DR=1 -DL=2 sc,tso,pso,rc11 19
 * counts -DR=1 -DL=3 sc,rc11 39
 */
#include "counts.h"

atomic_int seq, x;

THREAD(reader)
{
	int s, a = -1, r;

	s = load(&seq, ACQ);
	if (s & 1)
		return NULL;
	a = load(&x, RLX);
	fence(ACQ);
	r = load(&seq, RLX);
	assert(r != s || 2 * a == s);
	RETURN(s, a, r, 0);
}

THREAD(writer)
{
	for (int i = 1; i <= L; i++) {
		store(&seq, 2 * i - 1, RLX);
		fence(REL);
		store(&x, i, RLX);
		store(&seq, 2 * i, REL);
	}
	return NULL;
}

int main(void)
{
	start(writer, 0);
	start_many(reader, R);
	join_all(NULL);
	return 0;
}
