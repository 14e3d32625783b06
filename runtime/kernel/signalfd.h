/* SPDX-License-Identifier: ISC */
/* signalfd.h - waiting for signals through descriptors. An error is a negative errno. */
#ifndef KERNEL_SIGNALFD_H
#define KERNEL_SIGNALFD_H

#include "kernel/descriptor.h"
#include "object/channel.h"
#include "object/signals.h"

struct file signalfd_new(u64 set, bool nonblocking);
void signalfd_set(struct file f, u64 set);

/* Is one of its signals pending for the calling thread? *edges: as file_look(). The second one is
 * pure. */
bool signalfd_look(struct file f, u32 *edges);
bool signalfd_look_in_memory(struct file f, u32 *edges);
/* Read as many struct signalfd_siginfo as are pending and fit into n bytes. */
i64 signalfd_read(struct file f, size_t n, bool waits, const struct channel_message **m);

/* sigtimedwait(): take one of the set within so many nanoseconds; returns 0, EAGAIN or EINTR. */
int signalfd_wait(u64 set, i64 ns, struct signal_info *info);

#endif
