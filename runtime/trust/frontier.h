/* SPDX-License-Identifier: ISC */
/*
 * frontier.h - what is left to explore, as an image that other processes and files can carry.
 *
 * A frontier is the graph as it stands and the saved graphs below it; each event knows what of it
 * has been tried. Numbers of cache nodes and locations mean something in one process only: an image
 * has the labels of all threads' histories and the addresses of the locations, with the sender's
 * numbers; the receiver makes its own of them. An image fits programs whose addresses are the same.
 */
#ifndef TRUST_FRONTIER_H
#define TRUST_FRONTIER_H

#include "trust/trust.h"

/* All that is left, if the graph as it stands has been reported of (`reported`: a leaf) or not.
 * Returns the image's size; 0: there is not enough room. */
size_t frontier_export(struct trust *x, bool reported, void *to, size_t room);

/* Is there a level to give, by frontier_give()? */
bool frontier_may_give(struct trust *x);

/*
 * What is left of the lowest saved graph, which leaves the stack: whoever gets the image explores
 * it. May be called by program->leaf(). *number is the level's (trust.given). 0: there is none, or
 * no room.
 */
size_t frontier_give(struct trust *x, void *to, size_t room, u64 *number);

/*
 * Explore this, and nothing else, from now on. Counts stay. NULL, or what is wrong with the image.
 * from: 64 bytes aligned. foreign: a file has brought it, and whatever its bytes are, nothing
 * outside of x is touched: all that an exploration leaves so is looked at (label_check.h,
 * trust_wrong()). That the executions before it are those of this program, and have been seen,
 * cannot be known.
 */
const char *frontier_import(struct trust *x, const void *from, size_t size, bool foreign);

#endif
