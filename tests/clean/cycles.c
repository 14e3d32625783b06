/* SPDX-License-Identifier: ISC */
/* The time-stamp counter is virtual, like clocks: the same in each execution, and increasing.
 * graph: sc tso rc11; random: tso */
#include "two.h"

#ifdef __x86_64__
#include <x86intrin.h>

static uint64_t cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high)::"memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t cycles_of_processor(void)
{
	unsigned processor;

	return __rdtscp(&processor);
}
#else
#define cycles()	      (uint64_t)__builtin_readcyclecounter()
#define __rdtsc()	      cycles()
#define cycles_of_processor() cycles()
#endif

static _Atomic(uint64_t) stamp;
static atomic_int n;

static void *worker(void *arg)
{
	uint64_t begin = __rdtsc(), now;

	stamp = begin;
	do
		now = cycles();
	while (now - begin < 2000);
	if (stamp % 2)
		n++; /* depends on when it was */
	assert(cycles_of_processor() > now);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	puts("ok");
	return 0;
}
