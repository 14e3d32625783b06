/* SPDX-License-Identifier: ISC */
/*
 * runner.c - a test program that lists its tests, and runs one of them, as those of a framework do:
 * SYMBOL is a function of the framework, LIST the arguments for the list, LINE a line of it as a
 * format, BEFORE a format of the arguments before a test's name.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int x, y;
static int r0, r1;

static void *first(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *second(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

static void store_buffering(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static int stores(void)
{
	store_buffering();
	return x == 1 && y == 1 ? 0 : 1;
}

static int sees_one(void)
{
	store_buffering();
	return r0 || r1 ? 0 : 1;
}

static const struct test {
	const char *name;
	int (*run)(void);
} tests[] = {{PREFIX "stores", stores}, {PREFIX "sees_one", sees_one}};

static int is_before(const char *all, const char *name)
{
	char wanted[100];

	snprintf(wanted, sizeof wanted, BEFORE, name);
	return !strcmp(all, wanted);
}

int SYMBOL(int argc, char **argv)
{
	char all[100] = "";
	int failed = 0;

	for (int i = 1; i < argc - 1; i++)
		strcat(strcat(all, argv[i]), " ");
	for (int i = 0; argc > 1 && i < 2; i++)
		if (!strcmp(argv[argc - 1], LIST))
			printf(LINE "\n", tests[i].name);
		else if (!strcmp(argv[argc - 1], tests[i].name))
			return is_before(all, tests[i].name) ? tests[i].run() : 3;
	for (int i = 0; argc == 1 && i < 2; i++)
		failed |= tests[i].run();
	return failed;
}

int main(int argc, char **argv)
{
	return SYMBOL(argc, argv);
}
