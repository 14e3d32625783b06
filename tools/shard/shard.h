/* SPDX-License-Identifier: ISC */
/* shard.h - run --shard: which part of which search a result is. */
#ifndef SHARD_SHARD_H
#define SHARD_SHARD_H

#include "job/job.h"

/* For the documents of a job; NULL: it is the whole search. */
const struct shard *shard_of(const struct job *j);

/* Program, arguments and options: the same for all parts of a search. */
u64 search_hash(const struct job *j);

#endif
