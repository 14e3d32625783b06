/* SPDX-License-Identifier: ISC */
/* endings_random.c - for endings.c, compiled without heddle: a different number each time, unseen by heddle. */
int endings_random(void);

int endings_random(void)
{
	unsigned low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (int)(low >> 4);
}
