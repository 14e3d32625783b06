/* SPDX-License-Identifier: ISC */
/* limits.c - programs that heddle cannot test, and programs that exceed a limit. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int x;
static int ends[2];

static void *set(void *unused)
{
	x = 1;
	return unused;
}

static void *reader(void *unused)
{
	char c;

	if (read(ends[0], &c, 1) != 1)
		abort();
	return unused;
}

static int forks(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid < 0 || waitpid(pid, NULL, 0) != pid;
}

static int copies_pipe(void)
{
	int ends[2];

	return pipe(ends) != 0 || dup2(ends[0], 100) < 0;
}

static void *opens_own_file(void *unused)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/task/%d/comm", gettid());
	f = fopen(path, "r");
	if (f)
		fclose(f);
	return unused;
}

static void *signals_other(void *tid)
{
	tgkill(getpid(), *(pid_t *)tid, SIGUSR1);
	return tid;
}

static void *waits_for_signal(void *unused)
{
	pause();
	return unused;
}

static int in_thread(void *(*f)(void *))
{
	pid_t main_thread = gettid();
	pthread_t t;

	pthread_create(&t, NULL, f, &main_thread);
	return pthread_join(t, NULL);
}

/* Allocate until there is no more memory; access both ends. */
static int takes_memory(void)
{
	pthread_t t;
	size_t n = 1 << 20;

	pthread_create(&t, NULL, set, NULL);
	for (;;) {
		char *p = malloc(n);

		if (!p)
			break;
		p[0] = p[n - 1] = 1;
		if (n < 1 << 28)
			n *= 2;
	}
	pthread_join(t, NULL);
	return x == 0;
}

static int makes_threads(void)
{
	static pthread_t t[5000];
	int n, error = 0;

	for (n = 0; n < 5000 && !error; n++)
		error = pthread_create(&t[n], NULL, set, NULL);
	return error == EAGAIN ? 0 : 1;
}

static int deep(int n)
{
	volatile char room[4096];

	room[n & 4095] = (char)n;
	return deep(n + 1) + room[0];
}

static void *too_deep(void *unused)
{
	deep(0);
	return unused;
}

static int overflows_stack(void)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32 << 20);
	pthread_create(&t, &attr, too_deep, NULL);
	return pthread_join(t, NULL);
}

static long levels(long n)
{
	volatile char room[1 << 16];

	room[0] = (char)n;
	return n ? levels(n - 1) + room[0] - (char)n + 1 : 0;
}

/* 20 MiB of stack, of main and of a thread. */
static void *twenty_mib(void *unused)
{
	if (levels(320) != 320)
		abort();
	return unused;
}

static int recurses(void)
{
	twenty_mib(NULL);
	return in_thread(twenty_mib);
}

static pthread_key_t key;
static int joined;

static void *counts(void *unused)
{
	if (pthread_getspecific(key))
		abort();
	pthread_setspecific(key, &x);
	x++;
	return unused;
}

/* More threads than there may be at once, one or two at a time; T2's create others. */
static void *joins_many(void *unused)
{
	pthread_t t;

	for (int i = 0; i < 300; i++) {
		if (pthread_create(&t, NULL, counts, NULL))
			abort();
		pthread_join(t, NULL);
		__atomic_fetch_add(&joined, 1, __ATOMIC_RELAXED);
	}
	return unused;
}

static int many_in_turn(int failing)
{
	pthread_t t;

	pthread_key_create(&key, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, joins_many, NULL);
		pthread_create(&t, NULL, counts, NULL);
		pthread_detach(t);
		joins_many(NULL);
	}
	while (__atomic_load_n(&joined, __ATOMIC_RELAXED) < 1200)
		usleep(1);
	return x < 1200 || failing;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "fork"))
		return forks();
	if (!strcmp(what, "exec")) /* the argument shows that all arrive */
		return execle("/bin/sh", "sh", "-c", "exit $((40 + $A$1))", "sh", "2", NULL,
			(char *[]){"A=", NULL});
	if (!strcmp(what, "pipe"))
		return copies_pipe();
	if (!strcmp(what, "file"))
		return in_thread(opens_own_file);
	if (!strcmp(what, "pause"))
		return in_thread(waits_for_signal);
	if (!strcmp(what, "signal"))
		return in_thread(signals_other);
	if (!strcmp(what, "memory"))
		return takes_memory();
	if (!strcmp(what, "threads"))
		return makes_threads();
	if (!strcmp(what, "stack"))
		return overflows_stack();
	if (!strcmp(what, "recursion"))
		return recurses();
	if (!strcmp(what, "turns"))
		return many_in_turn(argc > 2);
	return 9;
}
