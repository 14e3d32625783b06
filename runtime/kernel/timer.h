/* SPDX-License-Identifier: ISC */
/* timer.h - timerfds, on virtual time. An error is a negative errno. */
#ifndef KERNEL_TIMER_H
#define KERNEL_TIMER_H

#include "kernel/descriptor.h"
#include "object/channel.h"
#include "object/timer.h"

struct file timer_new(bool wall_clock, bool nonblocking);
struct timer timer_get(struct file f);
struct timer timer_set(struct file f, struct timer t); /* returns the old one */

/* Has it expired? *edges: as file_look(). The second one is pure. */
bool timer_look(struct file f, u32 *edges);
bool timer_look_in_memory(struct file f, u32 *edges);
/* Read the number of expirations, 8 bytes. */
i64 timer_read(struct file f, bool waits, const struct channel_message **m);

#endif
