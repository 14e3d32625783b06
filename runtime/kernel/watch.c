/* SPDX-License-Identifier: ISC */
/* watch.c - see watch.h. */
#include "kernel/watch.h"
#include "kernel/op.h"
#include "object/channel.h"
#include "object/interest.h"
#include "object/watchers.h"

#include <sys/epoll.h>

/* The watchers of an object are an object of their own. */
#define NOTIFIED_BASE 0x550000000000u

FILE_OP(op_add, EV_FD_POLL, OBJECT_WATCHERS_ADD, watchers);
FILE_OP(op_get, EV_FD_POLL, OBJECT_WATCHERS_GET, watchers);
FILE_OP(op_notify, EV_FD_POLL, OBJECT_INTEREST_NOTIFY, interest);

static const void *notified_by(u32 number)
{
	return (const void *)(uintptr_t)(NOTIFIED_BASE + (u64)number * 8);
}

void watch_object(u32 epoll, u32 number, u32 as, u32 sides, const struct sync_op *watch)
{
	waiting_check();
	if (!sync_step(&op_add, notified_by(number), watcher_entry(epoll, as, sides)))
		machine_refuse("limit: more than %d epoll instances watch one descriptor",
			WATCHERS_ENTRIES);
	if (watch)
		sync_step(watch, descriptor_object(number), 0);
}

static u32 watchers_at(u32 number, const u64 **entry)
{
	return watchers_of(sync_step(&op_get, notified_by(number), 0), entry);
}

void watch_like(u32 from, u32 number, u32 sides, const struct sync_op *watch)
{
	const u64 *entry;
	u32 n = watchers_at(from, &entry);

	for (u32 i = 0; i < n; i++)
		watch_object(
			watcher_epoll(entry[i]), number, watcher_number(entry[i]), sides, watch);
}

/* The queue of the readers, or that of the writers: the last one of it comes first. */
static void notify_side(const u64 *entry, u32 n, u32 side, u32 events)
{
	while (n-- > 0)
		if (watcher_sides(entry[n]) & side)
			watch_notify_epoll(watcher_epoll(entry[n]),
				interest_notifies(watcher_number(entry[n]), side, events));
}

void watch_notify_object(u32 number, u32 side, u32 events)
{
	const u64 *entry;
	u32 n = watchers_at(number, &entry);

	notify_side(entry, n, side, events);
}

void watch_notify_epoll(u32 epoll, u64 argument)
{
	waiting_check();
	if (sync_step(&op_notify, descriptor_object(epoll), argument))
		watch_notify_object(epoll, INTEREST_READERS, EPOLLIN);
}

u64 watch_notify_slow(const struct sync_op *op, const void *obj, u64 argument, u64 result)
{
	const u64 *entry;
	u32 n = watchers_at(descriptor_object_number(obj), &entry);
	bool own = op->object_op == OBJECT_CHANNEL_SHUT && argument == CHANNEL_SHUT_WRITE;

	switch (op->object_op) {
	case OBJECT_CHANNEL_READ:
	case OBJECT_CHANNEL_TRYREAD:
	case OBJECT_CHANNEL_RESIZE:
	case OBJECT_COUNTER_READ:
	case OBJECT_COUNTER_TRYREAD:
		notify_side(entry, n, INTEREST_WRITERS, EPOLLOUT | EPOLLWRNORM);
		break;
	case OBJECT_CHANNEL_WRITE:
	case OBJECT_CHANNEL_TRYWRITE:
	case OBJECT_COUNTER_WRITE:
	case OBJECT_COUNTER_TRYWRITE:
	case OBJECT_ENDPOINT_OFFER:
	case OBJECT_ENDPOINT_TRYOFFER:
		notify_side(entry, n, INTEREST_READERS, EPOLLIN | EPOLLRDNORM);
		break;
	default:
		notify_side(entry, n, own ? INTEREST_WRITERS : INTEREST_READERS, 0);
		notify_side(entry, n, own ? INTEREST_READERS : INTEREST_WRITERS, 0);
	}
	return result ^ CHANNEL_NOTIFIES;
}
