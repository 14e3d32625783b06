/* SPDX-License-Identifier: ISC */
/* Inline assembly that is rewritten instruction by instruction (heddle-cc --gcc): registers, flags and
 * vectors that live across it, operands of all kinds, jumps within a template. */
#include <stdint.h>
#include <stdio.h>

static struct {
	uint8_t b;
	uint16_t w;
	uint32_t l;
	uint64_t q;
	_Alignas(16) unsigned __int128 pair;
	float f[4];
} s = {1, 2, 3, 4, 5, {1, 2, 3, 4}};
static int array[100];

static void show(const char *what)
{
	printf("%s: %u %u %u %llu %llu\n", what, s.b, s.w, s.l, (unsigned long long)s.q,
		(unsigned long long)s.pair);
}

#define FLAGS(text, ...)                                                                           \
	({                                                                                         \
		uint64_t flags_;                                                                   \
		__asm__ volatile(text "\n\tpushfq; popq %0" : "=r"(flags_), ##__VA_ARGS__);        \
		flags_ & 0x8c5; /* overflow, sign, zero, parity, carry */                          \
	})

static void updates(void)
{
	uint64_t f[16];

	f[0] = FLAGS("lock; incb %1", "+m"(s.b));
	f[1] = FLAGS("lock\n\taddw $0x7fff, %1", "+m"(s.w));
	f[2] = FLAGS("lock subl %k2, %1", "+m"(s.l) : "r"(4u));
	f[3] = FLAGS("cmpb $1, %b1; lock; notq %1", "+m"(s.q));
	f[4] = FLAGS("lock; negq %1", "+m"(s.q));
	f[5] = FLAGS("stc; adcl $0, %1", "+m"(s.l));
	f[6] = FLAGS("shrl $1, %1", "+m"(s.l));
	f[7] = FLAGS("xorb $0x81, %1", "+m"(s.b));
	f[8] = FLAGS("decq %1", "+m"(s.q));
	f[9] = FLAGS("cmpl $7, %1", "+m"(s.l));
	f[10] = FLAGS("testb $0x80, %1", "+m"(s.b));
	for (int i = 6; i < 11; i++)
		printf("%d %llx\n", i, (unsigned long long)f[i]);
	for (int i = 0; i < 5; i++)
		printf("%d %llx\n", i, (unsigned long long)f[i]);
	show("updates");
}

static void exchanges(void)
{
	uint32_t l = 7, old;
	uint64_t low = 5, high = 0, q = 9;
	uint8_t z, b = 3, c;

	__asm__ volatile("xchgl %0, %1" : "+r"(l), "+m"(s.l));
	__asm__ volatile("xchg %1, %0" : "+q"(b), "+m"(s.b));
	__asm__ volatile("lock; xaddq %0, %1" : "+r"(q), "+m"(s.q)::"cc");
	__asm__ volatile("lock; cmpxchgl %3, %1; sete %2"
			 : "=a"(old), "+m"(s.l), "=q"(z)
			 : "r"(11), "0"(7)
			 : "cc");
	printf("%u %u %llu %u %u\n", l, b, (unsigned long long)q, old, z);
	__asm__ volatile("lock cmpxchgb %3, %1; setne %2"
			 : "=a"(c), "+m"(s.b), "=q"(z)
			 : "q"(b), "0"((uint8_t)99)
			 : "cc");
	__asm__ volatile("lock; cmpxchg16b %0; setz %1"
			 : "+m"(s.pair), "=q"(b), "+a"(low), "+d"(high)
			 : "b"(6ull), "c"(1ull)
			 : "cc");
	printf("%u %u %u %llu %llu\n", c, z, b, (unsigned long long)low, (unsigned long long)high);
	show("exchanges");
}

static void bits(long n)
{
	uint8_t a, b, c, d;

	__asm__ volatile("lock; btsl %2, %1; setc %0" : "=q"(a), "+m"(array[0]) : "Ir"(3) : "cc");
	__asm__ volatile("lock; btsq %2, %1; setc %0" : "=q"(b), "+m"(*(long *)(array + 50))
			 : "r"(n) : "cc", "memory");
	__asm__ volatile("btl %2, %1; setc %0" : "=q"(c) : "m"(array[0]), "r"((int)n + 64) : "cc");
	__asm__ volatile("btcl %2, %1; setc %0" : "=q"(d), "+m"(array[0]) : "r"(3) : "cc");
	printf("%u %u %u %u:", a, b, c, d);
	for (int i = 0; i < 100; i++)
		if (array[i])
			printf(" %d=%x", i, (unsigned)array[i]);
	puts("");
}

static long loops(long n)
{
	long sum = 0;
	static long cell;

	__asm__ volatile("1:\tmovq %0, %1\n\t"
			 "addq %1, %2; /* a comment; with; semicolons */\n"
			 "\tdecq %0 # another; one\n\tjnz 1b"
			 : "+r"(n), "+m"(cell), "+r"(sum)
			 :
			 : "cc");
	return sum + cell;
}

static double vectors(int n)
{
	double sum = 0.5, step = 1.25;
	float got[4];

	for (int i = 0; i < n; i++) {
		__asm__ volatile("lock; incl %0" : "+m"(s.l)::"cc", "memory");
		sum += step;
		step *= 1.5;
	}
	__asm__ volatile("movaps %1, %%xmm1; movups %%xmm1, %0" : "=m"(got) : "m"(s.f) : "xmm1");
	return sum + got[0] + got[1] + got[2] + got[3];
}

static void narrow(void)
{
	unsigned a, b;
	int c;
	long d;

	s.b = 0xf1;
	s.w = 0xfff2;
	s.l = 0xfffffff3;
	__asm__ volatile("movzbl %1, %0" : "=r"(a) : "m"(s.b));
	__asm__ volatile("movzwl %1, %0" : "=r"(b) : "m"(s.w));
	__asm__ volatile("movsbl %1, %0" : "=r"(c) : "m"(s.b));
	__asm__ volatile("movslq %1, %0" : "=r"(d) : "m"(s.l));
	printf("%u %u %d %ld\n", a, b, c, d);
	__asm__ volatile("movl %1, %%eax; movb %%ah, %0" : "=m"(s.b) : "m"(s.l) : "eax");
	show("narrow");
}

int main(void)
{
	int local = 4;

	updates();
	exchanges();
	bits(67);
	bits(-1);
	printf("%ld %.3f\n", loops(10), vectors(7));
	narrow();
	__asm__ volatile("lock; addl $3, %0; mfence; lock; addl $0, (%%rsp)" : "+m"(local)::"cc");
	printf("%d\n", local);
	return 0;
}
