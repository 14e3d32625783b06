/* SPDX-License-Identifier: ISC */
/* stuck.h - no thread is enabled and every buffer is empty: a deadlock or a livelock? */
#ifndef DETECT_STUCK_H
#define DETECT_STUCK_H

#include "event/event.h"
#include "event/finding.h"

/* A thread that is not enabled. */
struct wait {
	u32 thread;	      /* its number */
	const char *name;     /* "" = none */
	enum event_kind kind; /* its blocked operation; READ: it spins */
	u64 object;	      /* the object of the wait */
	i32 holder;	      /* number of the thread that blocks it, -1 = none */
	bool cancelled;	      /* that thread has been cancelled */
	u32 stack;	      /* call stack id */
	u64 calls;	      /* a hash of the call stack; 0: unless option call-stacks is set */
	u32 users,
		room; /* count of a barrier used by more threads; 0: none such */
};

struct text;

/* "T2 spins for ever", "main waits for ever to lock (held by T1)". */
void stuck_who(struct text *t, const struct wait *w);

/* Describe n >= 1 waits: kind, thread and message of *f. */
void stuck_describe(const struct wait *w, u32 n, struct finding *f);

#endif
