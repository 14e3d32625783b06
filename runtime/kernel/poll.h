/* SPDX-License-Identifier: ISC */
/*
 * poll.h - waiting until one of several descriptors is ready.
 *
 * As the kernel does, the descriptors are looked at one by one, each look a step of its own; if
 * none is ready, the thread waits until one is, and looks again. In a graph the looks that find
 * nothing are an iteration of a loop that waits.
 */
#ifndef KERNEL_POLL_H
#define KERNEL_POLL_H

#include "kernel/descriptor.h"

/* What a thread waits for. */
struct waited {
	bool (*ready)(const struct waited *w); /* is it there? Pure */
	u32 (*look)(struct waited *w);	       /* in steps; how many are ready */
	u64 timer;	 /* the earliest moment at which a timer makes it ready; 0: none does */
	u64 timers;	 /* a sum of their deadlines */
	const void *obj; /* one of the objects, where the thread is shown to wait: look() sets it */
};

/* Until look() finds something, or for so many nanoseconds; -1: for ever. Returns what it found. */
u32 poll_until(struct waited *w, i64 ns);
#define POLL_INTERRUPTED UINT32_MAX /* it found this: a signal */

struct polled {
	int fd;
	i32 events, found; /* as of poll() */
	struct file file;  /* poll_wait() has looked it up; FILE_NONE: not ours */
};

/*
 * poll(). outside: looks at what is not ours; the number of ready ones; NULL: there are none.
 * Returns the number of ready ones of both.
 */
u32 poll_wait(struct polled *p, u32 n, i64 ns, u32 (*outside)(void *arg), void *arg);

/* The same of one file; p->file is there. */
void poll_file(struct polled *p);

/* A look at a timer has found it armed until then; 0: not. / The same in memory. */
void poll_until_timer(u64 deadline);
void poll_saw_timer(u64 deadline);

/* The thread that `ready' is about. */
u32 poll_waiting(void);

/* The state of an object has changed: threads that wait check again. */
void poll_changed(void);

#endif
