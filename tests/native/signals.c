/* SPDX-License-Identifier: ISC */
/* Signals: handlers, masks, timers, waiting for them, a handler that jumps, between threads. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int usr1, alarms;
static volatile sig_atomic_t in_thread;
static sigjmp_buf back;
static pthread_t worker;

static void on_usr1(int sig)
{
	usr1++;
	in_thread = worker && pthread_equal(pthread_self(), worker);
}

static void on_alarm(int sig, siginfo_t *info, void *context)
{
	alarms++;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	siglongjmp(back, info->si_addr == (void *)16 ? 1 : 2);
}

static void handle(int sig, void (*fn)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a;

	memset(&a, 0, sizeof a);
	a.sa_sigaction = fn;
	a.sa_flags = SA_SIGINFO | flags;
	sigaction(sig, &a, NULL);
}

static void *wait_for_usr1(void *arg)
{
	while (usr1 < 2)
		usleep(1000);
	return NULL;
}

static void *wait_in_sigwait(void *arg)
{
	int sig = 0;

	sigwait(arg, &sig);
	return (void *)(long)sig;
}

static void timers(void)
{
	struct itimerval every = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
	volatile unsigned long turns = 0;

	handle(SIGALRM, on_alarm, SA_RESTART);
	setitimer(ITIMER_REAL, &every, NULL);
	while (alarms < 5)
		turns++;
	setitimer(ITIMER_REAL, &off, NULL);
	printf("interrupted a loop: %d\n", turns > 0);
}

static void masks(void)
{
	sigset_t set, old, pending;
	struct timespec soon = {0, 1000000};

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &old);
	raise(SIGUSR1);
	sigpending(&pending);
	printf("pending %d, handled %d\n", sigismember(&pending, SIGUSR1), usr1);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	printf("handled %d\n", usr1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	errno = 0;
	printf("sigtimedwait: %d", sigtimedwait(&set, NULL, &soon));
	printf(" %d\n", errno == EAGAIN);
	kill(getpid(), SIGUSR2);
	printf("sigwaitinfo: %d\n", sigwaitinfo(&set, NULL) == SIGUSR2);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

int main(void)
{
	sigset_t set;
	void *result;

	signal(SIGUSR1, on_usr1);
	masks();
	pthread_create(&worker, NULL, wait_for_usr1, NULL);
	pthread_kill(worker, SIGUSR1);
	pthread_join(worker, NULL);
	printf("in its thread: %d\n", in_thread);
	timers();
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&worker, NULL, wait_in_sigwait, &set);
	kill(getpid(), SIGTERM);
	pthread_join(worker, &result);
	printf("sigwait: %d\n", (long)result == SIGTERM);
	handle(SIGSEGV, on_fault, SA_NODEFER);
	switch (sigsetjmp(back, 1)) {
	case 0: *(volatile int *)16 = 1; break;
	case 1: printf("out of a fault\n"); break;
	default: printf("a fault elsewhere\n");
	}
	signal(SIGSEGV, SIG_DFL);
	fflush(stdout);
	abort();
}
