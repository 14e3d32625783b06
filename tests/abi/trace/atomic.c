/* SPDX-License-Identifier: ISC */
/*
 * atomic.c - the __atomic builtins: every operation, size and order.
 */
#include "../expect.h"

#include <stdbool.h>

unsigned char v1;
unsigned short v2;
unsigned int v4;
unsigned long v8;
unsigned __int128 v16;
signed char s1;
short s2;
int s4;
long s8;
int *pointer, array[4];
bool flag;
unsigned __int128 sink;

#define relaxed __ATOMIC_RELAXED
#define consume __ATOMIC_CONSUME
#define acquire __ATOMIC_ACQUIRE
#define release __ATOMIC_RELEASE
#define acq_rel __ATOMIC_ACQ_REL
#define seq_cst __ATOMIC_SEQ_CST

#define LOAD(n, order) \
	sink = __atomic_load_n(&v##n, order); \
	__heddle_expect("load" #n " v" #n " %s", order == consume ? "acquire" : #order);

#define STORE(n, order) \
	__atomic_store_n(&v##n, 0x5a, order); \
	__heddle_expect("store" #n " v" #n " " #order " 5a");

#define RMW(n, name, op, order) \
	sink = __atomic_##name(&v##n, 3, order); \
	__heddle_expect("rmw" #n " v" #n " " #op " " #order " 3");

#define RMW_ORDERS(n, name, op) \
	RMW(n, name, op, relaxed) \
	RMW(n, name, op, acquire) \
	RMW(n, name, op, release) \
	RMW(n, name, op, acq_rel) \
	RMW(n, name, op, seq_cst)

/* It succeeds once and fails once. */
#define CAS(n, weak, success, failure) \
	v##n = 1; \
	__heddle_expect("plain_store" #n " v" #n " 1"); \
	cas##n(2, weak, success, failure); \
	__heddle_expect( \
		"cas" #n " v" #n " %d/%d%s 1->2 ok", success, failure, weak ? " weak" : ""); \
	cas##n(3, weak, success, failure); \
	__heddle_expect("cas" #n " v" #n " %d/%d%s 1->3 2", success, failure, weak ? " weak" : "");

#define CAS_FUNCTION(n) \
	static inline __attribute__((always_inline)) void cas##n( \
		unsigned desired, bool weak, int success, int failure) \
	{ \
		__typeof__(v##n) expected = 1; \
\
		sink = __atomic_compare_exchange_n( \
			&v##n, &expected, desired, weak, success, failure); \
		sink = expected; \
	}
CAS_FUNCTION(1)
CAS_FUNCTION(2)
CAS_FUNCTION(4)
CAS_FUNCTION(8)
CAS_FUNCTION(16)

#define SIZE(n) \
	static __attribute__((noinline)) void size##n(void) \
	{ \
		LOAD(n, relaxed) \
		LOAD(n, consume) \
		LOAD(n, acquire) \
		LOAD(n, seq_cst) \
		STORE(n, relaxed) \
		STORE(n, release) \
		STORE(n, seq_cst) \
		RMW_ORDERS(n, exchange_n, xchg) \
		RMW_ORDERS(n, fetch_add, add) \
		RMW_ORDERS(n, fetch_sub, sub) \
		RMW_ORDERS(n, fetch_and, and) \
		RMW_ORDERS(n, fetch_nand, nand) \
		RMW_ORDERS(n, fetch_or, or) \
		RMW_ORDERS(n, fetch_xor, xor) \
		RMW_ORDERS(n, add_fetch, add) \
		RMW_ORDERS(n, nand_fetch, nand) \
		CAS(n, false, relaxed, relaxed) \
		CAS(n, false, acquire, relaxed) \
		CAS(n, false, acquire, acquire) \
		CAS(n, false, release, relaxed) \
		CAS(n, false, acq_rel, acquire) \
		CAS(n, false, seq_cst, relaxed) \
		CAS(n, false, seq_cst, seq_cst) \
		CAS(n, true, seq_cst, acquire) \
	}
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)

#define MINMAX(n, letter, prefix) \
	sink = __atomic_fetch_max(&letter##n, 7, acquire); \
	__heddle_expect("rmw" #n " " #letter #n " " #prefix "max acquire 7"); \
	sink = __atomic_fetch_min(&letter##n, 2, release); \
	__heddle_expect("rmw" #n " " #letter #n " " #prefix "min release 2");

#ifdef __clang__
static __attribute__((noinline)) void minmax(void)
{
	MINMAX(1, v, u)
	MINMAX(2, v, u)
	MINMAX(4, v, u)
	MINMAX(8, v, u)
	MINMAX(1, s, )
	MINMAX(2, s, )
	MINMAX(4, s, )
	MINMAX(8, s, )
}
#endif

static __attribute__((noinline)) void pointers(void)
{
	__atomic_store_n(&pointer, (int *)0, release);
	__heddle_expect("store8 pointer release 0");
	sink = __atomic_load_n(&pointer, acquire) == array;
	__heddle_expect("load8 pointer acquire");
	sink = __atomic_fetch_add(&pointer, 4, relaxed) == array;
	__heddle_expect("rmw8 pointer add relaxed 4");
}

static __attribute__((noinline)) void fences(void)
{
	__atomic_thread_fence(acquire);
	__heddle_expect("fence acquire");
	__atomic_thread_fence(release);
	__heddle_expect("fence release");
	__atomic_thread_fence(acq_rel);
	__heddle_expect("fence acq_rel");
	__atomic_thread_fence(seq_cst);
	__heddle_expect("fence seq_cst");
	__atomic_signal_fence(seq_cst);
	__atomic_thread_fence(relaxed); /* no fence at all */
}

static __attribute__((noinline)) void flags(void)
{
	sink = __atomic_test_and_set(&v1, acquire);
	__heddle_expect("rmw1 v1 xchg acquire 1");
	__atomic_clear(&v1, release);
	__heddle_expect("store1 v1 release 0");
	__atomic_store_n(&flag, true, relaxed);
	__heddle_expect("store1 flag relaxed 1");
}

int main(void)
{
	size1();
	size2();
	size4();
	size8();
	size16();
#ifdef __clang__
	minmax();
#endif
	pointers();
	fences();
	flags();
	return 0;
}
