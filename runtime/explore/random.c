/* SPDX-License-Identifier: ISC */
/*
 * random.c - every answer equally likely; the stores in the buffers are agents like the threads.
 *
 * choose() is only reached when the log is full or for data choices on slow paths: explore_choose()
 * answers inline.
 */
#include "explore/explore.h"

static void random_start(struct explore *x)
{
	prng_seed(&x->prng, x->options->seed);
}

static bool random_next(struct explore *x)
{
	return true;
}

static u32 random_choose(struct explore *x, u32 n, const u32 *agents)
{
	return prng_below(&x->prng, n);
}

const struct strategy_ops strategy_random = {
	.name = STRATEGY_RANDOM,
	.samples = true,
	.start = random_start,
	.next = random_next,
	.choose = random_choose,
};
