/* SPDX-License-Identifier: ISC
 *
 * faults.c - store buffering in two threads that, before, do what a tool must survive.
 *
 *     faults WHAT: fail exit closes masks handles alternate overflows long medium many standard cancel kill
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANY 500

static atomic_int x, y;
static const char *what;

static int deep(int n)
{
	volatile char room[4096];

	room[0] = (char)n;
	return n > 1 << 20 ? 0 : deep(n + 1) + room[0];
}

static void handler(int signal)
{
	_exit(signal);
}

static void misbehave(void)
{
	stack_t other = {.ss_size = 1 << 16};
	sigset_t all;

	if (!strcmp(what, "exit"))
		_exit(3);
	if (!strcmp(what, "closes"))
		for (int i = 3; i < 1024; i++)
			close(i);
	if (!strcmp(what, "masks")) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, NULL);
	}
	if (!strcmp(what, "handles")) {
		sigaction(SIGSEGV, &(struct sigaction){.sa_handler = handler}, NULL);
		*(volatile int *)1 = 1;
	}
	if (!strcmp(what, "alternate")) {
		other.ss_sp = malloc(other.ss_size);
		sigaltstack(&other, NULL);
		free(other.ss_sp);
	}
	if (!strcmp(what, "overflows"))
		deep(0);
}

static void *one(void *arg)
{
	misbehave();
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *two(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

static void both(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static void many(void)
{
	static pthread_t t[MANY];

	for (int i = 0; i < MANY; i++)
		pthread_create(&t[i], NULL, two, NULL);
	for (int i = 0; i < MANY; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	pthread_t t;

	what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "many")) {
		many();
	} else if (!strcmp(what, "cancel")) {
		pthread_create(&t, NULL, two, NULL);
		pthread_cancel(t);
		pthread_join(t, NULL);
	} else if (!strcmp(what, "standard")) {
		close(1);
		close(2);
	}
	for (int i = 0; i < (!strcmp(what, "long") ? 12 : !strcmp(what, "medium") ? 8 : 1); i++)
		both();
	if (!strcmp(what, "kill"))
		kill(getpid(), SIGKILL);
	assert(strcmp(what, "fail"));
	return 0;
}
