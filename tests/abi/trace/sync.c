/* SPDX-License-Identifier: ISC */
/*
 * sync.c - the __sync builtins: always sequentially consistent, but for the lock pair.
 */
#include "../expect.h"

#ifdef __clang__
#define LOCK_ORDER "seq_cst"
#else /* as gcc's manual has it */
#define LOCK_ORDER "acquire"
#endif

unsigned char v1;
unsigned short v2;
unsigned int v4;
unsigned long v8;
unsigned __int128 v16;
unsigned __int128 sink;

#define RMW(n, name, op) \
	sink = __sync_##name(&v##n, 3); \
	__heddle_expect("rmw" #n " v" #n " " #op " seq_cst 3");

#define SIZE(n) \
	static __attribute__((noinline)) void size##n(void) \
	{ \
		RMW(n, fetch_and_add, add) \
		RMW(n, fetch_and_sub, sub) \
		RMW(n, fetch_and_or, or) \
		RMW(n, fetch_and_and, and) \
		RMW(n, fetch_and_xor, xor) \
		RMW(n, fetch_and_nand, nand) \
		RMW(n, add_and_fetch, add) \
		RMW(n, sub_and_fetch, sub) \
		RMW(n, or_and_fetch, or) \
		RMW(n, and_and_fetch, and) \
		RMW(n, xor_and_fetch, xor) \
		RMW(n, nand_and_fetch, nand) \
		sink = __sync_lock_test_and_set(&v##n, 1); \
		__heddle_expect("rmw" #n " v" #n " xchg " LOCK_ORDER " 1"); \
		sink = __sync_bool_compare_and_swap(&v##n, 1, 2); \
		__heddle_expect("cas" #n " v" #n " 5/5 1->2 ok"); \
		sink = __sync_val_compare_and_swap(&v##n, 1, 3); \
		__heddle_expect("cas" #n " v" #n " 5/5 1->3 2"); \
		__sync_lock_release(&v##n); \
		__heddle_expect("store" #n " v" #n " release 0"); \
	}
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)

int main(void)
{
	size1();
	size2();
	size4();
	size8();
	size16();
	__sync_synchronize();
	__heddle_expect("fence seq_cst");
	return 0;
}
