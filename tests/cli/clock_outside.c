/* SPDX-License-Identifier: ISC */
/* clock_outside.c - for clock.c, compiled without heddle: code that it does not see. */
void clock_wait(void);
void clock_compute(unsigned long turns);
void clock_deaf(void);

void clock_wait(void)
{
	static int word;

	for (;;) {
		register long timeout __asm__("r10") = 0;
		long result;

		__asm__ volatile("syscall" /* futex(&word, FUTEX_WAIT_PRIVATE, 0, NULL) */
				 : "=a"(result)
				 : "a"(202), "D"(&word), "S"(128), "d"(0), "r"(timeout)
				 : "rcx", "r11", "memory");
	}
}

void clock_compute(unsigned long turns)
{
	for (volatile unsigned long i = 0; i < turns; i++)
		;
}

/* No signal reaches the thread: only its end from outside helps. */
void clock_deaf(void)
{
	unsigned long all = ~0ul;
	register long size __asm__("r10") = sizeof all;
	long result;

	__asm__ volatile("syscall" /* rt_sigprocmask(SIG_SETMASK, &all, NULL, sizeof all) */
			 : "=a"(result)
			 : "a"(14), "D"(2), "S"(&all), "d"(0), "r"(size)
			 : "rcx", "r11", "memory");
	clock_compute(~0ul);
}
