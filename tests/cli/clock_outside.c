/* SPDX-License-Identifier: ISC */
/* clock_outside.c - for clock.c, compiled without heddle: code that it does not see. */
void clock_wait(void);
void clock_compute(unsigned long turns);

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
