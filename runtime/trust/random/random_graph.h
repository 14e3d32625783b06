/* SPDX-License-Identifier: ISC */
/*
 * random_graph.h - random execution graphs: for programs with too many to explore.
 *
 * A walk adds events until no thread is enabled: a random thread, a random allowed source, a random
 * position in co. So every consistent graph may occur, but not with equal probability. With a guide
 * (pctwm.h) that chooses the threads and sources, few may occur, these much more often.
 */
#ifndef TRUST_RANDOM_RANDOM_GRAPH_H
#define TRUST_RANDOM_RANDOM_GRAPH_H

#include "base/prng.h"
#include "trust/random/pctwm.h"
#include "trust/trust.h"

/* One walk, from the empty graph to a leaf, which is reported to x->program. Returns false if the
 * program or x->answer requests a stop; after ANSWER_RESTART the next walk begins with an empty
 * cache. guide: NULL: all choices are equally likely. */
bool walk(struct trust *x, struct prng *prng, struct pctwm *guide);

#endif
