/* SPDX-License-Identifier: ISC */
/*
 * loops.c - loops for turns.c: spin loops, and loops that an imprecise comparison of states would
 * treat as such.
 */
#include "turns.h"

#include <alloca.h>
#include <setjmp.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static int writes_x(void)
{
	put(&X, 1);
	return 0;
}

static int writes_x_y(void)
{
	put(&X, 1);
	put(&Y, 1);
	return 0;
}

static int writes_twice(void)
{
	put(&X, 1);
	put(&X, 2);
	return 0;
}

/* --- registers ------------------------------------------------------------------------------- */

static int counts_down(void) /* the loop ends by itself */
{
	int n = 3;

	while (n-- && !get(&X))
		;
	return n;
}

static int tells_turns(void) /* their number is used later */
{
	int n = 0;

	while (!get(&X) && n < 4)
		n++;
	return n;
}

static int accumulates(void)
{
	int sum = 0;

	while (sum < 3)
		sum += 1 + get(&X);
	return sum;
}

static int alternates(void) /* which variable is read next */
{
	int which = 0, n = 0;

	while (!get(which ? &Y : &X) && n < 3) {
		which ^= 1;
		n += which;
	}
	return which;
}

static int shifts(void) /* the value read two iterations ago */
{
	int a = 0, b = 0;

	for (;;) {
		int c = get(&X);

		if (c && a != b)
			return a * 10 + b;
		if (c && a)
			return 100 + a * 10 + b;
		a = b;
		b = c;
	}
}

static int remembers(void) /* only whether it ever read 1 */
{
	int seen = 0;

	for (;;) {
		int v = get(&X);

		if (v == 2)
			return seen;
		seen |= v;
	}
}

static int fraction(void)
{
	double d = 1;

	while (!get(&X) && d > 0.2)
		d /= 2;
	return (int)(d * 100);
}

static int nested(void)
{
	int n = 0;

	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			if (!get(&X))
				n += i * 2 + k + 1;
	return n;
}

/* --- counters -------------------------------------------------------------------------------- */

static int views(void) /* only these of the iteration count */
{
	int n = 0;

	while (!get(&X) && n < 6)
		n++;
	return n > 3 ? 7 : n > 1;
}

static int raises(void) /* a flag, once, after some iterations */
{
	int n = 0, raised = 0;

	while (!get(&X)) {
		if (++n > 2 && !raised) {
			put(&Z, 1);
			raised = 1;
		}
		if (n > 4)
			return raised + get(&Y);
	}
	return raised;
}

static int passes_by(void) /* equal once, never again */
{
	unsigned n = 0, at = (unsigned)get(&Y) + 2;

	while (!get(&X)) {
		if (++n == at)
			put(&Z, 3);
		if (n == 4)
			break;
	}
	return n != 2;
}

static int falls(void)
{
	int tries = 4;

	while (!get(&X) && tries-- > 0)
		if (tries == 1)
			put(&Z, 2);
	return tries >= 2;
}

static int set_back(void)
{
	int n = 0, rounds = 0;

	while (!get(&X)) {
		if (++n < 2)
			continue;
		n = 0;
		if (++rounds > 1)
			return get(&Y) + 5;
	}
	return rounds > 0;
}

static int wraps_around(void)
{
	unsigned char n = 253;

	while (!get(&X))
		if (!++n)
			return 9;
	return 1;
}

static int counts_some(void) /* only its iterations */
{
	int n = 0;

	for (int i = 0; i < 3 && !get(&X); i++)
		if (get(&Y))
			n++;
	return n > 1;
}

static int two_counters(void)
{
	int n = 0, m = 9;

	while (!get(&X)) {
		n += 2;
		m -= 1;
		if (n > m)
			return 3;
	}
	return n > 4 ? m < 7 : 8;
}

static int counts_on(void) /* from loop to loop */
{
	int n = 0;

	for (int i = 1; i <= 2; i++)
		while (get(&X) < i && n < 4)
			n++;
	return n >= 3;
}

static int limit_of_same(void) /* the same state twice */
{
	unsigned n = 0;

	while (get(&X) < 2 && get(&X) < 2)
		if (++n > 2)
			return 7;
	return 0;
}

static int limits(void)
{
	int n = 3, m = 0;

	while (!get(&X)) {
		m += 2;
		if (--n == 0)
			put(&Y, 1);
		if (m == 8)
			break;
	}
	return m > 5;
}

static int tries_cas(void)
{
	int old = 0, n = 0;

	while (!atomic_compare_exchange_strong(&X, &old, 3) && n < 3)
		old = 0, n++;
	return n == 3;
}

/* --- private memory -------------------------------------------------------------------------- */

static int array(void)
{
	int a[4] = {0}, i = 0, n = 0;

	while (!get(&X) && n < 5) {
		a[i & 3] += 1;
		n += a[(i + 2) & 3];
		i = (i + 1) & 3;
	}
	return n * 10 + a[0];
}

struct pair {
	int a, b;
};

static int structure(void)
{
	struct pair p = {0, 3};

	while (!get(&X) && p.a < p.b)
		p.a++;
	return p.a;
}

static int pointer_chase(void)
{
	struct item {
		struct item *next;
		int value;
	} c = {NULL, 3}, b = {&c, 2}, a = {&b, 1}, *p = &a;

	while (p->next && !get(&X))
		p = p->next;
	return p->value;
}

static int grows(void) /* the stack, by each iteration */
{
	int n = 0, *last = &n;

	while (!get(&X) && n < 3) {
		int *p = alloca(sizeof *p);

		*p = *last + 1;
		last = p;
		n = *p;
	}
	return *last;
}

static int by_bytes(void)
{
	char text[4] = "aaa";
	int n = 0;

	while (!get(&X) && text[2] == 'a')
		text[n++] = 'b';
	return text[0] + text[1] + text[2];
}

/* --- memory that is not private -------------------------------------------------------------- */

static NOINLINE int step(int *p)
{
	++*p;
	return get(&X);
}

static int escaped(void)
{
	int n = 0;

	while (!step(&n) && n < 2)
		;
	return n;
}

static NOINLINE int toggles(int *p)
{
	*p ^= 1;
	return get(*p ? &X : &Y);
}

static int escaped_and_back(void) /* restored after two iterations */
{
	int which = 0;

	while (!toggles(&which))
		;
	return which;
}

static int blocked_read;

static int own_global(void)
{
	while (!get(&X) && blocked_read < 2)
		blocked_read++;
	return blocked_read;
}

static __thread int mine;

static int thread_local_counter(void)
{
	while (!get(&X) && mine < 2)
		mine++;
	return mine;
}

static int on_heap(void)
{
	int *n = calloc(1, sizeof *n), r;

	while (!get(&X) && *n < 2)
		++*n;
	r = *n;
	free(n);
	return r;
}

static int block_a_turn(void) /* fruitless: the block is freed */
{
	for (;;) {
		int *p = malloc(sizeof *p), r;

		*p = get(&X);
		r = *p;
		free(p);
		if (r)
			return r;
	}
}

static int list_of_turns(void)
{
	struct item {
		struct item *next;
	} *list = NULL, *p;
	int n = 0;

	for (int i = 0; i < 2 && !get(&X); i++) {
		p = malloc(sizeof *p);
		p->next = list;
		list = p;
	}
	while ((p = list)) {
		list = p->next;
		free(p);
		n++;
	}
	return n;
}

static int publishes(void) /* a store once, in some iteration */
{
	int done = 0, n = 0;

	while (!get(&X) && n++ < 2)
		if (!done) {
			put(&Z, 1);
			done = 1;
		}
	return n;
}

/* --- calls ----------------------------------------------------------------------------------- */

static NOINLINE int looks(int n) /* at most n iterations */
{
	while (n--)
		if (get(&X))
			return 1;
	return 0;
}

static int calls_looks(void) /* the inner loop begins in the same state each time */
{
	int i = 0;

	while (i < 2 && !looks(2))
		i++;
	return i;
}

static NOINLINE int looks_for(int n) /* depends on its argument */
{
	for (;;) {
		if (get(&X) || n == 2)
			return n;
		if (get(&Y))
			return -n;
		if (n < 2)
			return 0;
	}
}

static int calls_looks_for(void)
{
	int r = 0;

	for (int i = 0; i < 3 && !r; i++)
		r = looks_for(i);
	return r;
}

static NOINLINE int recurses(int depth)
{
	int n = 0;

	while (!get(&X) && n < 2) {
		n++;
		if (depth)
			n += recurses(depth - 1) > 1;
	}
	return n;
}

static int recursion(void)
{
	return recurses(1);
}

__attribute__((annotate("heddle_ignore"))) static NOINLINE int counts_unseen(int *n)
{
	return ++*n;
}

static int unseen(void)
{
	int n = 0;

	while (!get(&X) && counts_unseen(&n) < 3)
		;
	return n;
}

static int jumps(void)
{
	static _Thread_local jmp_buf there;
	volatile int n = 0;

	if (setjmp(there))
		n++;
	if (n < 3 && !get(&X))
		longjmp(there, 1);
	return n;
}

/* --- spin loops ------------------------------------------------------------------------------ */

static NOINLINE int try_read(int *out)
{
	int a = get(&X);

	if (a != get(&Y))
		return 0;
	*out = a;
	return 1;
}

static int sequence(void)
{
	int r = -1;

	while (!try_read(&r))
		;
	return r;
}

static int turned_around(void)
{
	while (!get(&X))
		if (get(&Y))
			return 5;
	return get(&Y);
}

static int carried(void) /* the value found by the failed exchange */
{
	int v = get(&X);

	while (!atomic_compare_exchange_strong(&X, &v, v + 4))
		;
	return v;
}

static int looks_before(void) /* and at the end of each iteration */
{
	int a = atomic_load(&X), before = 0;

	while (a != 2) {
		before = a;
		a = atomic_load(&X);
	}
	return before;
}

static int waits_in_turn(void)
{
	for (int i = 1; i <= 2; i++)
		while (get(&X) < i)
			;
	return get(&Y);
}

static int adds(void)
{
	int v;

	do
		v = get(&X);
	while (!change(&X, v, v + 1));
	return v;
}

static int state_machine(void) /* gotos: no loop with one head */
{
	int n = 0;

	if (get(&Y))
		goto second;
first:
	if (get(&X))
		return n;
	n = (n + 1) & 3;
second:
	if (get(&Y) && n == 2)
		return 10 + n;
	if (n < 3)
		goto first;
	return 20;
}

#define ONE(name, body, other) {#name, {body, other}}

const struct turns_case turns_cases[] = {
	ONE(counts_down, counts_down, writes_x),
	ONE(tells_turns, tells_turns, writes_x),
	ONE(accumulates, accumulates, writes_twice),
	ONE(alternates, alternates, writes_x_y),
	ONE(shifts, shifts, writes_twice),
	ONE(remembers, remembers, writes_twice),
	ONE(fraction, fraction, writes_x),
	ONE(nested, nested, writes_x),
	ONE(views, views, writes_x),
	ONE(raises, raises, writes_x_y),
	ONE(passes_by, passes_by, writes_x_y),
	ONE(falls, falls, writes_x),
	ONE(set_back, set_back, writes_x_y),
	ONE(wraps_around, wraps_around, writes_x),
	ONE(counts_some, counts_some, writes_x_y),
	ONE(two_counters, two_counters, writes_x),
	ONE(counts_on, counts_on, writes_twice),
	ONE(limit_of_same, limit_of_same, writes_twice),
	ONE(limits, limits, writes_x),
	ONE(tries_cas, tries_cas, writes_twice),
	ONE(array, array, writes_x),
	ONE(structure, structure, writes_x),
	ONE(pointer_chase, pointer_chase, writes_x),
	ONE(grows, grows, writes_x),
	ONE(by_bytes, by_bytes, writes_x),
	ONE(escaped, escaped, writes_x),
	ONE(escaped_and_back, escaped_and_back, writes_x_y),
	ONE(own_global, own_global, writes_x),
	ONE(thread_local_counter, thread_local_counter, writes_x),
	ONE(on_heap, on_heap, writes_x),
	ONE(block_a_turn, block_a_turn, writes_x),
	ONE(list_of_turns, list_of_turns, writes_x),
	ONE(publishes, publishes, writes_x),
	ONE(calls_looks, calls_looks, writes_x),
	ONE(calls_looks_for, calls_looks_for, writes_x_y),
	ONE(recursion, recursion, writes_x),
	ONE(unseen, unseen, writes_x),
	ONE(jumps, jumps, writes_x),
	ONE(sequence, sequence, writes_x_y),
	ONE(turned_around, turned_around, writes_x_y),
	ONE(carried, carried, writes_twice),
	ONE(looks_before, looks_before, writes_twice),
	ONE(waits_in_turn, waits_in_turn, writes_twice),
	ONE(adds, adds, writes_twice),
	ONE(adds_twice, adds, adds),
	ONE(state_machine, state_machine, writes_x_y),
};

const int turns_ncases = sizeof turns_cases / sizeof turns_cases[0];
