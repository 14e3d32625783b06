/* SPDX-License-Identifier: ISC */
/*
 * watch.h - objects notify the epoll instances that watch them.
 *
 * As in the kernel, that is a step of its own, after the one that has made the object ready. An
 * object without watchers knows that it has none: operations on it are one step.
 */
#ifndef KERNEL_WATCH_H
#define KERNEL_WATCH_H

#include "kernel/descriptor.h"
#include "object/channel.h"

/* From now on the object `number' notifies an instance, as `as', its readers or writers
 * (object/interest.h). watch: the operation by which it learns that it has watchers; NULL: the
 * caller tells it. */
void watch_object(u32 epoll, u32 number, u32 as, u32 sides, const struct sync_op *watch);

/* The instances that the object `from' notifies are notified by `number', too, as if by `from'. */
void watch_like(u32 from, u32 number, u32 sides, const struct sync_op *watch);

/* op(argument), of obj, had this result. Notifies its watchers if the result says so; returns the
 * result as the operation has it without watchers. */
u64 watch_notify_slow(const struct sync_op *op, const void *obj, u64 argument, u64 result);

static inline u64 watch_notify(const struct sync_op *op, const void *obj, u64 argument, u64 result)
{
	return unlikely(channel_notifies(result)) ? watch_notify_slow(op, obj, argument, result)
						  : result;
}

/* Notify the watchers of an object: it is ready for these poll() events. */
void watch_notify_object(u32 number, u32 side, u32 events);

/* An item of the instance has become ready: object/interest.h, interest_notifies(). */
void watch_notify_epoll(u32 epoll, u64 argument);

#endif
