/* SPDX-License-Identifier: ISC */
/*
 * asm.c - inline assembly: each known form, and its events.
 */
#include "../expect.h"

#include <stdbool.h>
#include <stdint.h>

unsigned char v1;
unsigned short v2;
unsigned int v4;
unsigned long v8;
unsigned __int128 v16;
unsigned long bits[4];
double real;
unsigned long sink;

static __attribute__((noinline)) void fences(void)
{
	__asm__ volatile("mfence" ::: "memory");
	__heddle_expect("fence seq_cst asm");
	__asm__ volatile("sfence" ::: "memory");
	__heddle_expect("fence release asm");
	__asm__ volatile("lfence" ::: "memory");
	__heddle_expect("fence acquire asm");
	__asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
	__heddle_expect("fence seq_cst asm");
	__asm__ volatile("lock orl $0, -4(%%rsp)" ::: "memory", "cc");
	__heddle_expect("fence seq_cst asm");
	__builtin_ia32_mfence();
	__heddle_expect("fence seq_cst");
	__builtin_ia32_sfence();
	__heddle_expect("fence release");
	__builtin_ia32_lfence();
	__heddle_expect("fence acquire");
	__asm__ volatile("pause");
	__heddle_expect("pause");
	__asm__ volatile("rep; nop" ::: "memory");
	__heddle_expect("pause");
	__builtin_ia32_pause();
	__heddle_expect("pause");
	__asm__ volatile("" ::: "memory"); /* only for the compiler */
	__asm__ volatile("# comment" ::: "memory");
	__asm__ volatile("nop\n\tnop");
}

static __attribute__((noinline)) void moves(void)
{
	uint8_t b;
	uint32_t l;
	unsigned long q;

	__asm__ volatile("movb %1, %0" : "=m"(v1) : "iq"((uint8_t)1) : "memory");
	__heddle_expect("store1 v1 relaxed asm 1");
	__asm__ volatile("movw %w1, %0" : "=m"(v2) : "r"(2));
	__heddle_expect("store2 v2 relaxed asm 2");
	__asm__ volatile("movl $3, %0" : "=m"(v4));
	__heddle_expect("store4 v4 relaxed asm 3");
	__asm__ volatile("movq %1, %0" : "=m"(v8) : "er"(4L));
	__heddle_expect("store8 v8 relaxed asm 4");
	__asm__ volatile("mov %1, %0" : "=r"(l) : "m"(v4));
	__heddle_expect("load4 v4 relaxed asm");
	__asm__ volatile("movzbl %1, %0" : "=r"(l) : "m"(v1));
	__heddle_expect("load1 v1 relaxed asm");
	sink = l;
	__asm__ volatile("movswq %1, %0" : "=r"(q) : "m"(v2));
	__heddle_expect("load2 v2 relaxed asm");
	sink = q;
	__asm__ volatile("movq 8(%1), %0" : "=r"(q) : "r"(bits) : "memory");
	__heddle_expect("load8 bits+8 relaxed asm");
	__asm__ volatile("movq (%1,%2,8), %0" : "=r"(q) : "r"(bits), "r"(2L) : "memory");
	__heddle_expect("load8 bits+16 relaxed asm");
	__asm__ volatile("movsd %1, %0" : "=x"(real) : "m"(*(double *)&v8));
	__heddle_expect("load8 v8 relaxed asm");
	__heddle_expect("plain_store8 real 4");
	__asm__ volatile("addb %b2, %0; movb %0, %1" : "=q"(b), "=m"(v1) : "q"(3), "0"((uint8_t)4));
	__heddle_expect("store1 v1 relaxed asm 7");
	__asm__ volatile("movdqa %1, %0" : "=x"(*(__float128 *)&v16) : "m"(*(__float128 *)&v16));
	__heddle_expect("load16 v16 relaxed asm");
	__heddle_expect("plain_store16 v16 0");
}

#define LOCKED(n, suffix, modifier) \
	static __attribute__((noinline)) void locked##n(void) \
	{ \
		__typeof__(v##n) x = 5, zero; \
		bool ok; \
\
		__asm__ volatile("lock; add" #suffix " %1, %0" : "+m"(v##n) : "r"(x) : "cc"); \
		__heddle_expect("rmw" #n " v" #n " add seq_cst asm 5"); \
		__asm__ volatile("lock sub" #suffix " $1, %0" : "+m"(v##n)::"cc"); \
		__heddle_expect("rmw" #n " v" #n " sub seq_cst asm 1"); \
		__asm__ volatile("lock; and" #suffix " %1, %0" : "=m"(v##n) : "r"(x) : "memory"); \
		__heddle_expect("rmw" #n " v" #n " and seq_cst asm 5"); \
		__asm__ volatile("lock\n\tor" #suffix " %1, %0" : "=m"(v##n) : "r"(x) : "memory"); \
		__heddle_expect("rmw" #n " v" #n " or seq_cst asm 5"); \
		__asm__ volatile("lock xor" #suffix " %1, %0" : "+m"(v##n) : "r"(x)); \
		__heddle_expect("rmw" #n " v" #n " xor seq_cst asm 5"); \
		__asm__ volatile("lock inc" #suffix " %0; setz %1" : "+m"(v##n), "=q"(ok)); \
		__heddle_expect("rmw" #n " v" #n " add seq_cst asm 1"); \
		sink = ok; \
		__asm__ volatile("lock dec" #suffix " %0" : "+m"(v##n), "=@cce"(ok)); \
		__heddle_expect("rmw" #n " v" #n " sub seq_cst asm 1"); \
		sink = ok; \
		__asm__ volatile("lock xadd" #suffix " %1, %0" : "+m"(v##n), "+r"(x)); \
		__heddle_expect("rmw" #n " v" #n " add seq_cst asm 5"); \
		sink = x; \
		x = 7; \
		__asm__ volatile("xchg" #suffix " %0, %1" : "+r"(x), "+m"(v##n)::"memory"); \
		__heddle_expect("rmw" #n " v" #n " xchg seq_cst asm 7"); \
		x = 9; \
		__asm__ volatile("lock; xchg" #suffix " %1, %0" : "+m"(v##n), "+r"(x)::"memory"); \
		__heddle_expect("rmw" #n " v" #n " xchg seq_cst asm 9"); \
		zero = 9; \
		__asm__ volatile("lock cmpxchg" #suffix " %3, %0" \
				 : "+m"(v##n), "=@ccz"(ok), "+a"(zero) \
				 : "q"(x) \
				 : "memory"); \
		__heddle_expect("cas" #n " v" #n " 5/5 asm 9->7 ok"); \
		zero = 1; \
		__asm__ volatile("lock; cmpxchg" #suffix " %2, %1" \
				 : "+a"(zero), "+m"(v##n) \
				 : "q"(x) \
				 : "memory"); \
		__heddle_expect("cas" #n " v" #n " 5/5 asm 1->7 7"); \
		sink = zero; \
		__asm__ volatile("lock not" #suffix " %0" : "+m"(v##n)); \
		__heddle_expect( \
			"rmw" #n " v" #n " xor seq_cst asm %s", n == 1	 ? "ff" \
								: n == 2 ? "ffff" \
								: n == 4 ? "ffffffff" \
									 : "ffffffffffffffff"); \
		__asm__ volatile("lock not" #suffix " %0" : "+m"(v##n)); \
		__heddle_expect( \
			"rmw" #n " v" #n " xor seq_cst asm %s", n == 1	 ? "ff" \
								: n == 2 ? "ffff" \
								: n == 4 ? "ffffffff" \
									 : "ffffffffffffffff"); \
	}
LOCKED(1, b, b)
LOCKED(2, w, w)
LOCKED(4, l, k)
LOCKED(8, q, q)

/* Not locked: a load and a store. */
static __attribute__((noinline)) void unlocked(void)
{
	unsigned old = 2;
	bool le;

	v4 = 1;
	__heddle_expect("plain_store4 v4 1");
	__asm__ volatile("incl %0; setle %1" : "+m"(v4), "=q"(le));
	__heddle_expect("load4 v4 relaxed asm");
	__heddle_expect("store4 v4 relaxed asm 2");
	sink = le;
	__asm__ volatile("xaddl %1, %0" : "+m"(v4), "+r"(old));
	__heddle_expect("load4 v4 relaxed asm");
	__heddle_expect("store4 v4 relaxed asm 4");
	sink = old;
	__asm__ volatile("cmpl $4, %1; sete %0" : "=q"(le) : "m"(v4));
	__heddle_expect("load4 v4 relaxed asm");
	sink = le;
}

static __attribute__((noinline)) void negate(void)
{
	v4 = 5;
	__heddle_expect("plain_store4 v4 5");
	__asm__ volatile("lock; negl %0" : "+m"(v4));
	__heddle_expect("load4 v4 relaxed asm");
	__heddle_expect("cas4 v4 5/5 asm 5->fffffffb ok");
}

/* A bit number in a register may reach beyond the operand. */
static __attribute__((noinline)) void bit_tests(void)
{
	bool c;

	__asm__ volatile("lock btsq %2, %0; setc %1" : "+m"(bits), "=q"(c) : "r"(67L) : "cc");
	__heddle_expect("rmw8 bits+8 or seq_cst asm 8");
	sink = c;
	__asm__ volatile("lock btrl %2, %0; setc %1" : "+m"(*(int *)bits), "=q"(c) : "Ir"(3));
	__heddle_expect("rmw4 bits and seq_cst asm fffffff7");
	sink = c;
	__asm__ volatile("lock btcq $5, %0" : "+m"(bits[0]), "=@ccc"(c));
	__heddle_expect("rmw8 bits xor seq_cst asm 20");
	sink = c;
	__asm__ volatile("btq %2, %1" : "=@ccc"(c) : "m"(bits[0]), "r"(5L));
	__heddle_expect("load8 bits relaxed asm");
	sink = c;
}

static __attribute__((noinline)) void pairs(void)
{
	uint64_t low = 0, high = 0;
	uint32_t low4 = 1, high4 = 0;
	bool ok;

	__asm__ volatile("lock; cmpxchg16b %0; setz %1"
			 : "+m"(v16), "=q"(ok), "+a"(low), "+d"(high)
			 : "b"(1L), "c"(2L)
			 : "memory", "cc");
	__heddle_expect("cas16 v16 5/5 asm 0->2:0000000000000001 ok");
	sink = ok;
	__asm__ volatile("lock cmpxchg16b %0"
			 : "+m"(v16), "=@ccz"(ok), "+a"(low), "+d"(high)
			 : "b"(1L), "c"(2L)
			 : "memory");
	__heddle_expect("cas16 v16 5/5 asm 0->2:0000000000000001 2:0000000000000001");
	sink = low + high;
	v8 = 1;
	__heddle_expect("plain_store8 v8 1");
	__asm__ volatile("lock; cmpxchg8b %0"
			 : "+m"(v8), "+a"(low4), "+d"(high4)
			 : "b"(3), "c"(4)
			 : "memory", "cc");
	__heddle_expect("cas8 v8 5/5 asm 1->400000003 ok");
}

/* None of this accesses shared memory: no event. */
static __attribute__((noinline)) void silent(void)
{
	unsigned a, d = 2, local = 1;

	__asm__("bsfl %1, %0" : "=r"(a) : "rm"(local));
	__asm__("addl %1, %0" : "+r"(a) : "r"(d));
	__asm__ volatile("lock; addl $4, %0" : "+m"(local)); /* private */
	sink = a + local;
	__asm__ volatile("prefetcht0 %0" ::"m"(v4));
}

static __attribute__((noinline)) void dialects(void)
{
	unsigned low, high;

	__asm__ volatile("lock; {addl %1, %0|add %0, %1}" : "+m"(v4) : "r"(3));
	__heddle_expect("rmw4 v4 add seq_cst asm 3");
	__asm__ volatile("mfence; cpuid" ::: "rax", "rbx", "rcx", "rdx", "memory");
	__heddle_expect("fence seq_cst asm");
	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high)::"memory");
	__heddle_expect("fence acquire asm");
	__heddle_expect("cycles");
	sink = low + high + __builtin_ia32_rdtsc() + __builtin_ia32_rdtscp(&low);
	__heddle_expect("cycles");
	__heddle_expect("cycles");
}

int main(void)
{
	fences();
	moves();
	v1 = v2 = v4 = v8 = 0;
	__heddle_expect("plain_store8 v8 0");
	__heddle_expect("plain_store4 v4 0");
	__heddle_expect("plain_store2 v2 0");
	__heddle_expect("plain_store1 v1 0");
	locked1();
	locked2();
	locked4();
	locked8();
	unlocked();
	negate();
	bit_tests();
	pairs();
	silent();
	dialects();
	return 0;
}
