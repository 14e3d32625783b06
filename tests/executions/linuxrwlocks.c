/* SPDX-License-Identifier: ISC */
/* Reader-writer lock in one counter, as Linux had it: a reader takes 1, a writer all of it; a
 * thread that took too much returns it and waits until the lock looks free.
 *
 * The counter can be taken and given back any number of times, so threads try once (-DTRY), or R
 * readers and W writers wait.
 *
 * Two threads that each read, then write, and wait: 206 and 24 blocked, where 14 executions without
 * a failed attempt are enough (GenMC: 14 and 20 blocked). A failed attempt could be left out if no
 * thread did otherwise with the values that the counter has without it; for that the pass would have
 * to say how the result of a fetch_add() is used: compared with which constants, or not at all.
 *
 * counts -DR=1 -DW=1 -DTRY sc,tso,pso,ra,rc11 6
 * counts -DR=2 -DW=1 -DTRY sc,tso,pso,ra,rc11 90
 * counts-bench -DR=2 -DW=2 -DTRY rc11 2520
 * counts-bench -DR=3 -DW=2 -DTRY rc11 113400
 * counts -DR=1 -DW=2 -DTRY sc,tso,pso,ra,rc11 90
 * counts -DR=2 -DW=0 sc,tso,pso,ra,rc11 6
 * counts -DR=0 -DW=2 -DTRY sc,tso,pso,ra,rc11 6
 */
#include "counts.h"

#define BIAS 0x100000

atomic_int lock = BIAS;
int data;

static bool take(int n)
{
#ifdef TRY
	if (sub(&lock, n, ACQ) >= n)
		return true;
	add(&lock, n, RLX);
	return false;
#else
	while (sub(&lock, n, ACQ) < n) {
		add(&lock, n, RLX);
		while (load(&lock, RLX) < n)
			;
	}
	return true;
#endif
}

THREAD(reader)
{
	int r = -1;

	if (take(1)) {
		r = data;
		add(&lock, 1, REL);
	}
	RETURN(r, 0, 0, 0);
}

THREAD(writer)
{
	if (take(BIAS)) {
		data++;
		add(&lock, BIAS, REL);
	}
	return NULL;
}

int main(void)
{
	start_many(reader, R);
	start_many(writer, W);
	join_all(NULL);
	return 0;
}
