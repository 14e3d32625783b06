/* SPDX-License-Identifier: ISC */
/* Reader-writer lock in one counter, as Linux had it: a reader takes 1, a writer all of it; a
 * thread that took too much returns it and waits until the lock looks free.
 *
 * With -DTRY each of R readers and W writers tries once. Else they wait; -DBOTH=N: N threads, each of which
 * reads, and then writes. A failed attempt makes no difference to others if what they do with the result
 * of an addition would be the same without it: they do not use it, or it is on the same side of the
 * value that they compare it with. So the executions are the orders of sections, in which those of
 * readers may overlap. (GenMC: 14 and 690 for BOTH=2 and 3.) Failed attempts that do not matter end
 * executions, which are blocked.
 *
 * counts -DR=1 -DW=1 -DTRY sc,tso,pso,ra,rc11 6
 * counts -DR=2 -DW=1 -DTRY sc,tso,pso,ra,rc11 90
 * counts-bench -DR=2 -DW=2 -DTRY rc11 2520
 * counts-bench -DR=3 -DW=2 -DTRY rc11 113400
 * counts -DR=1 -DW=2 -DTRY sc,tso,pso,ra,rc11 90
 * counts -DR=2 -DW=0 sc,tso,pso,ra,rc11 6
 * counts -DR=0 -DW=2 -DTRY sc,tso,pso,ra,rc11 6
 * counts -DR=1 -DW=1 sc,tso,pso,ra,rc11 2
 * counts -DR=1 -DW=2 sc,rc11 6
 * counts -DR=2 -DW=1 sc,rc11 14
 * counts -DBOTH=2 sc,tso,pso,ra,rc11 14
 * counts -O0 -DBOTH=2 sc,rc11 14
 * counts -O2 -DBOTH=2 sc,rc11 14
 * counts-long -DBOTH=3 rc11 690
 * counts-files -DR=1 -DW=1 sc,tso,pso,ra,rc11 4
 * counts-files -DR=1 -DW=2 sc,rc11 222
 * counts-files -DR=2 -DW=1 sc,rc11 346
 * counts-files -DBOTH=2 sc,tso,pso,ra,rc11 94
 * counts-files -O0 -DBOTH=2 sc,rc11 94
 * counts-files -O2 -DBOTH=2 sc,rc11 94
 */
#include "counts.h"

#define BIAS 0x100000

#ifndef BOTH
#define BOTH 0
#else
#define R 0
#define W 0
#endif

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

static int read_data(void)
{
	int r = -1;

	if (take(1)) {
		r = data;
		add(&lock, 1, REL);
	}
	return r;
}

static void write_data(void)
{
	if (take(BIAS)) {
		data++;
		add(&lock, BIAS, REL);
	}
}

THREAD(reader)
{
	(void)arg;
	RETURN(read_data(), 0, 0, 0);
}

THREAD(writer)
{
	(void)arg;
	write_data();
	return NULL;
}

THREAD(both)
{
	int r = read_data();

	(void)arg;
	write_data();
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start_many(reader, R);
	start_many(writer, W);
	start_many(both, BOTH);
	join_all(NULL);
	return 0;
}
