/* SPDX-License-Identifier: ISC */
/*
 * frontier.h - the remaining work, as an image for other processes and files.
 *
 * A frontier is the current graph and the saved graphs below it; each event has the choices tried.
 * Numbers of cache nodes and locations are valid in one process only: an image has the labels of
 * all threads' histories and the addresses of the locations, with the sender's numbers; the
 * receiver translates them to its own. An image fits programs whose addresses are the same.
 */
#ifndef TRUST_IMAGE_FRONTIER_H
#define TRUST_IMAGE_FRONTIER_H

#include "trust/trust.h"

/* Write all remaining work. reported: the current graph is a leaf that was reported. Returns the
 * image's size, or 0 if the room is not enough. */
size_t frontier_export(struct trust *x, bool reported, void *to, size_t room);

/* The part of the remaining work that begins with the current graph, without its choices. */
size_t frontier_export_below(struct trust *x, void *to, size_t room);

/* Is there a level to give, by frontier_give()? */
bool frontier_may_give(struct trust *x);

/*
 * Write the remaining work of the lowest saved graph, which leaves the stack: the receiver of the
 * image explores it. May be called by program->leaf(). *number is the level's (trust.given).
 * Returns 0 if there is no such graph, or no room.
 */
size_t frontier_give(struct trust *x, void *to, size_t room, u64 *number);

/*
 * Explore only this image from now on. Counts stay. Returns NULL, or a defect of the image. from:
 * 64-byte aligned. foreign: the image comes from a file and is untrusted: everything that an
 * exploration relies on is checked (label_check.h, trust_wrong()), so that no contents lead to an
 * access outside of x. Whether the executions before it are those of this program cannot be
 * checked.
 */
const char *frontier_import(struct trust *x, const void *from, size_t size, bool foreign);

#endif
