/* SPDX-License-Identifier: ISC */
/*
 * random_graph.h - random execution graphs: for programs that have too many to see them all.
 *
 * A walk adds events until no thread is enabled: a random thread, a random source among those that
 * it may read from, a random place in co. So every consistent graph may come up, but not equally
 * likely.
 */
#ifndef TRUST_RANDOM_GRAPH_H
#define TRUST_RANDOM_GRAPH_H

#include "base/prng.h"
#include "trust/trust.h"

/* One walk, from the empty graph to a leaf, which is reported to x->program. False: it says to
 * stop, or x->answer does; after ANSWER_RESTART the next walk begins without what is cached. */
bool walk(struct trust *x, struct prng *prng);

#endif
