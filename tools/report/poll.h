/* SPDX-License-Identifier: ISC */
/* poll.h - does the source, where an access is, go round until the value changes? */
#ifndef REPORT_POLL_H
#define REPORT_POLL_H

#include "report/symbol.h"

/*
 * Is what the frame reads there a flag that ends a loop: a part of the loop's condition, or of that
 * of a `break', that is nothing but this or compares it with a constant, and that the loop does not
 * assign to itself? name: of what is read.
 */
bool poll_is_at(const struct frame *f, const char *name);

#endif
