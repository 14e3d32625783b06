/* SPDX-License-Identifier: ISC */
/*
 * shard.h - one of several parts of a search, in processes that do not communicate
 * (--shard K/N).
 *
 * Idea.   The upper part of the exploration (trust/trust_cut.h) is the same in all of them, so that
 *         they agree on the number of each graph that ends it, and of each leaf in it. A hash of
 *         the number assigns it to a shard. The subtrees of this shard's graphs are kept as images,
 *         which are explored like those of a resumed file.
 * Always. Facts learnt about the program influence the set of executions (--races promote,
 *         trust_await.h): `heddle merge' compares them (struct status_shard).
 */
#ifndef SEARCH_JOBS_SHARD_H
#define SEARCH_JOBS_SHARD_H

#include "trust/trust.h"

/* Is there a part to be determined before the exploration of x? */
bool shard_is_due(void);

/* Explore the upper part; then x->over, and there are images; or x->answer. */
void shard_split(struct trust *x);

/* All of it is void. */
void shard_forget(void);

/* An execution is over: of this shard? */
bool shard_has_leaf(void);

u32 shard_images(void);
const void *shard_image(u32 i, size_t *size);

/* The search has ended: publish the facts it has learnt. x: of graphs, or NULL. */
void shard_end(const struct trust *x);

/* Is the part of this number, of an exploration that has been cut, of this shard? */
bool shard_owns(u64 number);

#endif
