/* SPDX-License-Identifier: ISC */
/* Inline assembly that is atomic or a fence: x86-64 as kernels and lock-free libraries write it. */
#include "two.h"

static long counter, spin, bits, exchanged;
static int guarded, flags_ok[2];

static void lock_spin(void)
{
	long busy = 1;

	for (;;) {
		__asm__ volatile("xchgq %0, %1" : "+r"(busy), "+m"(spin)::"memory");
		if (!busy)
			return;
		__asm__ volatile("pause" ::: "memory");
	}
}

static void unlock_spin(void)
{
	__asm__ volatile("sfence" ::: "memory");
	__asm__ volatile("movq %1, %0" : "=m"(spin) : "r"(0L) : "memory");
}

static bool cas(long *p, long expected, long desired)
{
	bool done;

	__asm__ volatile("lock cmpxchgq %3, %1"
		: "=@ccz"(done), "+m"(*p), "+a"(expected)
		: "r"(desired)
		: "memory");
	return done;
}

static bool cas_setz(long *p, long expected, long desired)
{
	unsigned char done;

	__asm__ volatile("lock; cmpxchgq %3, %1; sete %0"
		: "=q"(done), "+m"(*p), "+a"(expected)
		: "r"(desired)
		: "memory", "cc");
	return done;
}

static void *worker(void *arg)
{
	int me = *(int *)arg;
	long one = 1, seen;

	__asm__ volatile("lock xaddq %0, %1" : "+r"(one), "+m"(counter)::"memory", "cc");
	__asm__ volatile("lock incq %0" : "+m"(counter)::"memory", "cc");
	__asm__ volatile("lock; addq %1, %0" : "+m"(counter) : "er"(10L) : "memory", "cc");
	__asm__ volatile("lock subq $2, %0" : "+m"(counter)::"memory", "cc");
	__asm__ volatile("lock decq %0" : "+m"(counter)::"memory", "cc");
	__asm__ volatile("lock orq %1, %0" : "+m"(bits) : "r"(1L << me) : "memory", "cc");
	__asm__ volatile("lock btsq %1, %0" : "+m"(bits) : "Jr"((long)me + 4) : "memory", "cc");
	__asm__ volatile("mfence" ::: "memory");
	__asm__ volatile("lfence" ::: "memory");
	do
		__asm__ volatile("movq %1, %0" : "=r"(seen) : "m"(exchanged) : "memory");
	while (!(me ? cas(&exchanged, seen, seen + 3) : cas_setz(&exchanged, seen, seen + 3)));
	lock_spin();
	guarded++;
	unlock_spin();
	flags_ok[me] = !cas(&exchanged, -1, 0);
	return NULL;
}

int main(void)
{
	int zero = 0, one = 1;

	two(worker, &zero, worker, &one);
	printf("%ld %#lx %ld %d\n", counter, bits, exchanged, guarded);
	assert(counter == 18 && bits == 0x33 && exchanged == 6 && guarded == 2);
	assert(flags_ok[0] && flags_ok[1]);
	return 0;
}
