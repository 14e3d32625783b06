/* SPDX-License-Identifier: ISC */
/* cases.c - functions, and what their accesses depend on: see deps.h. */
#include "deps.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int table[4] = {0, 1, 2, 3};
static const int constants[4] = {0, 1, 2, 3};
static int state;
static volatile int flag;

/* --- values ----------------------------------------------------------------------------------- */

CASE(constant, "")
{
	LOAD(a);
	STORE(out, 1);
}

CASE(copied, "out: data a")
{
	STORE(out, LOAD(a));
}

CASE(added, "out: data ab")
{
	int x = LOAD(a), y = LOAD(b);

	STORE(out, x + y);
}

/* The optimiser knows the value: the source has a dependency, the code has none. */
CASE2(xor_itself, "", "out: data a")
{
	int x = LOAD(a);

	STORE(out, x ^ x);
}

CASE2(times_zero, "", "out: data a")
{
	STORE(out, LOAD(a) * 0);
}

/* It does not know this one. */
CASE(xor_hidden, "out: data a")
{
	int x = LOAD(a), y = x;

	__asm__("" : "+r"(y));
	STORE(out, x ^ y);
}

CASE(masked, "out: data a")
{
	STORE(out, (LOAD(a) & 4) + 1);
}

CASE(cast, "out: data a")
{
	STORE(out, (int)(double)(char)LOAD(a));
}

CASE(not_of_it, "out: data b")
{
	int x = LOAD(a), y = LOAD(b);

	(void)x;
	STORE(out, y);
}

CASE(compared, "out: data ab")
{
	int x = LOAD(a), y = LOAD(b);

	STORE(out, x < y);
}

CASE(many, "out: data abcdabcdab")
{
	int x = LOAD(a) + 3 * LOAD(b) + 5 * LOAD(c) + 7 * LOAD(d) + 11 * LOAD(a);
	int y = LOAD(b) + 3 * LOAD(c) + 5 * LOAD(d) + 7 * LOAD(a) + 11 * LOAD(b);

	STORE(out, x * y);
}

/* --- addresses -------------------------------------------------------------------------------- */

CASE(through_pointer, "d: address p; out: data d")
{
	atomic_int *x = LOAD(p);

	STORE(out, LOAD(*x));
}

CASE(store_through_pointer, "d: address p")
{
	STORE(*LOAD(p), 1);
}

CASE(fake_address, "b: address a")
{
	int x = LOAD(a), y = x;

	__asm__("" : "+r"(y));
	LOAD((&b)[x ^ y]);
}

/* p == &d: the compiler may use d itself, and does with optimisation. Then there is a branch. */
CASE2(known_pointer, "d: control p", "d: address p, control p")
{
	atomic_int *x = LOAD(p);

	if (x == &d)
		LOAD(*x);
}

CASE(constant_table, "out: data a, control a")
{
	STORE(out, constants[LOAD(a) & 3]);
}

CASE(own_table, "out: data a, control a")
{
	STORE(out, table[LOAD(a) & 3]);
}

/* --- branches --------------------------------------------------------------------------------- */

CASE(branch, "out: control a; d: control a")
{
	if (LOAD(a))
		flag = 1;
	STORE(out, 1);
	LOAD(d);
}

CASE(loop_condition, "out: control a")
{
	while (LOAD(a))
		;
	STORE(out, 1);
}

CASE(switched, "out: control a")
{
	switch (LOAD(a)) {
	case 0: flag = 1; break;
	case 1: flag = 5; break;
	case 2: abort();
	case 3: flag = 7; break;
	case 9: flag = 2; break;
	default: flag = 9;
	}
	STORE(out, 1);
}

CASE(branch_both, "b: control a; out: control ab")
{
	if (LOAD(a) == 0 && LOAD(b) == 0)
		flag = 1;
	STORE(out, 1);
}

CASE(indirect_goto, "out: control a")
{
	static void *const labels[] = {&&first, &&second};

	goto *labels[LOAD(a) & 1];
first:
	flag = 1;
second:
	STORE(out, 1);
}

CASE(branch_on_old, "out: data b, control a")
{
	int x = LOAD(a), y = LOAD(b);

	if (x)
		flag = 1;
	STORE(out, y);
}

/* --- choices ---------------------------------------------------------------------------------- */

/* The value that is taken; without optimisation there is a branch. */
CASE2(chosen, "out: data b, pick a", "out: data b, control a")
{
	int x = LOAD(a), y = LOAD(b), z = LOAD(c);

	STORE(out, x ? z : y);
}

CASE2(chosen_constant, "out: pick a", "out: control a")
{
	int y = flag, x = LOAD(a);

	STORE(out, x > 5 ? y : 7);
}

CASE2(smaller, "out: data b, pick a", "out: data b, control ab")
{
	int x = LOAD(a), y = LOAD(b);

	STORE(out, x < y ? x + 1 : y);
}

/* The optimiser loads from one of two addresses. */
CASE2(joined, "b: pick a; out: data b", "b: control a; out: data b, control a")
{
	int x = LOAD(a), y;

	if (x)
		y = LOAD(c);
	else
		y = LOAD(b);
	STORE(out, y);
}

CASE(summed, "out: data aaaa")
{
	int sum = 0;

	for (int i = 0; i < 4; i++)
		sum += LOAD(a);
	STORE(out, sum);
}

CASE(last_one, "out: data a")
{
	int x = 0;

	for (int i = 0; i < 4; i++) {
		x = LOAD(a);
		__asm__ volatile("" : : "r"(i));
	}
	STORE(out, x);
}

CASE(counted, "out: data a, control a")
{
	int i;

	for (i = LOAD(a); i & 3; i++)
		flag = i;
	STORE(out, i);
}

/* --- private memory --------------------------------------------------------------------------- */

CASE(local_array, "out: data b")
{
	volatile int x[4];

	x[0] = LOAD(a);
	x[1] = LOAD(b);
	STORE(out, x[1]);
}

CASE(local_overwritten, "")
{
	volatile int x;

	x = LOAD(a);
	x = 1;
	STORE(out, x);
}

CASE(local_index, "out: data a, control a")
{
	volatile int x[4] = {0};

	STORE(out, x[LOAD(a) & 3]);
}

CASE(local_bytes, "out: data ab; d: data b")
{
	volatile union {
		short half[2];
		int whole;
	} x;

	x.half[0] = (short)LOAD(a);
	x.half[1] = (short)LOAD(b);
	STORE(out, x.whole);
	STORE(d, x.half[1]);
}

CASE(heap, "out: data b")
{
	int *volatile x = malloc(2 * sizeof *x);

	x[0] = LOAD(a);
	x[1] = LOAD(b);
	STORE(out, x[1]);
	free(x);
}

CASE(global, "out: data a")
{
	*(volatile int *)&state = LOAD(a);
	STORE(out, *(volatile int *)&state);
	state = 0;
}

struct three {
	int x, y, z;
};

CASE(memory_copied, "out: data b")
{
	struct three one = {LOAD(a), LOAD(b), 0}, *volatile from = &one, two, *volatile to = &two;

	memcpy(to, from, sizeof *to);
	STORE(out, to->y);
}

CASE(memory_filled, "out: data a")
{
	struct three one, *volatile to = &one;

	memset(to, LOAD(a), sizeof *to);
	STORE(out, to->z);
}

CASE(shared_copied, "out: data a")
{
	volatile int x;

	memcpy((void *)&x, (void *)&a, sizeof x);
	STORE(out, x);
}

CASE(shared_copied_to, "out: data a")
{
	volatile int x = LOAD(a);

	memcpy((void *)&out, (void *)&x, sizeof x);
}

CASE(copied_to_address, "d: address p")
{
	static const int one = 1;

	memcpy((void *)LOAD(p), &one, sizeof one);
}

CASE(local_structure, "out: data a")
{
	struct three x = {LOAD(a), LOAD(b), LOAD(c)}, y = x;

	STORE(out, y.x);
}

/* --- calls ------------------------------------------------------------------------------------ */

static __attribute__((noinline)) int add_one(int x)
{
	flag = 1;
	return x + 1;
}

CASE(result_of_argument, "out: data a")
{
	STORE(out, add_one(LOAD(a)));
}

static __attribute__((noinline)) int second_of(int x, int y)
{
	flag = x;
	return y;
}

CASE(one_argument, "out: data b")
{
	int x = LOAD(a), y = LOAD(b);

	STORE(out, second_of(x, y));
}

static __attribute__((noinline)) int loads_itself(void)
{
	return LOAD(a);
}

CASE(result_of_load, "out: data a")
{
	STORE(out, loads_itself());
}

static __attribute__((noinline)) int seven(int x)
{
	flag = x;
	return 7;
}

CASE(result_of_nothing, "")
{
	STORE(out, seven(LOAD(a)));
}

CASE(after_call, "")
{
	seven(LOAD(a));
	STORE(out, second_of(1, 2));
}

static __attribute__((noinline)) int depth(int n, int x)
{
	return n ? depth(n - 1, x) + 1 : x;
}

CASE(recursive, "out: data a")
{
	STORE(out, depth(3, LOAD(a)));
}

static int (*volatile function[2])(int) = {add_one, seven};

CASE(through_function_pointer, "out: data a")
{
	STORE(out, function[0](LOAD(a)));
}

CASE(which_function, "out: control a")
{
	STORE(out, function[(LOAD(a) & 1) + 1](5));
}

static __attribute__((noinline)) void sets(int *to, int x)
{
	*to = x;
}

CASE(result_through_pointer, "out: data a")
{
	int x;

	sets(&x, LOAD(a));
	STORE(out, x);
}

static __attribute__((noinline)) struct three make_three(int x, int y)
{
	return (struct three){x, y, 1};
}

/* x and y are halves of one register. */
CASE(structure_returned, "out: data ab")
{
	int x = LOAD(a), y = LOAD(b);
	struct three t = make_three(x, y);

	STORE(out, t.y);
}

struct big {
	long x[6];
};

static __attribute__((noinline)) int in_memory(struct big s)
{
	flag = 1;
	return (int)s.x[3];
}

CASE(structure_passed, "out: data a")
{
	struct big s = {{0}};

	s.x[3] = LOAD(a);
	STORE(out, in_memory(s));
}

static __attribute__((noinline)) int nth(int n, ...)
{
	va_list list;
	int x = 0;

	va_start(list, n);
	while (n--)
		x = va_arg(list, int);
	va_end(list);
	return x;
}

CASE(variable_argument, "out: data b")
{
	int x = LOAD(a), y = LOAD(b), z = LOAD(c);

	STORE(out, nth(2, x, y, z));
}

CASE(variable_argument_on_stack, "out: data c")
{
	int x = LOAD(a), y = LOAD(b), z = LOAD(c);

	STORE(out, nth(7, 1, 2, 3, 4, x, y, z, 5));
}

static __attribute__((noinline)) double nth_real(int n, ...)
{
	va_list list;
	double x = 0;

	va_start(list, n);
	while (n--)
		x = va_arg(list, double);
	va_end(list);
	return x;
}

CASE(variable_real, "out: data a")
{
	int x = LOAD(a), y = LOAD(b);

	STORE(out, (int)nth_real(2, 1.5, (double)x, (double)y));
}

/* Code without the pass: its result depends on its arguments, and it branches. */
CASE(foreign, "out: data a, control a")
{
	char text[2] = {(char)('1' + LOAD(a)), 0};
	int base = 10 + LOAD(a);

	(void)text;
	STORE(out, (int)strtol("7", NULL, base));
}

CASE(string_length, "out: data a, control a")
{
	char *volatile text = calloc(4, 1);

	text[0] = (char)('1' + LOAD(a));
	STORE(out, (int)strlen(text));
	free(text);
}

CASE(absolute, "out: data a")
{
	STORE(out, abs(LOAD(a)));
}

/* --- atomic operations, volatile, assembly ----------------------------------------------------- */

CASE(rmw_operand, "b: data a")
{
	atomic_fetch_add_explicit(&b, LOAD(a), memory_order_relaxed);
}

CASE(rmw_result, "out: data b")
{
	STORE(out, atomic_fetch_add_explicit(&b, 1, memory_order_relaxed));
}

CASE(exchange_address, "d: address p; out: data d")
{
	STORE(out, atomic_exchange_explicit(LOAD(p), 3, memory_order_relaxed));
}

CASE(cas_desired, "b: data a")
{
	int x = 0;

	atomic_compare_exchange_strong_explicit(
		&b, &x, LOAD(a), memory_order_relaxed, memory_order_relaxed);
}

CASE2(cas_found, "out: data b", "out: data b, control b")
{
	int x = 5;

	atomic_compare_exchange_strong_explicit(
		&b, &x, 1, memory_order_relaxed, memory_order_relaxed);
	STORE(out, x);
}

CASE2(cas_ok, "out: data b", "out: data b, control b")
{
	int x = 0;

	STORE(out, atomic_compare_exchange_strong_explicit(
			   &b, &x, 1, memory_order_relaxed, memory_order_relaxed));
}

CASE(volatile_load, "out: data a")
{
	*(volatile int *)&out = *(volatile int *)&a;
}

CASE(assembly_load, "out: data a")
{
	int x;

	__asm__ volatile("movl %1, %0" : "=r"(x) : "m"(a));
	STORE(out, x);
}

CASE(assembly_store, "out: data a")
{
	int x = LOAD(a);

	__asm__ volatile("movl %1, %0" : "=m"(out) : "r"(x));
}

CASE(assembly_exchange, "out: data a; d: data out")
{
	int x = LOAD(a);

	__asm__ volatile("xchgl %0, %1" : "+r"(x), "+m"(out));
	STORE(d, x);
}

CASE(assembly_computes, "out: data a")
{
	int x = LOAD(a);

	__asm__ volatile("" : "+r"(x));
	STORE(out, x);
}

CASE(float_value, "out: data a")
{
	volatile float x = (float)LOAD(a);

	STORE(out, (int)(x * 2.5f));
}

CASE(wide, "out: data b")
{
	volatile unsigned __int128 x = (unsigned __int128)(unsigned)LOAD(b) << 64;

	STORE(out, (int)(x >> 64));
}
