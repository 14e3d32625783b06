/* SPDX-License-Identifier: ISC */
/* results.h - the results of an exploration: outcomes and kinds of findings. Compiled without
 * Heddle. */
#ifndef AGREE_RESULTS_H
#define AGREE_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#define RESULTS_MAX 4096

struct results {
	char text[RESULTS_MAX][96]; /* sorted; each once */
	unsigned n, findings;
	bool races, complete;
	uint64_t executions, blocked; /* the former with the latter */
};

/* Of the program. options: more than keep-going; most: executions. Ends the process if the program
 * cannot be explored. */
void results_explore(struct results *r, void (*program)(void *), const char *model,
	const char *strategy, const char *options, uint64_t most);

/* Without the outcomes of executions that are stuck. The program observes z last. */
void results_drop_stuck(struct results *r);

bool results_equal(const struct results *a, const struct results *b);
void results_print(const struct results *a, const struct results *b);

/* Do both have a race, or else the same results? */
bool results_equal_or_race(const struct results *all, const struct results *some);

/* Returns `equal`, and prints numbers, the program, by show(), and the difference if it is false;
 * all but the difference also if SHOW is in the environment. */
bool results_compared(const char *test, uint64_t seed, const char *model, bool equal,
	const struct results *all, const struct results *some, void (*show)(void));

/* Calls check() with each model of the command line for each seed: FIRST_SEED PROGRAMS MODEL... */
void results_each(int argc, char **argv, void (*check)(uint64_t seed, const char *model));

#endif
