/* SPDX-License-Identifier: ISC */
/* ignore.c - functions that are not instrumented. */
int shared;

__attribute__((annotate("heddle_ignore"))) static int ignored(void)
{
	return shared++;
}

__attribute__((naked)) int bare(void)
{
	__asm__("movl shared(%rip), %eax; ret");
}

int main(void)
{
	return ignored() + ignored();
}
