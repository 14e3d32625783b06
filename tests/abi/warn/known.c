/* SPDX-License-Identifier: ISC */
/* known.c - no line in here may cause a warning: no memory, or known. */
#include <stdint.h>

int shared;

int main(void)
{
	uint32_t a = 0, c = 0, d, b;
	int x = 1;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	__asm__ volatile("rdtsc" : "=a"(a), "=d"(d));
	__asm__ volatile("nop");
	__asm__ volatile("" ::: "memory");
	__asm__ volatile("" : "+m"(shared));
	__asm__("popcntl %1, %0" : "=r"(x) : "r"(x));
	__asm__("bswap %0" : "+r"(x));
	__asm__ volatile("lock; incl %0" : "+m"(shared)::"cc");
	__asm__ volatile("lock; cmpxchgl %2, %0; mov %% eax, %1; setz %% al"
			 : "+m"(shared), "=m"(shared)
			 : "q"(x)
			 : "eax", "memory", "cc");
	__asm__ goto(
		"lock; btsl $0, %0; jc %l[out]; lock; decl %0; js %l2; jmp %l[end]" ::"m"(shared)
		: "memory", "cc"
		: out, end);
out:
end:
	return 0;
}
