/* SPDX-License-Identifier: ISC */
/*
 * explore.c - ordinary programs (ordinary.h), explored: the findings must be the errors that they
 * have by construction.
 *
 *     explore [--weaken] [--without NAMES] [--show] SEED N MODEL [OPTIONS]      N programs, from
 * this seed on explore [--weaken] [--without NAMES] SEED                                 this one,
 * as a program (heddle run)
 */
#include "judge.h"
#include "ordinary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct plan now;

static void run(void *unused)
{
	(void)unused;
	frame_run(&now);
}

static unsigned verdict(void)
{
	int m = 0;

	while (strcmp(judge_model(), gp_model_names[m]))
		m++;
	return now.verdict[m];
}

static int usage(void)
{
	fprintf(stderr, "explore [--weaken] [--without NAMES] [--show] SEED [N MODEL [OPTIONS]]\n");
	return 2;
}

int main(int argc, char **argv)
{
	bool weaken = false, show = false;
	uint64_t seed;
	char name[32];
	int i = 1, n;

	for (; i < argc && argv[i][0] == '-'; i++) {
		weaken |= !strcmp(argv[i], "--weaken");
		show |= !strcmp(argv[i], "--show");
		if (!strcmp(argv[i], "--without") && i + 1 < argc)
			plan_without(argv[++i]);
	}
	if (i == argc)
		return usage();
	seed = strtoull(argv[i], NULL, 10);
	if (i + 1 == argc) {
		plan_make(&now, seed, weaken);
		frame_run(&now);
		return 0;
	}
	n = atoi(argv[++i]);
	argv[i] = argv[0];
	if (!judge_begin(argc - i, argv + i))
		return usage();
	for (; n-- && judge_goes_on(); seed++) {
		plan_make(&now, seed, weaken);
		snprintf(name, sizeof name, "%llu", (unsigned long long)seed);
		judge_timeouts(plan_retries(&now) ? 1 : 0);
		judge_endless(plan_endless(&now));
		if (show)
			plan_print(&now);
		else if (!judge(name, run, verdict()))
			plan_print(&now);
	}
	return show ? 0 : judge_end();
}
