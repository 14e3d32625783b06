/* SPDX-License-Identifier: ISC */
/*
 * visible.h - plain memory known to race: its accesses are steps, and its stores are buffered.
 *
 * Found by races; the additions of one execution take effect in the next, so that an execution is a
 * function of its choices and of the set with which it began. A replay file contains that set.
 */
#ifndef BUFFERS_VISIBLE_H
#define BUFFERS_VISIBLE_H

#include "event/trace.h"

extern u32 visible_known; /* the number of visible granules */

void visible_clear(void);

/* Keep the set as it is now; what has been added since is forgotten. */
void visible_keep(void);
void visible_put_back(void);

/* Is the granule of this address known? */
bool visible_has(u64 addr);

/* Add the granule, which races. */
void visible_learn(u64 addr);

/* Between executions: use the additions. True: there were some. */
bool visible_adopt(void);
/* The amount learnt and not yet adopted. / Drop all that was learnt after that. */
u32 visible_learned(void);
/* Is any of it not known? */
bool visible_is_news(void);
void visible_unlearn(u32 n);
/* Copies at most so many of these addresses; returns their number. */
u32 visible_copy(u64 *to, u32 room);

/* Is there no room for more? Then all memory is visible. */
bool visible_is_full(void);

void visible_put(struct trace_writer *w);
void visible_read(const struct trace *t);

#endif
