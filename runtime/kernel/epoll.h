/* SPDX-License-Identifier: ISC */
/*
 * epoll.h - epoll instances: level- and edge-triggered, one-shot. An error is a negative errno.
 *
 * Descriptors are reported in the order in which they became ready: that of the ready list
 * (object/interest.h), to which objects add them (watch.h). A call takes the list, checks its
 * descriptors one after the other, and gives the list back. Timers and signals are checked after
 * the list; with one of these and others the search is not complete (BOUND_READY).
 */
#ifndef KERNEL_EPOLL_H
#define KERNEL_EPOLL_H

#include "kernel/descriptor.h"

#include <sys/epoll.h>

struct file epoll_new(void);
/* epoll_ctl(), event: of ADD and MOD. */
int epoll_control(
	struct file epoll, int epoll_fd, int operation, int fd, const struct epoll_event *event);
/* Wait for at most max events, in `events`; returns their number. ns: as poll_until(). */
int epoll_events(struct file epoll, struct epoll_event *events, int max, i64 ns);

/* Is an item ready to be reported? *edges: as file_look(). The second one is pure. */
bool epoll_look(struct file epoll, u32 *edges);
bool epoll_look_in_memory(struct file epoll, u32 *edges);

/* The descriptor fd, at which f was open, has been closed. */
void epoll_forget(int fd, struct file f);

#endif
