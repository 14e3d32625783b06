/* SPDX-License-Identifier: ISC */
/*
 * sequence.h - random sequences of calls by one thread: the explored results are those of the
 * kernel. Included by a program's only source, which defines:
 *
 *     open_all()      prepares the descriptors
 *     call(i, to)     the i-th call, and its results, as a line
 *     close_all()
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#undef NDEBUG
#include <heddle/heddle.h>

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 60
#define LINE  120

static void open_all(void);
static void call(int i, char *to);
static void close_all(void);

static char expected[CALLS][LINE], found[CALLS][LINE];
static unsigned long state;
static unsigned program;
static bool is_kernels; /* calls are */

/* The arguments of a call are in its line. */
static char drawn[LINE];

static unsigned below(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static int draw(const char *name, unsigned n)
{
	unsigned i = below(n);
	size_t length = strlen(drawn);

	snprintf(drawn + length, sizeof drawn - length, " %s %u", name, i);
	return (int)i;
}

static int error(int result)
{
	return result < 0 ? -errno : result;
}

static void run(char (*to)[LINE])
{
	state = program * 1000003ul;
	open_all();
	for (int i = 0; i < CALLS; i++) {
		*drawn = '\0';
		call(i, to[i]);
	}
	close_all();
}

static void *in_thread(void *arg)
{
	static char difference[3 * LINE];

	(void)arg;
	run(found);
	for (int i = 0; i < CALLS; i++)
		if (strcmp(found[i], expected[i])) {
			snprintf(difference, sizeof difference, "call %d: %s, the kernel: %s", i,
				found[i], expected[i]);
			__assert_fail(difference, __FILE__, __LINE__, __func__);
		}
	return NULL;
}

/* By a thread of its own: calls before the first thread begins may be the kernel's. */
static void explored(void *arg)
{
	pthread_t t;

	(void)arg;
	pthread_create(&t, NULL, in_thread, NULL);
	pthread_join(t, NULL);
}

static bool agree(const char *strategy)
{
	struct heddle_options o = {.model = "sc",
		.strategy = strategy,
		.quiet = true,
		.ignore_leaks = true,
		.executions = *strategy == 'r' ? 2 : 0,
		.time = 20};
	struct heddle_result r;
	int result = heddle_check(explored, NULL, &o, &r);

	if (!result || (result == 3 && *strategy == 'r'))
		return true;
	printf("# program %u, %s: %s\n", program, strategy,
		result == 1 ? r.message : "not explored");
	for (int i = 0; i < CALLS; i++)
		printf("#   %-3d %s\n", i, expected[i]);
	return false;
}

/* The program's main(): NAME [FIRST SEED [PROGRAMS]]. TAP. By graphs, and by this strategy of store
 * buffers. */
static int sequences(const char *name, const char *store_buffers, int argc, char **argv)
{
	unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 100, wrong = 0;

	signal(SIGPIPE, SIG_IGN);
	for (program = first; program < first + n; program++) {
		is_kernels = true;
		run(expected);
		is_kernels = false;
		wrong += !agree(program % 2 ? "graph" : store_buffers);
	}
	printf("%sok - agree: %s: %u sequences of calls, against the kernel\n",
		wrong ? "not " : "", name, n);
	return wrong != 0;
}

#endif
