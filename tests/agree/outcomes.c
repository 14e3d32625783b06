/* SPDX-License-Identifier: ISC */
/* outcomes.c - see outcomes.h. */
#include "outcomes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct outcomes *outcomes_pair(void)
{
	struct outcomes *pair = mmap(
		NULL, 2 * sizeof *pair, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (pair == MAP_FAILED)
		exit(2);
	return pair;
}

void outcomes_clear(struct outcomes *s)
{
	s->n = 0;
	s->executions = 0;
	s->stuck = s->overflow = false;
}

static int find(const struct outcomes *s, const uint64_t reads[OUTCOME_THREADS], uint64_t memory)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->o[i].memory == memory && !memcmp(s->o[i].reads, reads, sizeof s->o[i].reads))
			return (int)i;
	return -1;
}

void outcomes_add(struct outcomes *s, const uint64_t reads[OUTCOME_THREADS], uint64_t memory)
{
	int i = find(s, reads, memory);

	s->executions++;
	if (i < 0 && s->n == sizeof s->o / sizeof s->o[0]) {
		s->overflow = true;
		return;
	}
	if (i < 0) {
		i = (int)s->n++;
		memcpy(s->o[i].reads, reads, sizeof s->o[i].reads);
		s->o[i].memory = memory;
	}
	s->o[i].last = s->executions;
}

bool outcomes_subset(
	const struct outcomes *a, uint64_t skip_a, const struct outcomes *b, uint64_t skip_b)
{
	for (unsigned i = 0; i < a->n; i++) {
		int k = a->o[i].last > skip_a ? find(b, a->o[i].reads, a->o[i].memory) : 0;

		if (k < 0 || (a->o[i].last > skip_a && b->o[k].last <= skip_b))
			return false;
	}
	return !a->overflow && !b->overflow;
}

struct heddle_result outcomes_explore(
	void (*program)(void *), const char *model, const char *options)
{
	char text[200];
	struct heddle_options o = {.options = text, .quiet = true};
	struct heddle_result result = {0};

	snprintf(text, sizeof text, "model=%s,time=0,%s", model, options);
	if (heddle_check(program, NULL, &o, &result) == 2)
		exit(2);
	return result;
}
