/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso pso ra rc11; options: --strategy graph */
/*
 * One of the two is atomic: that is not enough.
 *
 * report rc11 "atomic, seq_cst" "not atomic"
 */
#include "../clean/two.h"

static atomic_int state;
static int copy;

static void *writer(void *arg)
{
	atomic_store(&state, 1);
	return arg;
}

static void *reader(void *arg)
{
	memcpy(&copy, (void *)&state, sizeof(copy));
	return arg;
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	return copy > 1;
}
