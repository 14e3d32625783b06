/* SPDX-License-Identifier: ISC */
/*
 * label_check.h - labels from untrusted input: are they valid in the cache?
 *
 * A program's own labels are valid by construction; those of a file (frontier.h) are checked: every
 * reference, index and shift count is in range, and no thread is created twice.
 */
#ifndef TRUST_LABEL_CHECK_H
#define TRUST_LABEL_CHECK_H

#include "trust/trust.h"

/* The present contents of the cache are valid. Takes memory for what is known of each node. */
void label_check_begin(struct trust *x);

/* A node, new since then or not, whose parent is valid. */
void label_check_node(struct trust *x, u32 node);

/* May l, with our numbers, be the label of this node? */
bool label_check_label(struct trust *x, u32 node, const struct label *l);

/* Gives that back. */
void label_check_end(struct trust *x);

#endif
