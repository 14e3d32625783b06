/* SPDX-License-Identifier: ISC */
/*
 * c11.c - <stdatomic.h>: types and operators, also those that become compare-and-exchange loops.
 */
#include "../expect.h"

#include <stdatomic.h>
#include <stdint.h>

struct pair {
	uint64_t a, b;
};

atomic_int i;
_Atomic(short) s;
atomic_bool b;
atomic_flag flag = ATOMIC_FLAG_INIT;
_Atomic(float) f;
_Atomic(double) d;
_Atomic(int *) p;
_Atomic(struct pair) pair;
_Atomic(__int128) wide;
int array[4];
int sink;

static void operators(void)
{
	i = 5;
	__heddle_expect("store4 i seq_cst 5");
	i++;
	__heddle_expect("rmw4 i add seq_cst 1");
	i -= 2;
	__heddle_expect("rmw4 i sub seq_cst 2");
	i |= 8;
	__heddle_expect("rmw4 i or seq_cst 8");
	sink = i;
	__heddle_expect("load4 i seq_cst");
	s++;
	__heddle_expect("rmw2 s add seq_cst 1");
	i *= 2; /* 12 -> 24 */
	__heddle_expect("load4 i seq_cst");
	__heddle_expect("cas4 i 5/5 c->18 ok");
	b = 1;
	__heddle_expect("store1 b seq_cst 1");
	sink = b;
	__heddle_expect("load1 b seq_cst");
	atomic_init(&i, 3); /* a plain store: the object is still private */
#ifdef __clang__
	__heddle_expect("plain_store4 i 3");
#else
	__heddle_expect("store4 i relaxed 3");
#endif
}

static void floating(void)
{
	f = 1.0f;
	__heddle_expect("store4 f seq_cst 3f800000");
	sink = f;
	__heddle_expect("load4 f seq_cst");
	d = 2.0;
	__heddle_expect("store8 d seq_cst 4000000000000000");
	f += 1.0f;
	__heddle_expect("load4 f seq_cst");
	__heddle_expect("cas4 f 5/5 3f800000->40000000 ok");
}

static void pointers(void)
{
	atomic_store_explicit(&p, (int *)0, memory_order_relaxed);
	__heddle_expect("store8 p relaxed 0");
	atomic_fetch_add_explicit(&p, 3, memory_order_acq_rel);
#ifdef __clang__
	__heddle_expect("rmw8 p add acq_rel c");
#else /* gcc adds bytes */
	__heddle_expect("rmw8 p add acq_rel 3");
#endif
	sink = atomic_load_explicit(&p, memory_order_consume) == array;
	__heddle_expect("load8 p acquire");
}

static void wide_types(void)
{
	struct pair v = {1, 2};

	pair = v;
	__heddle_expect("store16 pair seq_cst 2:0000000000000001");
	v = atomic_load_explicit(&pair, memory_order_acquire);
	__heddle_expect("load16 pair acquire");
	sink = v.a == 1 && v.b == 2;
	atomic_exchange(&pair, v);
	__heddle_expect("rmw16 pair xchg seq_cst 2:0000000000000001");
	wide += 1;
	__heddle_expect("rmw16 wide add seq_cst 1");
	atomic_compare_exchange_strong(&pair, &v, ((struct pair){3, 4}));
	__heddle_expect("cas16 pair 5/5 2:0000000000000001->4:0000000000000003 ok");
}

int main(void)
{
	operators();
	floating();
	pointers();
	wide_types();
	sink = atomic_flag_test_and_set(&flag);
	__heddle_expect("rmw1 flag xchg seq_cst 1");
	atomic_flag_clear_explicit(&flag, memory_order_release);
	__heddle_expect("store1 flag release 0");
	atomic_thread_fence(memory_order_acq_rel);
	__heddle_expect("fence acq_rel");
	atomic_signal_fence(memory_order_acq_rel);
	return 0;
}
