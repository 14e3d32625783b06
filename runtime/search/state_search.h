/* SPDX-License-Identifier: ISC */
/* state_search.h - strategy states: all states of a program (prove/states.h), until there are no
 * more, or at a finding. */
#ifndef SEARCH_STATE_SEARCH_H
#define SEARCH_STATE_SEARCH_H

#include "base/base.h"

/* Run it; returns whether all states have been seen. M.bounds has the reasons, if not. */
bool state_search(void);

#endif
