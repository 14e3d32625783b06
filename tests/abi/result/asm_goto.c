/* SPDX-License-Identifier: ISC */
/* asm goto: locked instructions whose flags decide on a jump, several labels, values that merge
 * there. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static int word;
static long count;

#define BIT(name, instruction)                                                                     \
	static bool name(int *p, int bit)                                                          \
	{                                                                                          \
		__asm__ goto("lock; " instruction " %1,%0; jc %l[was_set]" ::"m"(*p), "r"(bit)     \
			     : "memory", "cc"                                                      \
			     : was_set);                                                           \
		return false;                                                                      \
	was_set:                                                                                   \
		return true;                                                                       \
	}
BIT(set_bit, "btsl")
BIT(clear_bit, "btrl")
BIT(flip_bit, "btcl")

static bool cas(long *p, long expected, long desired)
{
	__asm__ goto("lock cmpxchgq %2,%0\n\tjne %l[failed]" ::"m"(*p), "a"(expected), "r"(desired)
		     : "memory", "cc"
		     : failed);
	return true;
failed:
	return false;
}

/* The value at the label depends on the path to it. */
static int drop(long *p)
{
	int how = 1;

	__asm__ goto("lock decq %0; js %l[negative]; jz %l[last]; jmp %l[more]" ::"m"(*p)
		     : "memory", "cc"
		     : negative, last, more);
	return -1;
last:
	how = 2;
more:
	return how;
negative:
	return 3;
}

static const char *add(long *p, long n)
{
	__asm__ goto("lock; addq %1,%0; jo %l2; jc %l3; jg %l[positive]" ::"m"(*p), "er"(n)
		     : "memory", "cc"
		     : overflow, carry, positive);
	return "zero or less";
overflow:
	return "overflow";
carry:
	return "carry";
positive:
	return "positive";
}

static int same_label(int *p)
{
	__asm__ goto("lock xorl $3,%0; jz %l[out]; jns %l[out]" ::"m"(*p) : "memory", "cc" : out);
	return 1;
out:
	return 0;
}

int main(void)
{
	long n[] = {1, -2, INT64_MAX, -1, 5, 0};

	for (int i = 0; i < 6; i++)
		printf("%d %d %d %x\n", set_bit(&word, i / 2), flip_bit(&word, 3 * i),
			clear_bit(&word, i), word);
	printf("%d %d %ld\n", cas(&count, 0, 2), cas(&count, 0, 3), count);
	for (int i = 0; i < 3; i++)
		printf("%d\n", drop(&count));
	for (int i = 0; i < 6; i++)
		printf("%s %ld\n", add(&count, n[i]), count);
	word = 3;
	printf("%d %d %d\n", same_label(&word), same_label(&word), word);
	word = -8;
	printf("%d %d\n", same_label(&word), word);
	return 0;
}
