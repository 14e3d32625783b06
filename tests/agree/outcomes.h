/* SPDX-License-Identifier: ISC */
/* outcomes.h - sets of outcomes of small programs. Compiled without Heddle: no events. */
#ifndef AGREE_OUTCOMES_H
#define AGREE_OUTCOMES_H

#include <heddle/heddle.h>
#include <stdbool.h>
#include <stdint.h>

#define OUTCOME_THREADS 3

/* An outcome: the values that each thread has read, 4 bits each, and memory at the end. */
struct outcomes {
	unsigned n;
	uint64_t executions; /* complete ones */
	bool stuck;	     /* in some execution a wait never ends */
	bool overflow;
	struct {
		uint64_t reads[OUTCOME_THREADS], memory;
		uint64_t last; /* execution that had it */
	} o[20000];
};

/* Two empty sets, in memory that is not restored between executions. */
struct outcomes *outcomes_pair(void);

void outcomes_clear(struct outcomes *s);
void outcomes_add(struct outcomes *s, const uint64_t reads[OUTCOME_THREADS], uint64_t memory);

/* Is each outcome of a, found after its first `skip_a` executions, among those of b, found after
 * its first `skip_b`? Also false if a set was too small. */
bool outcomes_subset(
	const struct outcomes *a, uint64_t skip_a, const struct outcomes *b, uint64_t skip_b);

/* Explores the program under the model; options: more than that. It adds its outcomes to a set. */
struct heddle_result outcomes_explore(
	void (*program)(void *), const char *model, const char *options);

#endif
