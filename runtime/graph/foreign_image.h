/* SPDX-License-Identifier: ISC */
/*
 * foreign_image.h - memory before a call of code that is not instrumented, to find the changes by
 * the call: in variables, blocks of the heap, the stacks of other threads. Not in the caller's own
 * stack, nor in variables of modules that are not instrumented.
 */
#ifndef GRAPH_FOREIGN_IMAGE_H
#define GRAPH_FOREIGN_IMAGE_H

#include "base/base.h"

#define FOREIGN_IMAGE (8u << 20) /* bytes; more are not compared */

struct foreign_range;
/* Keep the present contents; range: only there, with whole locations. False: too much memory. */
bool foreign_image_take(const struct foreign_range *range);

/* Each aligned word of 8 bytes that has changed since, also in blocks allocated since. */
void foreign_image_changes(void (*see)(u64 word));

/* The contents then; false: the memory did not exist, or is not part of it. */
bool foreign_image_read(u64 addr, u32 size, void *to);

#endif
