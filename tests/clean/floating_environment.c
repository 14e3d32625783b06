/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso sc; random: rc11 tso */
/*
 * floating_environment.c - each thread has its own direction of rounding, traps and flags, which it
 * has from its creator; each execution begins with the program's; a handler has the initial one.
 *
 * libs -lm
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <signal.h>
#include "two.h"

static atomic_int turn, interrupted;
static volatile double one = 1, three = 3;

/* Computed here, not later. */
static double third(void)
{
	volatile double result = one / three;

	return result;
}

static void handle(int sig)
{
	assert(fegetround() == FE_TONEAREST && !fetestexcept(FE_DIVBYZERO));
	interrupted = sig;
}

static void *up(void *arg)
{
	double before = third();

	assert(fegetround() == FE_TOWARDZERO && fetestexcept(FE_INEXACT));
	fesetround(FE_UPWARD);
	turn++;
	assert(third() > before && !fetestexcept(FE_DIVBYZERO));
	raise(SIGUSR1);
	assert(fegetround() == FE_UPWARD && interrupted);
	return arg;
}

static void *divide(void *arg)
{
	volatile long double tenth = 10;
	volatile double zero = 0;

	zero = 1 / zero;
	turn++;
	assert(fegetround() == FE_TOWARDZERO && fetestexcept(FE_DIVBYZERO));
	tenth = 1 / tenth;
	turn++;
	feclearexcept(FE_ALL_EXCEPT);
	turn++;
	assert(!fetestexcept(FE_ALL_EXCEPT));
	return arg;
}

int main(void)
{
	assert(fegetround() == FE_TONEAREST && !fetestexcept(FE_ALL_EXCEPT) && !fegetexcept());
	signal(SIGUSR1, handle);
	fesetround(FE_TOWARDZERO);
	two(up, NULL, divide, NULL);
	assert(fegetround() == FE_TOWARDZERO && !fetestexcept(FE_DIVBYZERO));
	printf("%d %.17g\n", turn, third());
	return 0;
}
