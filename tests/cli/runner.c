/* SPDX-License-Identifier: ISC */
/* runner.c - a suite with the command line of a framework (tools/suite/runner.def): with the arguments SINGLE and a
 * name it runs one test, LIST prints the names, each as LINE has it, after a line that names none. SYMBOL is a function
 * of the framework. Without arguments it would run each in a process of its own. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int raised;

static void *raise_once(void *arg)
{
	raised++;
	return arg;
}

static void *raise_in_two_steps(void *arg)
{
	raised = raised + 1;
	return arg;
}

static void count(void *(*how)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, how, NULL);
	how(NULL);
	pthread_join(t, NULL);
	assert(raised == 2);
}

int SYMBOL(const char *name);

int SYMBOL(const char *name)
{
	if (!strcmp(name, PREFIX "once"))
		count(raise_once);
	else if (!strcmp(name, PREFIX "steps"))
		count(raise_in_two_steps);
	else
		return 2;
	return 0;
}

int main(int argc, char **argv)
{
	const char *const single[] = {SINGLE}; /* may be empty */
	int n = (int)(sizeof single / sizeof single[0]);

	if (argc == 2 && !strcmp(argv[1], LIST)) {
		puts("Tests: 2");
		printf(LINE "\n" LINE "\n", PREFIX "once", PREFIX "steps");
		return 0;
	}
	if (argc != n + 2)
		return 3;
	for (int i = 0; i < n; i++)
		if (strcmp(argv[1 + i], single[i]))
			return 4;
	return SYMBOL(argv[argc - 1]);
}
