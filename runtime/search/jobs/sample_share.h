/* SPDX-License-Identifier: ISC */
/*
 * sample_share.h - samples by several processes (--jobs).
 *
 * Idea.   Samples are made in rounds, each from a seed of its own. Of n processes, those of all
 *         shards, process p makes the rounds p, p + n, p + 2n, ...
 * Order.  A process with a new finding waits until the lower rounds have ended. So findings are in
 *         the order of rounds, the one that ends the search is the one of one process, and the
 *         rounds behind it do not count (round_counts.h); the same for --executions.
 * Parts.  Exhaustive searches are divided into parts, which processes take in turn: rounds, too.
 * Lost.   If the program ends a process in a way that cannot be caught, the parent adopts the
 *         process's choices and ends in the same way, which `heddle run` turns into a finding.
 */
#ifndef SEARCH_JOBS_SAMPLE_SHARE_H
#define SEARCH_JOBS_SAMPLE_SHARE_H

#include "graph/execute.h"

struct samples {
	u32 first, rounds;	      /* numbers of rounds: the first; how many */
	bool (*round)(u32 number, const void *ctx); /* make one; false: it is the last */
	const void *ctx;
	bool parts; /* a round is all of a process, and takes parts: samples_take(); first is 1 */
	bool local; /* of this shard, all of them */
};

/* Take a part, unless another process has: the executions that follow are its. Parts are numbered
 * in the order of a search by one process, and every process asks for them in that order: they are
 * to findings and counts as rounds are. Those from SAMPLES_PARTS on are taken by one process. */
#define SAMPLES_PARTS 65536
bool samples_take(u64 part);

/* The size of a round of few executions, --executions in all. */
u64 samples_size(u32 number);

/* Its seed, less that of the search: searches with different ones have no rounds in common. */
static inline u64 samples_seed(u32 number)
{
	return number * 0x9e3779b97f4a7c15ull;
}

/* Make the rounds, in --jobs processes. M.status and M.bounds have the result. */
void samples_make(const struct samples *s);

/* The rounds of --executions. */
void samples_make_all(bool (*round)(u32 number, const void *ctx), const void *ctx);

/* Before a new finding is added, within worker_enter(): wait for the lower rounds. False: one of
 * them has a finding. */
bool samples_turn(void);

/* In a round by graphs: the reason why it is the last one. / In the parent: the first such reason,
 * and its words. */
void samples_problem(enum execute_stop why, const char *words);
enum execute_stop samples_stopped(void);
const char *samples_words(void);

#endif
