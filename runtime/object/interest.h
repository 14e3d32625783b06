/* SPDX-License-Identifier: ISC */
/* interest.h - the descriptors that an epoll instance waits for; see object.def. */
#ifndef OBJECT_INTEREST_H
#define OBJECT_INTEREST_H

#include "object/step.h"

#define INTEREST_ITEMS 60 /* object/descriptor.h */

/* Of one descriptor. `seen': file_look()'s edges at the last report, if it is reported
 * once for each. */
struct interest_item {
	u32 fd;
	u32 events; /* EPOLLIN ... */
	u64 data;
	u64 file; /* the descriptor's state, from when it was added */
	u32 seen;
	u16 off;     /* bool: EPOLLONESHOT, reported */
	u16 version; /* changes so far, modulo INTEREST_VERSIONS */
};

#define INTEREST_VERSIONS 4096

#define INTEREST_UNSEEN UINT32_MAX

/* The argument of TAKE: this version of the item was found ready, with these edges. */
static inline u64 interest_taken(const struct interest_item *i, u32 edges)
{
	return i->fd | (u64)i->version << 16 | (u64)edges << 32;
}

u64 interest_new(void);
/* The items of a state; returns their number. */
u32 interest_items(u64 state, const struct interest_item **items);
/* Is a ready item to be reported? edges: of its file. */
bool interest_reports(const struct interest_item *i, u32 edges);

OBJECT_STEP(interest);

#endif
