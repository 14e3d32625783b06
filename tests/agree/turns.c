/* SPDX-License-Identifier: ISC */
/*
 * turns.c - loops that wait or retry: the outcomes of --strategy graph are those of dfs.
 *
 * dfs tries every schedule on store buffers, and parks a thread only if all its registers and its
 * whole stack are unchanged (spin.h). The explorer of graphs uses the values that the compiler pass
 * finds live at the head of a loop (loop_state.h). If one is missing, an iteration with progress
 * counts as spinning, and an outcome is missing. TAP.
 *
 *     turns MODEL...      CASE=name: only that one; SHOW=1: the outcomes compared; TURNS=n: instead
 *                         of dfs, which would not end, by graphs with n turns of each loop at most;
 *                         OPTIONS=...: of both, as sleepers=last
 */
#include "turns.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTCOMES 1024
#define LIMIT	 6000 /* executions of dfs: programs with more are left out */

atomic_int turns_variable[TURNS_VARIABLES];
int turns_bounded;

static void *thread(void *body)
{
	return (void *)(intptr_t)((turns_body *)body)();
}

static void execute(void *arg)
{
	static const char *const name[] = {"a", "b", "c"}, *const variable[] = {"x", "y", "z"};
	const struct turns_case *c = arg;
	pthread_t id[TURNS_THREADS];
	void *r;

	for (int i = 0; i < TURNS_THREADS && c->body[i]; i++)
		pthread_create(&id[i], NULL, thread, (void *)c->body[i]);
	for (int i = 0; i < TURNS_THREADS && c->body[i]; i++) {
		pthread_join(id[i], &r);
		heddle_observe(name[i], (intptr_t)r);
	}
	for (int i = 0; i < TURNS_VARIABLES; i++)
		heddle_observe(variable[i], get(&turns_variable[i]));
}

struct outcomes {
	char text[OUTCOMES][64];
	unsigned n;
	struct heddle_result result;
};

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void explore(
	const struct turns_case *c, const char *model, const char *strategy, struct outcomes *o)
{
	bool dfs = !strcmp(strategy, "dfs");
	char text[200];
	struct heddle_options options = {.model = model,
		.strategy = strategy,
		.time = getenv("TURNS") ? 3 : 200,
		.executions = getenv("LIMIT") ? atoi(getenv("LIMIT")) : LIMIT,
		.quiet = true,
		.options = text};

	snprintf(text, sizeof text, "detect=-livelock,keep-going%s%s%s",
		dfs ? ",max-steps=300" : "", getenv("OPTIONS") ? "," : "",
		getenv("OPTIONS") ? getenv("OPTIONS") : "");
	memset(o, 0, sizeof *o);
	heddle_check(execute, (void *)c, &options, &o->result);
	o->n = o->result.outcomes < OUTCOMES ? o->result.outcomes : OUTCOMES;
	for (unsigned i = 0; i < o->n; i++)
		strncpy(o->text[i], o->result.outcome[i].text, sizeof o->text[i] - 1);
	qsort(o->text, o->n, sizeof o->text[0], compare);
}

static struct outcomes on_buffers, in_graphs;
static int done, left_out, failures;

static void not_ok(const struct turns_case *c, const char *model, const char *what)
{
	printf("not ok - turns: %s under %s: %s; dfs sees %u outcomes in %llu executions, graph %u "
	       "in %llu\n",
		c->name, model, what, on_buffers.n,
		(unsigned long long)on_buffers.result.executions, in_graphs.n,
		(unsigned long long)in_graphs.result.executions);
	for (unsigned i = 0; i < on_buffers.n || i < in_graphs.n; i++)
		printf("#   %-40s %s\n", i < on_buffers.n ? on_buffers.text[i] : "-",
			i < in_graphs.n ? in_graphs.text[i] : "-");
	failures++;
}

static void check(const struct turns_case *c, const char *model)
{
	const char *turns = getenv("TURNS");

	turns_bounded = turns ? atoi(turns) : 0;
	explore(c, model, turns ? "graph" : "dfs", &on_buffers);
	turns_bounded = 0;
	if (!on_buffers.result.complete) {
		left_out++;
		return;
	}
	explore(c, model, "graph", &in_graphs);
	done++;
	if (!in_graphs.result.complete && turns) { /* pollers of each other */
		left_out++;
		done--;
	} else if (!in_graphs.result.complete)
		not_ok(c, model, "graph is not complete");
	else if (on_buffers.n != in_graphs.n ||
		 memcmp(on_buffers.text, in_graphs.text, on_buffers.n * sizeof on_buffers.text[0]))
		not_ok(c, model, "other outcomes");
	else if (getenv("SHOW"))
		printf("# %s %s: %u outcomes, dfs %llu, graph %llu + %llu blocked\n", c->name,
			model, on_buffers.n, (unsigned long long)on_buffers.result.executions,
			(unsigned long long)in_graphs.result.executions,
			(unsigned long long)in_graphs.result.blocked);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *only = getenv("CASE");

	for (int i = 0; i < turns_ncases; i++)
		for (int m = 1; m < argc && (!only || !strcmp(only, turns_cases[i].name)); m++)
			check(&turns_cases[i], argv[m]);
	if (!failures)
		printf("%s - turns: %s: %d comparisons, %d left out\n", done ? "ok" : "not ok",
			argv[0], done, left_out);
	return failures || !done;
}
