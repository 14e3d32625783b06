/* SPDX-License-Identifier: ISC */
/*
 * poll.h - waiting until one of several descriptors is ready.
 *
 * As in the kernel, the descriptors are checked one by one, each check a step of its own; if none
 * is ready, the thread waits until one is, and checks again. In a graph, checks that find nothing
 * are an iteration of a spin loop.
 */
#ifndef KERNEL_POLL_H
#define KERNEL_POLL_H

#include "kernel/descriptor.h"

/* The object of a wait. */
struct waited {
	bool (*ready)(const struct waited *w); /* is any ready? Pure */
	u32 (*look)(struct waited *w);	       /* in steps; the number of ready ones */
	u64 timer;	 /* the earliest time at which a timer makes it ready; 0: never */
	u64 timers;	 /* a sum of their deadlines */
	bool last;	 /* look() need not check again if it changes something and finds none */
	const void *obj; /* one of the objects, where the thread is shown to wait: look() sets it */
};

/* Wait until look() finds one, or for so many nanoseconds; -1: for ever. Returns look()'s
 * result. */
u32 poll_until(struct waited *w, i64 ns);
#define POLL_INTERRUPTED UINT32_MAX /* it found this: a signal */

/* The calling thread's next poll_until() waits with these signals blocked, and no others: ppoll()
 * and the like. */
void poll_with_mask(u64 blocked);

struct polled {
	int fd;
	i32 events, found; /* as of poll() */
	struct file file;  /* set by poll_wait(); FILE_NONE: not ours */
};

/*
 * poll(). outside: checks the kernel's own descriptors and returns the number of ready ones; NULL:
 * there are none. Returns the number of all ready ones.
 */
u32 poll_wait(struct polled *p, u32 n, i64 ns, u32 (*outside)(void *arg), void *arg);

/* The same for one file; p->file is set. */
void poll_file(struct polled *p);

/* A check has found a timer armed until then; 0: not armed. / The same in memory. */
void poll_until_timer(u64 deadline);
void poll_saw_timer(u64 deadline);

/* The thread to which `ready' refers. */
u32 poll_waiting(void);

/* The state of an object has changed: waiting threads check again. */
void poll_changed(void);

#endif
