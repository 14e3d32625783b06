/* SPDX-License-Identifier: ISC */
/*
 * interest.h - epoll instances: the descriptors they watch, and which of these are ready; see
 * object.def.
 *
 * As in Linux: when its file notifies the instance (NOTIFY), an item is appended to the ready list.
 * A scan takes the list (SCAN) and checks its items one after the other. It gives back (REPORT)
 * those that it has not checked, those that have become ready meanwhile, and those that are
 * level-triggered, in this order. Other operations wait until the scan has ended.
 */
#ifndef OBJECT_INTEREST_H
#define OBJECT_INTEREST_H

#include "object/step.h"

#define INTEREST_ITEMS 60 /* object/descriptor.h */

/* Of one descriptor. */
struct interest_item {
	u32 fd;
	u32 events; /* EPOLLIN ... */
	u64 data;
	u64 file;  /* the descriptor's state, from when it was added */
	u64 ends;  /* the objects of its file that notify, interest_ends() */
	u32 seen;  /* file_look()'s edges at the last report, if its file does not notify */
	u16 off;   /* bool: EPOLLONESHOT, reported */
	u16 place; /* in the ready list, from 1 on; 0: it is not a member */
};

#define INTEREST_UNSEEN UINT32_MAX

/* Numbers of objects whose notifications concern readers, and writers; 0: none. */
static inline u64 interest_ends(u32 in, u32 out)
{
	return in | (u64)out << 32;
}

/* The argument of NOTIFY: the object `number' has become ready for its readers, or its writers, for
 * these poll() events; 0: any. interest_notifies_item(): the item of this descriptor, with any
 * events. */
enum interest_side { INTEREST_READERS = 1, INTEREST_WRITERS = 2 };

static inline u64 interest_notifies(u32 number, u32 sides, u32 events)
{
	return number | (u64)(u16)events << 32 | (u64)sides << 56;
}

#define INTEREST_ONE (1ull << 48)

static inline u64 interest_notifies_item(u32 fd)
{
	return fd | INTEREST_ONE;
}

/* The treatment of an item by a scan, in the order of the list. */
enum interest_outcome {
	INTEREST_LEFT,	  /* it was not checked, and stays in the list */
	INTEREST_REPEATS, /* reported; it will be checked again: level-triggered */
	INTEREST_TAKEN,	  /* reported, once */
};

/* The argument of REPORT is the number of these. Items of the list that have none were not
 * ready. */
struct interest_report {
	u32 n;
	struct interest_mark {
		u32 fd, outcome, seen;
	} mark[INTEREST_ITEMS];
};

u64 interest_report_intern(const struct interest_report *r);

u64 interest_new(void);
/* The items of a state, in the order in which they were added; returns their number. */
u32 interest_items(u64 state, const struct interest_item **items);
/* The ready list of a state; returns its length. */
u32 interest_ready(u64 state, const struct interest_item *list[INTEREST_ITEMS]);
/* Does SCAN find a list? */
bool interest_may_scan(u64 state);
/* Is an item to be reported whose file is ready but does not notify? edges: of the file. */
bool interest_reports(const struct interest_item *i, u32 edges);

OBJECT_STEP(interest);

#endif
