/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso pso ra rc11; options: --strategy graph */
/*
 * In the heap, and only after the worker was started: main's later writes come too late.
 *
 * report rc11 "data race on " "was created by main at" "block of"
 */
#include "../clean/two.h"

struct job {
	int input, output;
};

static void *work(void *arg)
{
	struct job *j = arg;

	j->output = j->input + 1;
	return NULL;
}

int main(void)
{
	struct job *j = calloc(1, sizeof(*j));
	pthread_t t;

	pthread_create(&t, NULL, work, j);
	j->input = 41;
	pthread_join(t, NULL);
	free(j);
	return 0;
}
