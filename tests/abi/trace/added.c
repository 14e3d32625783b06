/* SPDX-License-Identifier: ISC */
/*
 * added.c - what the results of additions are used for: nothing, comparisons with one value, or
 * anything; loads that only count.
 */
#include "../expect.h"

#include <stdatomic.h>
#include <stdbool.h>

#define NOINLINE __attribute__((noinline))

char __heddle_expects_results;
atomic_int v;
atomic_uint u;
atomic_uchar c;
atomic_long l;
volatile int sink; /* not recorded */

#define ADD(p, n) atomic_fetch_add_explicit(p, n, memory_order_relaxed)
#define SUB(p, n) atomic_fetch_sub_explicit(p, n, memory_order_relaxed)

static NOINLINE void take(int n)
{
	while (SUB(&v, n) < n)
		ADD(&v, n);
}

static NOINLINE bool is_last(void)
{
	return SUB(&v, 1) == 1;
}

static NOINLINE int ask_kernel_style(int most)
{
	int was = ADD(&v, 2);

	while (was >= most) {
		ADD(&v, -2);
		was = ADD(&v, 2);
	}
	return 0;
}

static NOINLINE int two_comparisons(void)
{
	int was = ADD(&v, 1);

	return (was < 3) + (was < 4);
}

static NOINLINE void changing_comparison(int n)
{
	do
		n -= 4;
	while (SUB(&v, 1) < n);
}

unsigned long turns;
char small;
double sum;

static NOINLINE void count(unsigned long by)
{
	turns += by;
	__heddle_expect("counts");
	__heddle_expect("plain_load8 turns");
	__heddle_expect("plain_store8 turns 1");
	small--;
	__heddle_expect("counts");
	__heddle_expect("plain_load1 small");
	__heddle_expect("plain_store1 small ff");
	sum = sum * 2;
	__heddle_expect("counts");
	__heddle_expect("plain_load8 sum");
	__heddle_expect("plain_store8 sum 0");
}

static NOINLINE void use(void)
{
	sink = (int)(turns += 2);
	__heddle_expect("plain_load8 turns");
	__heddle_expect("plain_store8 turns 3");
	if (sink)
		turns = (unsigned long)small + 1;
	__heddle_expect("plain_load1 small");
	__heddle_expect("plain_store8 turns 0");
}

int main(void)
{
	count(1);
	use();
	ADD(&v, 5);
	__heddle_expect("rmw4 v add relaxed 5 unused");
	(void)SUB(&l, 3);
	__heddle_expect("rmw8 l sub relaxed 3 unused");
	take(3);
	__heddle_expect("rmw4 v sub relaxed 3 less 3");
	sink = is_last();
	__heddle_expect("rmw4 v sub relaxed 1 equal 1");
	sink = ask_kernel_style(9);
	__heddle_expect("rmw4 v add relaxed 2 less 9");
	sink = 7 >= ADD(&u, 1);
	__heddle_expect("rmw4 u add relaxed 1 below 8");
	sink = SUB(&l, 1) > -7;
	__heddle_expect("rmw8 l sub relaxed 1 less %llx", -6ll);
	sink = ADD(&v, 1);
	__heddle_expect("rmw4 v add relaxed 1");
	sink = two_comparisons();
	__heddle_expect("rmw4 v add relaxed 1");
	changing_comparison(0);
	__heddle_expect("rmw4 v sub relaxed 1");
	atomic_fetch_or(&c, 1);
	__heddle_expect("rmw1 c or seq_cst 1");
	return 0;
}
