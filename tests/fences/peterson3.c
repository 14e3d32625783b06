/* SPDX-License-Identifier: ISC */
/* Peterson's mutual exclusion for three threads: one level after the other, at each of which one
 * stays behind. Each thread goes through both levels by the same code, once.
 *
 * fences tso 3 0
 * fences-long pso 3 3
 */
#define ROUNDS 1
#include "algorithm.h"

VAR level[3], victim[3];

static void *first(void *arg)
{
	for (int j = 1; j <= 2; j++) {
		W(level[0], j);
		W(victim[j], 1);
		AWAIT(R(victim[j]) != 1 || (R(level[1]) < j && R(level[2]) < j));
	}
	CRITICAL_SECTION();
	LEAVE(level[0]);
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	for (int j = 1; j <= 2; j++) {
		W(level[1], j);
		W(victim[j], 2);
		AWAIT(R(victim[j]) != 2 || (R(level[0]) < j && R(level[2]) < j));
	}
	CRITICAL_SECTION();
	LEAVE(level[1]);
	return (void *)(long)entered;
}

static void *third(void *arg)
{
	for (int j = 1; j <= 2; j++) {
		W(level[2], j);
		W(victim[j], 3);
		AWAIT(R(victim[j]) != 3 || (R(level[0]) < j && R(level[1]) < j));
	}
	CRITICAL_SECTION();
	LEAVE(level[2]);
	return (void *)(long)entered;
}

MAIN(first, second, third)
