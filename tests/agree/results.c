/* SPDX-License-Identifier: ISC */
/* results.c - see results.h. */
#include "results.h"

#include <heddle/heddle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Once: the number of ways to be stuck may differ. */
static void add_kind(struct results *r, const char *kind)
{
	char text[sizeof r->text[0]];

	snprintf(text, sizeof text, "finding: %s", kind);
	for (unsigned i = 0; i < r->n; i++)
		if (!strcmp(r->text[i], text))
			return;
	strcpy(r->text[r->n++], text);
}

void results_explore(struct results *r, void (*program)(void *), const char *model,
	const char *strategy, const char *options, uint64_t most)
{
	char all[200];
	struct heddle_options o = {.model = model,
		.strategy = strategy,
		.time = 100,
		.quiet = true,
		.options = all,
		.executions = most};
	struct heddle_result found;

	snprintf(all, sizeof all, "keep-going,minimise=0,max-findings=40%s%s", *options ? "," : "",
		options);
	memset(r, 0, sizeof *r);
	if (heddle_check(program, NULL, &o, &found) == 2)
		exit(2);
	r->complete = found.complete;
	r->executions = found.executions + found.blocked;
	r->blocked = found.blocked;
	for (unsigned i = 0; i < found.findings; i++) {
		r->races |= !strcmp(found.finding[i].kind, "race");
		add_kind(r, found.finding[i].kind);
	}
	r->findings = found.findings;
	for (unsigned i = 0; i < found.outcomes && r->n < RESULTS_MAX; i++)
		snprintf(r->text[r->n++], sizeof r->text[0], "%s", found.outcome[i].text);
	qsort(r->text, r->n, sizeof r->text[0], compare);
}

void results_drop_stuck(struct results *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->n; i++)
		if (strstr(r->text[i], "z=") || !strncmp(r->text[i], "finding: ", 9))
			memmove(r->text[n++], r->text[i], sizeof r->text[0]);
	memset(r->text[n], 0, (r->n - n) * sizeof r->text[0]);
	r->n = n;
}

bool results_equal(const struct results *a, const struct results *b)
{
	return a->complete == b->complete && a->n == b->n &&
	       !memcmp(a->text, b->text, a->n * sizeof a->text[0]);
}

void results_print(const struct results *a, const struct results *b)
{
	for (unsigned i = 0; i < a->n || i < b->n; i++)
		printf("#   %-60s %s\n", i < a->n ? a->text[i] : "-", i < b->n ? b->text[i] : "-");
}

bool results_equal_or_race(const struct results *all, const struct results *some)
{
	return all->races ? some->races : results_equal(some, all);
}

bool results_compared(const char *test, uint64_t seed, const char *model, bool equal,
	const struct results *all, const struct results *some, void (*show)(void))
{
	if (equal && !getenv("SHOW"))
		return true;
	printf("%s - %s: %llu under %s: %llu executions, of %llu\n", equal ? "#" : "not ok", test,
		(unsigned long long)seed, model, (unsigned long long)some->executions,
		(unsigned long long)all->executions);
	show();
	if (!equal)
		results_print(all, some);
	fflush(stdout);
	return equal;
}

void results_each(int argc, char **argv, void (*check)(uint64_t seed, const char *model))
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
		 n = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;

	for (uint64_t i = 0; i < n; i++)
		for (int m = 3; m < argc; m++)
			check(seed + i, argv[m]);
}
