/* SPDX-License-Identifier: ISC */
/* left_out.h - executions that a search of graphs has left out, for lack of room or by a bound. */
#ifndef SEARCH_LIMIT_LEFT_OUT_H
#define SEARCH_LIMIT_LEFT_OUT_H

#include "base/base.h"

struct trust;

/* Has the search of x left out executions? Adds the reasons to M.bounds and to the notes. */
bool left_out(const struct trust *x);

#endif
