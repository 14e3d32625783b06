/* SPDX-License-Identifier: ISC */
/* Szymanski's mutual exclusion.
 *
 * prove sc proved
 * prove tso assertion
 * prove pso assertion
 * prove tso proved -DMF
 * prove pso proved -DMF
 */
#include "endless.h"

VAR flag[2];

/* The value of the other one's flag, once it is among those of the set. */
static inline int await_flag(int other, int set)
{
	int f;

	AWAIT(set >> (f = R(flag[other])) & 1);
	return f;
}

static inline void enter(int me)
{
	W(flag[me], 3);
	FULL_FENCE;
	if (R(flag[!me]) == 1) {
		W(flag[me], 2);
		await_flag(!me, 1 << 4);
	}
	W(flag[me], 4);
}

static void *first(void *arg)
{
	for (;;) {
		W(flag[0], 1);
		FULL_FENCE;
		await_flag(1, 1 << 0 | 1 << 1 | 1 << 2);
		enter(0);
		critical_section();
		await_flag(1, 1 << 0 | 1 << 1 | 1 << 4);
		W(flag[0], 0);
	}
}

static void *second(void *arg)
{
	for (;;) {
		W(flag[1], 1);
		await_flag(0, 1 << 0 | 1 << 1 | 1 << 2);
		enter(1);
		await_flag(0, 1 << 0 | 1 << 1);
		critical_section();
		W(flag[1], 0);
	}
}

MAIN(first, second)
