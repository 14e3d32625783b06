/* SPDX-License-Identifier: ISC */
/* Clocks never run backwards; random numbers are libc's sequence, the same in every execution. */
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include "two.h"

static void *clocks(void *arg)
{
	struct timespec a, b;
	struct timeval day;
	time_t t = time(NULL), same;

	clock_gettime(CLOCK_MONOTONIC, &a);
	clock_gettime(CLOCK_MONOTONIC, &b);
	assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
	assert(time(&same) == same && same >= t && t > 1600000000);
	gettimeofday(&day, NULL);
	assert(day.tv_sec >= t && day.tv_usec < 1000000);
	assert(timespec_get(&a, TIME_UTC) == TIME_UTC && a.tv_sec >= t);
	assert(clock() != (clock_t)-1);
	return arg;
}

static void *numbers(void *arg)
{
	unsigned seed = 3;
	char bytes[8];

	assert(rand_r(&seed) >= 0 && getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
	return arg;
}

int main(void)
{
	int first = rand();

	two(clocks, NULL, numbers, NULL);
	assert(first == 1804289383 && rand() == 846930886); /* glibc, seed 1 */
	srand(7);
	first = rand();
	srand(7);
	assert(rand() == first && random() >= 0);
	srand48(1);
	printf("%d %.6f\n", first, drand48());
	return 0;
}
