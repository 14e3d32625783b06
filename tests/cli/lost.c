/* SPDX-License-Identifier: ISC */
/* lost.c - dies without a handler: by SIGKILL, or by a direct exit. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x;

static void *set(void *unused)
{
	x = 1;
	return unused;
}

static long call(long number, long a, long b)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b)
			 : "rcx", "r11", "memory");
	return result;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	pthread_create(&t, NULL, set, NULL);
	if (x == 0)
		call(argc > 1 ? SYS_exit_group : SYS_kill, argc > 1 ? 5 : getpid(), SIGKILL);
	pthread_join(t, NULL);
	return 0;
}
