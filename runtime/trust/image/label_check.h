/* SPDX-License-Identifier: ISC */
/*
 * label_check.h - labels from untrusted input: are they valid in the cache?
 *
 * A program's own labels are valid by construction; those of a file (frontier.h) are checked: every
 * reference, index and shift count is in range, and no thread is created twice.
 */
#ifndef TRUST_IMAGE_LABEL_CHECK_H
#define TRUST_IMAGE_LABEL_CHECK_H

#include "trust/trust.h"

/* Begin: the present contents of the cache are taken to be valid. Allocates a record for each
 * node. */
void label_check_begin(struct trust *x);

/* Check a node, which may be new since then; its parent is valid. */
void label_check_node(struct trust *x, u32 node);

/* Is l, with our numbers, a possible label of this node? */
bool label_check_label(struct trust *x, u32 node, const struct label *l);

/* Free the records. */
void label_check_end(struct trust *x);

#endif
