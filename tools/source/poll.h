/* SPDX-License-Identifier: ISC */
/* poll.h - is an access in the source the condition of a loop that waits for the value to
 * change? */
#ifndef SOURCE_POLL_H
#define SOURCE_POLL_H

#include "source/symbol.h"

/*
 * Does the frame read a flag that ends a loop: part of the loop's condition, or of that of a
 * `break', either alone or compared with a constant, and not assigned in the loop? name: of the
 * memory read.
 */
bool poll_is_at(const struct frame *f, const char *name);

#endif
