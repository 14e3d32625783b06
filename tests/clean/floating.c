/* SPDX-License-Identifier: ISC */
/* Floating point: float, double, long double, complex; plain, and atomic with += (which compilers
 * turn into a loop of compare-and-exchange). */
#include <complex.h>
#include "two.h"

static _Atomic double atomic_sum;
static _Atomic float atomic_product = 1;
static double cell[2];
static long double extended[2];
static double complex z[2];

static void *worker(void *arg)
{
	int me = *(int *)arg;

	atomic_sum += 0.5 + me;
	atomic_product *= 2;
	cell[me] = 1.0 / (me + 2);
	extended[me] = 1.0L / 3 + me;
	z[me] = (me + 1) * I + cell[me];
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	two(worker, &zero, worker, &one);
	printf("%g %g %g %g %.20Lg %g%+gi\n", (double)atomic_sum, (double)atomic_product, cell[0],
		cell[1], extended[0] + extended[1], creal(z[0] + z[1]), cimag(z[0] + z[1]));
	assert(atomic_sum == 2 && atomic_product == 4 && cell[0] == 0.5);
	return 0;
}
