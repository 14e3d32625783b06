/* SPDX-License-Identifier: ISC */
/* endings_random.c - for endings.c, compiled without heddle: another number each time, that nobody sees. */
int endings_random(void);

int endings_random(void)
{
	unsigned low = 0;

#if defined(__x86_64__)
	unsigned high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
#elif defined(__aarch64__)
	unsigned long now;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
	low = (unsigned)now;
#endif
	return (int)(low >> 4);
}
