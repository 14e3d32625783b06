/* SPDX-License-Identifier: ISC */
/*
 * label_check.h - labels from untrusted input: could they be in the cache?
 *
 * What a program's own labels are by the way they come about, those of a file (frontier.h) have to
 * be shown to be: all that is followed, indexed with, or shifted by is in range, and no thread is
 * created twice.
 */
#ifndef TRUST_LABEL_CHECK_H
#define TRUST_LABEL_CHECK_H

#include "trust/trust.h"

/* What is in the cache is known from now on. The stack of saved graphs is empty: it is used
 * meanwhile. */
void label_check_begin(struct trust *x);

/* A node that is new since then, or is not; its parent is known. */
void label_check_node(struct trust *x, u32 node);

/* May l, with our numbers, be the label of this node? */
bool label_check_label(struct trust *x, u32 node, const struct label *l);

#endif
