/* SPDX-License-Identifier: ISC */
/* forks.c - an own runner, which forks for each test, after an argument or without. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int count;
static int begun; /* tests, in the runner */

static void *add(void *arg)
{
	count += *(int *)arg;
	return NULL;
}

/* Two threads read and write a variable of their callers' frame. */
static int adds(int one)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, &one);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return count == 2 * one && begun == one ? 0 : 1;
}

static void *lose(void *arg)
{
	atomic_store_explicit(&count, count + 1, memory_order_relaxed);
	return arg;
}

static int loses(int unused)
{
	pthread_t t;

	pthread_create(&t, NULL, lose, NULL);
	lose(NULL);
	pthread_join(t, NULL);
	assert(count == 2); /* @loses */
	return 0;
}

static int forks_again(int unused)
{
	return fork() < 0;
}

static int failed;

static void run(const char *name, int (*test)(int))
{
	int status = 0, mine = ++begun;
	pid_t child = fork();

	if (child == 0)
		exit(test(mine));
	waitpid(child, &status, 0);
	begun = mine;
	failed += status != 0;
	printf("%s %s\n", status ? "not ok" : "ok", name);
}

int main(int argc, char **argv)
{
	run("adds", adds);
	run("loses", loses);
	run("adds", adds);
	if (argc > 1)
		run("forks again", forks_again);
	return failed != 0;
}
