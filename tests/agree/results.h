/* SPDX-License-Identifier: ISC */
/* results.h - what an exploration finds: outcomes, and kinds of findings. Compiled without Heddle.
 */
#ifndef AGREE_RESULTS_H
#define AGREE_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#define RESULTS_MAX 4096

struct results {
	char text[RESULTS_MAX][96]; /* sorted; each once */
	unsigned n, findings;
	bool races, complete;
	uint64_t executions; /* with those that are blocked */
};

/* Of the program, which observes z last: an execution in which it does not is stuck. options: more
 * than keep-going; most: executions. */
void results_explore(struct results *r, void (*program)(void *), const char *model,
	const char *strategy, const char *options, uint64_t most);

bool results_equal(const struct results *a, const struct results *b);
void results_print(const struct results *a, const struct results *b);

#endif
