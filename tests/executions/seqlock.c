/* SPDX-License-Identifier: ISC */
/* Sequence lock: writers make the number odd by a compare-and-exchange, write, and make it even;
 * readers read the number, the data, and the number again, and start again if it was odd or has
 * changed.
 *
 * R readers, W writers, each once. The data is two relaxed atomics. W! orders of the writers, and
 * each reader saw one of W + 1 states: W! * (W + 1)^R.
 *
 * counts -DR=1 -DW=1 sc,tso,pso,rc11 2
 * counts -DR=2 -DW=1 sc,tso,pso,rc11 4
 * counts -DR=1 -DW=2 sc,tso,pso,rc11 6
 * counts -DR=2 -DW=2 sc,rc11 18
 * counts -O0 -DR=2 -DW=2 rc11 18
 * counts -O2 -DR=2 -DW=2 rc11 18
 * counts-bench -DR=3 -DW=2 rc11 54
 * counts-bench -DR=3 -DW=3 rc11 384
 */
#include "counts.h"

atomic_int seq, x, y;

/* The value read; AGAIN. */
static NOINLINE int try_read(void)
{
	int s = load(&seq, ACQ);
	int a, b;

	if (s & 1)
		return AGAIN;
	a = load(&x, RLX);
	b = load(&y, RLX);
	fence(ACQ);
	if (load(&seq, RLX) != s)
		return AGAIN;
	assert(a == b);
	return a;
}

/* The odd number; AGAIN. */
static NOINLINE int try_lock(void)
{
	int s = load(&seq, ACQ);

	if ((s & 1) || !cas(&seq, s, s + 1, ACQ))
		return AGAIN;
	return s + 1;
}

THREAD(reader)
{
	int r;

	while ((r = try_read()) == AGAIN)
		;
	RETURN(r, 0, 0, 0);
}

THREAD(writer)
{
	int s;

	while ((s = try_lock()) == AGAIN)
		;
	fence(REL);
	store(&x, INDEX + 1, RLX);
	store(&y, INDEX + 1, RLX);
	store(&seq, s + 1, REL);
	return NULL;
}

int main(void)
{
	start_many(writer, W);
	start_many(reader, R);
	join_all(NULL);
	return 0;
}
