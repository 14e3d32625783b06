/* SPDX-License-Identifier: ISC */
/* epoll.c - see epoll.h. */
#include "kernel/epoll.h"
#include "kernel/file.h"
#include "kernel/poll.h"
#include "machine/core.h"
#include "machine/name.h"
#include "machine/sync.h"
#include "object/interest.h"
#include "object/life.h"
#include "object/state_table.h"
#include "process/coverage.h"
#include "sync/waiting.h"

#include <errno.h>

#define NESTED	    4 /* instances that watch each other */
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

static int remove_item(int fd, const void *obj)
{
	return -(int)sync_step(&op_remove, obj, (u64)fd);
}

/* Is the instance `of' an item of `epoll', or of one of its items? */
static bool watches(struct file epoll, struct file of, u32 depth)
{
	const struct interest_item *item = NULL;
	u32 n = interest_items(sync_step(&op_items, descriptor_object(epoll.in), 0), &item);

	for (u32 i = 0; i < n && depth < NESTED; i++) {
		struct file f = descriptor_of_state(item[i].file);

		if (f.kind == FILE_EPOLL && (f.in == of.in || watches(f, of, depth + 1)))
			return true;
	}
	return depth == NESTED;
}

static void watch(int fd, struct file f, int epoll_fd)
{
	descriptor_watch(fd, epoll_fd);
	if (f.watched)
		return;
	f.watched = 1;
	descriptor_change(fd, f);
}

int epoll_control(
	struct file epoll, int epoll_fd, int operation, int fd, const struct epoll_event *event)
{
	const void *obj = descriptor_object(epoll.in);
	struct file f = descriptor_file(fd);
	struct interest_item item = {.fd = (u32)fd, .seen = INTEREST_UNSEEN};

	if (!f.kind)
		return -EBADF;
	if (fd == epoll_fd)
		return -EINVAL;
	if (f.kind == FILE_EPOLL && operation == EPOLL_CTL_ADD && watches(f, epoll, 0))
		return -ELOOP;
	if (operation == EPOLL_CTL_DEL)
		return remove_item(fd, obj);
	if (operation != EPOLL_CTL_ADD && operation != EPOLL_CTL_MOD)
		return -EINVAL;
	if (operation == EPOLL_CTL_ADD)
		watch(fd, f, epoll_fd);
	item.events = event->events;
	item.data = event->data.u64;
	item.file = descriptor_state(f);
	waiting_check();
	return -(int)sync_step(operation == EPOLL_CTL_ADD ? &op_add : &op_modify, obj,
		state_intern(&item, sizeof item));
}

void epoll_forget(int fd, struct file f)
{
	u64 by = f.watched ? descriptor_watched(fd) : 0;

	for (int i = 0; by; i++, by >>= 1) {
		struct file epoll =
			by & 1 ? descriptor_file(DESCRIPTOR_FIRST + i) : (struct file){0};

		if (epoll.kind == FILE_EPOLL)
			sync_step(&op_remove, descriptor_object(epoll.in), (u64)fd);
	}
}

/* --- waiting --------------------------------------------------------------------------------- */

struct request {
	struct waited w;
	const void *obj;
	struct epoll_event *events;
	u32 max;
};

/* *sum: of the edges of those that are ready. */
static bool any_ready_in(const void *obj, u32 *sum)
{
	const struct interest_item *item;
	u32 n = interest_items(waiting_state(obj), &item), edges = 0;

	for (u32 i = 0; i < n; i++)
		if (file_look_in_memory(descriptor_of_state(item[i].file),
			    (i32)(item[i].events & POLL_EVENTS), &edges) &&
			interest_reports(&item[i], edges)) {
			*sum += edges;
			return true;
		}
	return false;
}

static bool any_item_ready(const struct waited *w)
{
	u32 sum = 0;

	return any_ready_in(((const struct request *)w)->obj, &sum);
}

bool epoll_look_in_memory(struct file epoll, u32 *edges)
{
	u32 sum = 0;
	bool ready = any_ready_in(descriptor_object(epoll.in), &sum);

	if (edges)
		*edges = sum;
	return ready;
}

bool epoll_look(struct file epoll, u32 *edges)
{
	const struct interest_item *item = NULL;
	u32 n = interest_items(sync_step(&op_items, descriptor_object(epoll.in), 0), &item);
	u32 seen = 0;
	bool ready = false;

	for (u32 i = 0; i < n && !ready; i++)
		if (!item[i].off &&
			file_look(descriptor_of_state(item[i].file),
				(i32)(item[i].events & POLL_EVENTS), &seen) &&
			interest_reports(&item[i], seen))
			ready = true;
	if (edges)
		*edges = seen;
	return ready;
}

/* A step, if the item is not level-triggered. */
static bool take_event(const struct request *r, const struct interest_item *item, u32 edges)
{
	if (!(item->events & (EPOLLET | EPOLLONESHOT)))
		return true;
	waiting_check();
	return sync_step(&op_take, r->obj, interest_taken(item, edges)) == 1;
}

static u32 look_at_items(struct waited *w)
{
	struct request *r = (struct request *)w;
	const struct interest_item *item = NULL;
	u32 n = interest_items(sync_step(&op_items, r->obj, 0), &item), found = 0, edges, i;

	w->obj = r->obj;
	for (i = 0; i < n && found < r->max; i++) {
		struct file f = descriptor_of_state(item[i].file);
		i32 events = (i32)(item[i].events & POLL_EVENTS), ready;

		if (item[i].off)
			continue;
		ready = file_look(f, events, &edges);
		if (!ready || !interest_reports(&item[i], edges))
			continue;
		if (!take_event(r, &item[i], edges)) { /* changed since: check it again */
			n = interest_items(sync_step(&op_items, r->obj, 0), &item);
			i--;
			continue;
		}
		r->events[found].events = (u32)ready;
		r->events[found++].data.u64 = item[i].data;
	}
	if (found > 1) /* the kernel: in the order in which they became ready */
		M.bounds |= BOUND_READY;
	else if (found == r->max && i < n)
		coverage_note("epoll_wait() reported the first ready descriptor in the order in "
			      "which they were added: others that were ready were not tried first "
			      "(heddle help descriptors)");
	return found;
}

int epoll_events(struct file epoll, struct epoll_event *events, int max, i64 ns)
{
	struct request r = {{.ready = any_item_ready, .look = look_at_items},
		descriptor_object(epoll.in), events, (u32)max};
	u32 found;

	if (max <= 0)
		return -EINVAL;
	found = poll_until(&r.w, ns);
	return found == POLL_INTERRUPTED ? -EINTR : (int)found;
}
