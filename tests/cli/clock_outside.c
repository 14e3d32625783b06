/* SPDX-License-Identifier: ISC */
/* clock_outside.c - for clock.c, compiled without heddle: what nobody sees. */
void clock_wait(void);
void clock_compute(unsigned long turns);

void clock_wait(void)
{
	static int word;

	for (;;) {
#if defined(__x86_64__)
		register long timeout __asm__("r10") = 0;
		long result;

		__asm__ volatile("syscall" /* futex(&word, FUTEX_WAIT_PRIVATE, 0, NULL) */
				 : "=a"(result)
				 : "a"(202), "D"(&word), "S"(128), "d"(0), "r"(timeout)
				 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
		register long number __asm__("x8") = 98, result __asm__("x0") = (long)&word;
		register long operation __asm__("x1") = 128, value __asm__("x2") = 0, timeout __asm__("x3") = 0;

		__asm__ volatile("svc 0" : "+r"(result) : "r"(number), "r"(operation), "r"(value), "r"(timeout) : "memory");
#endif
	}
}

void clock_compute(unsigned long turns)
{
	for (volatile unsigned long i = 0; i < turns; i++)
		;
}
