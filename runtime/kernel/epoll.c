/* SPDX-License-Identifier: ISC */
/* epoll.c - see epoll.h. */
#include "kernel/epoll.h"
#include "kernel/file.h"
#include "kernel/poll.h"
#include "machine/name.h"
#include "machine/sync.h"
#include "object/interest.h"
#include "object/life.h"
#include "object/state_table.h"
#include "sync/waiting.h"

#include <errno.h>

#define POLL_EVENTS (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | EPOLLERR | EPOLLHUP)

static void keep_items(const void *obj, u64 state)
{
	waiting_keep(obj, state);
	poll_changed();
}

SYNC_KEPT(op_init, EV_FD_OPEN, NULL, OBJECT_INIT, life, waiting_state, keep_items);
SYNC_KEPT(op_add, EV_FD_POLL, NULL, OBJECT_INTEREST_ADD, interest, waiting_state, keep_items);
SYNC_KEPT(op_modify, EV_FD_POLL, NULL, OBJECT_INTEREST_MODIFY, interest, waiting_state, keep_items);
SYNC_KEPT(op_remove, EV_FD_POLL, NULL, OBJECT_INTEREST_REMOVE, interest, waiting_state, keep_items);
SYNC_KEPT(op_take, EV_FD_POLL, NULL, OBJECT_INTEREST_TAKE, interest, waiting_state, keep_items);
SYNC_KEPT(op_items, EV_FD_POLL, NULL, OBJECT_INTEREST_ITEMS, interest, waiting_state, keep_items);

struct file epoll_new(void)
{
	u32 number = descriptor_new_object();
	const void *obj = descriptor_object(number);

	waiting_check();
	sync_step(&op_init, obj, interest_new());
	name_give((u64)(uintptr_t)obj, 8, "an epoll instance");
	return (struct file){.kind = FILE_EPOLL, .in = number};
}

/* --- items ----------------------------------------------------------------------------------- */

static int remove_item(int fd, struct file f, const void *obj)
{
	f.epoll = 0;
	descriptor_change(fd, f);
	return -(int)sync_step(&op_remove, obj, (u64)fd);
}

int epoll_control(
	struct file epoll, int epoll_fd, int operation, int fd, const struct epoll_event *event)
{
	const void *obj = descriptor_object(epoll.in);
	struct file f = descriptor_file(fd);
	struct interest_item item = {.fd = (u32)fd, .seen = INTEREST_UNSEEN};
	u32 index = (u32)(epoll_fd - DESCRIPTOR_FIRST + 1);

	if (!f.kind)
		return -EBADF;
	if (fd == epoll_fd || f.kind == FILE_EPOLL)
		machine_refuse("an epoll instance is waited for by another: not simulated");
	if (operation == EPOLL_CTL_DEL)
		return remove_item(fd, f, obj);
	if (operation != EPOLL_CTL_ADD && operation != EPOLL_CTL_MOD)
		return -EINVAL;
	if (f.epoll && f.epoll != index)
		machine_refuse("a descriptor is added to two epoll instances: not simulated");
	if (!f.epoll) {
		f.epoll = index & 63;
		descriptor_change(fd, f);
	}
	item.events = event->events;
	item.data = event->data.u64;
	item.file = descriptor_state(f);
	waiting_check();
	return -(int)sync_step(operation == EPOLL_CTL_ADD ? &op_add : &op_modify, obj,
		state_intern(&item, sizeof item));
}

void epoll_forget(int fd, struct file f)
{
	struct file epoll =
		f.epoll ? descriptor_file(DESCRIPTOR_FIRST + (int)f.epoll - 1) : (struct file){0};

	if (epoll.kind == FILE_EPOLL)
		sync_step(&op_remove, descriptor_object(epoll.in), (u64)fd);
}

/* --- waiting --------------------------------------------------------------------------------- */

struct request {
	struct waited w;
	const void *obj;
	struct epoll_event *events;
	u32 max;
};

static bool any_item_ready(const struct waited *w)
{
	const struct request *r = (const struct request *)w;
	const struct interest_item *item;
	u32 n = interest_items(waiting_state(r->obj), &item), edges;

	for (u32 i = 0; i < n; i++)
		if (file_look_in_memory(descriptor_of_state(item[i].file),
			    (i32)(item[i].events & POLL_EVENTS), &edges) &&
			interest_reports(&item[i], edges))
			return true;
	return false;
}

/* A step, if the item is not reported again and again. */
static bool take_event(const struct request *r, const struct interest_item *item, u32 edges)
{
	if (!(item->events & (EPOLLET | EPOLLONESHOT)))
		return true;
	waiting_check();
	return sync_step(&op_take, r->obj, interest_taken(item->fd, edges)) == 1;
}

static u32 look_at_items(struct waited *w)
{
	struct request *r = (struct request *)w;
	const struct interest_item *item = NULL;
	u32 n = interest_items(sync_step(&op_items, r->obj, 0), &item), found = 0, edges;

	w->obj = r->obj;
	for (u32 i = 0; i < n && found < r->max; i++) {
		struct file f = descriptor_of_state(item[i].file);
		i32 events = (i32)(item[i].events & POLL_EVENTS), ready;

		if (item[i].off)
			continue;
		ready = file_look(f, events, &edges);
		if (!ready || !interest_reports(&item[i], edges) || !take_event(r, &item[i], edges))
			continue;
		r->events[found].events = (u32)ready;
		r->events[found++].data.u64 = item[i].data;
	}
	return found;
}

int epoll_events(struct file epoll, struct epoll_event *events, int max, i64 ns)
{
	struct request r = {{any_item_ready, look_at_items, NULL}, descriptor_object(epoll.in),
		events, (u32)max};

	return max > 0 ? (int)poll_until(&r.w, ns) : -EINVAL;
}
