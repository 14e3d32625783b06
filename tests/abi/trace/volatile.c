/* SPDX-License-Identifier: ISC */
/*
 * volatile.c - volatile accesses: relaxed atomics, or plain ones when PLAIN is defined and the
 * driver has --volatile=plain.
 */
#include "../expect.h"

#ifdef PLAIN
#define VOLATILE_LOAD(n, what)	       "plain_load" #n " " what
#define VOLATILE_STORE(n, what, value) "plain_store" #n " " what " " value
#else
#define VOLATILE_LOAD(n, what)	       "load" #n " " what " relaxed volatile"
#define VOLATILE_STORE(n, what, value) "store" #n " " what " relaxed volatile " value
#endif

struct big {
	long a[5];
};

volatile char c;
volatile short s;
volatile int i;
volatile long l;
volatile __int128 wide;
volatile float f;
int *volatile p;
volatile struct {
	int low : 7, high : 20;
} bits;
volatile long double ld;
volatile struct big big, big2;
volatile _Atomic int atomic;
int sink;

int main(void)
{
	c = 1;
	__heddle_expect(VOLATILE_STORE(1, "c", "1"));
	s = 2;
	__heddle_expect(VOLATILE_STORE(2, "s", "2"));
	i++;
	__heddle_expect(VOLATILE_LOAD(4, "i"));
	__heddle_expect(VOLATILE_STORE(4, "i", "1"));
	l = 4;
	__heddle_expect(VOLATILE_STORE(8, "l", "4"));
	wide = 5;
	__heddle_expect(VOLATILE_STORE(16, "wide", "5"));
	f = 1.0f;
	__heddle_expect(VOLATILE_STORE(4, "f", "3f800000"));
	p = 0;
	__heddle_expect(VOLATILE_STORE(8, "p", "0"));
	bits.high = 3;
	__heddle_expect(VOLATILE_LOAD(4, "bits"));
	__heddle_expect(VOLATILE_STORE(4, "bits", "180"));
	ld = 1; /* no size of an atomic access */
	__heddle_expect("plain_write ld 10");
	big = big2;
	__heddle_expect("memcpy big big2 40");
	atomic = 1; /* atomic comes first */
	__heddle_expect("store4 atomic seq_cst 1");
	volatile int local = 3; /* private */
	local++;
	return 0;
}
