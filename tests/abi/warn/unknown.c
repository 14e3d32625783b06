/* SPDX-License-Identifier: ISC */
/* unknown.c - each line marked `warn' is warned about, once, however often it is compiled in. */
#include <stdint.h>

int shared, array[4];

static inline __attribute__((always_inline)) void strange(int *p)
{
	__asm__ volatile("lock; rorl $1, %0" : "+m"(*p)::"cc"); /* warn */
}

int main(void)
{
	long n = 2;
	int *to = array, *from = array + 2;

	strange(&shared);
	strange(&shared);
	strange(array);
	__asm__ volatile("rep movsb" : "+c"(n), "+D"(to), "+S"(from)::"memory"); /* warn */
	__asm__ volatile("movl (%0), %%eax; ret" ::"r"(to) : "eax");		 /* warn */
	__asm__ volatile("fxsave %0" : "=m"(*array));				 /* warn */
	return 0;
}
