/* SPDX-License-Identifier: ISC */
/* Programs with few reads and many writes, of the measurements of "The Reads-From Equivalence for
 * the TSO and PSO Memory Models" (OOPSLA 2021, tables 2 and 3): N! execution graphs where there are
 * N reads-from functions. All stores are relaxed, as the paper takes them. The closed forms fit its
 * counts.
 *
 *     LASTWRITE     N threads write, main reads after them N, graphs: N!
 *     FLOATING      N threads write, main reads once meanwhile             N+1,        (N+1)!
 *     WRITER_READER one thread writes N times, the other reads N times     C(2N, N),   the same
 *     READERS       N threads read what one writes                         2^N,        the same
 *     REDUNDANT_CO  two threads write N times, another reads twice         3N^2+3N+1,  C(2N,N)
 *                   C(2N+2,2)
 *
 * counts-rf -DLASTWRITE -DN=6 pso 6
 * counts-rf -DLASTWRITE -DN=10 sc,tso,pso 10
 * counts -DLASTWRITE -DN=6 tso 720
 * counts-rf -DFLOATING -DN=4 pso 5
 * counts-rf -DFLOATING -DN=8 sc,tso,pso 9
 * counts -DFLOATING -DN=4 tso 120
 * counts-rf -DWRITER_READER -DN=3 pso 20
 * counts-rf -DWRITER_READER -DN=6 sc,tso,pso 924
 * counts -DWRITER_READER -DN=6 tso 924
 * counts-rf -DREADERS -DN=8 pso 256
 * counts-rf -DREDUNDANT_CO -DN=3 pso 37
 * counts -DREDUNDANT_CO -DN=3 tso 560
 * counts-rf -DREDUNDANT_CO -DN=5 sc,tso,pso 91
 * counts-rf -DREDUNDANT_CO -DN=20 sc,tso,pso 1261
 * counts-bench -DREDUNDANT_CO -DN=5 sc,tso,pso 16632
 * counts-rf-bench -DREDUNDANT_CO -DN=40 sc,tso,pso 4921
 * counts-rf-bench -DWRITER_READER -DN=9 sc,tso,pso 48620
 */
#include "counts.h"

#ifndef N
#define N 3
#endif

atomic_int x;

#if defined(REDUNDANT_CO)
#define WRITERS 2
#define TIMES	N
#elif defined(LASTWRITE) || defined(FLOATING)
#define WRITERS N
#define TIMES	1
#elif defined(WRITER_READER)
#define WRITERS 1
#define TIMES	N
#else
#define WRITERS 1
#define TIMES	1
#endif

THREAD(writer)
{
	for (int i = 0; i < TIMES; i++)
		store(&x, INDEX + 1, RLX);
	return NULL;
}

#if defined(WRITER_READER) || defined(REDUNDANT_CO)
THREAD(reader)
{
	int sum = 0;

	for (int i = 0; i < (WRITERS == 2 ? 2 : N); i++)
		sum = sum * 3 + load(&x, RLX);
	return (void *)(long)sum;
}
#elif defined(READERS)
THREAD(reader)
{
	return (void *)(long)load(&x, RLX);
}
#endif

int main(void)
{
	void *result[MAX_THREADS];

	start_many(writer, WRITERS);
#if defined(WRITER_READER) || defined(REDUNDANT_CO)
	start(reader, 0);
#elif defined(READERS)
	start_many(reader, N);
#endif
#ifdef FLOATING
	result[0] = (void *)(long)load(&x, RLX);
	return (long)result[0] > N;
#endif
	join_all(result);
#ifdef LASTWRITE
	return load(&x, RLX) > N;
#endif
	return 0;
}
