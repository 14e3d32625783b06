/* SPDX-License-Identifier: ISC */
/* epoll.c - see epoll.h. */
#include "kernel/epoll.h"
#include "kernel/file.h"
#include "kernel/poll.h"
#include "machine/core.h"
#include "machine/record/name.h"
#include "machine/wait/sync.h"
#include "object/interest.h"
#include "object/life.h"
#include "object/state_table.h"
#include "kernel/watch.h"
#include "sync/waiting.h"

#include <errno.h>

#define NESTED	    4 /* instances that watch each other */
#define POLL_EVENTS (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | EPOLLERR | EPOLLHUP)

static void keep_items(const void *obj, u64 state)
{
	waiting_keep(obj, state);
	poll_changed();
}

#define EPOLL_OP(name, op) \
	SYNC_KEPT(name, EV_FD_POLL, NULL, op, interest, waiting_state, keep_items)

/* One that waits while a thread scans the ready list. */
#define EPOLL_WAITS(name, op) \
	static bool name##_ready(const struct thread *t, const void *obj) \
	{ \
		return object_interest_step( \
			op, sync_argument(t), thread_id(t), waiting_state(obj)) \
			.ready; \
	} \
	SYNC_KEPT(name, EV_FD_POLL, name##_ready, op, interest, waiting_state, keep_items)

SYNC_KEPT(op_init, EV_FD_OPEN, NULL, OBJECT_INIT, life, waiting_state, keep_items);
EPOLL_WAITS(op_add, OBJECT_INTEREST_ADD);
EPOLL_WAITS(op_modify, OBJECT_INTEREST_MODIFY);
EPOLL_WAITS(op_remove, OBJECT_INTEREST_REMOVE);
EPOLL_WAITS(op_scan, OBJECT_INTEREST_SCAN);
EPOLL_OP(op_report, OBJECT_INTEREST_REPORT);
EPOLL_OP(op_items, OBJECT_INTEREST_ITEMS);
EPOLL_OP(op_watch, OBJECT_INTEREST_WATCH);

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

static int remove_interest(int fd, const void *obj)
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

static void watch_fd(int fd, struct file f, int epoll_fd)
{
	descriptor_watch(fd, epoll_fd);
	if (f.watched)
		return;
	f.watched = 1;
	descriptor_change(fd, f);
}

/* The objects that notify the instance of such a file. Others do not: time passes, or a signal
 * comes. */
static u64 ends_of(struct file f)
{
	if (f.kind == FILE_EPOLL)
		return interest_ends(f.in, 0);
	if (f.kind == FILE_ENDPOINT)
		return interest_ends(f.in, f.in);
	return f.kind == FILE_TIMER || f.kind == FILE_SIGNAL ? 0 : interest_ends(f.in, f.out);
}

static void watch_file(struct file f, u32 epoll)
{
	if (f.kind == FILE_EPOLL)
		watch_object(epoll, f.in, f.in, INTEREST_READERS, &op_watch);
	else
		file_watch(f, epoll);
}

/* It has been added, or changed. */
static void check_item(struct file epoll, const struct interest_item *item)
{
	struct file f = descriptor_of_state(item->file);

	if (ends_of(f) && file_look(f, (i32)(item->events & POLL_EVENTS), NULL))
		watch_notify_epoll(epoll.in, interest_notifies_item(item->fd));
}

static int set_item(
	struct file epoll, int epoll_fd, int operation, int fd, struct interest_item *item)
{
	struct file f = descriptor_of_state(item->file);
	u64 error;

	if (operation == EPOLL_CTL_ADD)
		watch_fd(fd, f, epoll_fd);
	waiting_check();
	error = sync_step(operation == EPOLL_CTL_ADD ? &op_add : &op_modify,
		descriptor_object(epoll.in), state_intern(item, sizeof *item));
	if (error)
		return -(int)error;
	if (operation == EPOLL_CTL_ADD)
		watch_file(f, epoll.in);
	check_item(epoll, item);
	return 0;
}

int epoll_control(
	struct file epoll, int epoll_fd, int operation, int fd, const struct epoll_event *event)
{
	struct file f = descriptor_file(fd);
	struct interest_item item = {.fd = (u32)fd, .seen = INTEREST_UNSEEN};

	if (!f.kind)
		return -EBADF;
	if (fd == epoll_fd)
		return -EINVAL;
	if (f.kind == FILE_EPOLL && operation == EPOLL_CTL_ADD && watches(f, epoll, 0))
		return -ELOOP;
	if (operation == EPOLL_CTL_DEL)
		return remove_interest(fd, descriptor_object(epoll.in));
	if (operation != EPOLL_CTL_ADD && operation != EPOLL_CTL_MOD)
		return -EINVAL;
	item.events = event->events | EPOLLERR | EPOLLHUP;
	item.data = event->data.u64;
	item.file = descriptor_state(f);
	item.ends = ends_of(f);
	return set_item(epoll, epoll_fd, operation, fd, &item);
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

/* --- files that do not notify ---------------------------------------------------------------- */

/* Is the file ready, as far as it does not notify? */
static bool look_unnotified(const struct interest_item *item, u32 *edges)
{
	struct file f = descriptor_of_state(item->file);
	const struct interest_item *inner = NULL;
	u32 n, seen;

	*edges = 0;
	if (f.kind != FILE_EPOLL)
		return !item->ends && file_look(f, (i32)(item->events & POLL_EVENTS), edges);
	n = interest_items(sync_step(&op_items, descriptor_object(f.in), 0), &inner);
	for (u32 i = 0; i < n; i++)
		if (!inner[i].place && look_unnotified(&inner[i], &seen) &&
			interest_reports(&inner[i], seen))
			*edges += seen + 1;
	return *edges;
}

static bool look_unnotified_in_memory(const struct interest_item *item, u32 *edges)
{
	struct file f = descriptor_of_state(item->file);
	const struct interest_item *inner = NULL;
	u32 n, seen;

	*edges = 0;
	if (f.kind != FILE_EPOLL)
		return !item->ends &&
		       file_look_in_memory(f, (i32)(item->events & POLL_EVENTS), edges);
	n = interest_items(waiting_state(descriptor_object(f.in)), &inner);
	for (u32 i = 0; i < n; i++)
		if (!inner[i].place && look_unnotified_in_memory(&inner[i], &seen) &&
			interest_reports(&inner[i], seen))
			*edges += seen + 1;
	return *edges;
}

static bool may_be_unnotified(const struct interest_item *item)
{
	return !item->off && !item->place &&
	       (!item->ends || descriptor_of_state(item->file).kind == FILE_EPOLL);
}

/* Such items become members of the ready list. Returns their number. */
static u32 add_unnotified(u32 epoll, u64 state)
{
	const struct interest_item *item = NULL;
	u32 n = interest_items(state, &item), edges, added = 0;

	for (u32 i = 0; i < n; i++)
		if (may_be_unnotified(&item[i]) && look_unnotified(&item[i], &edges) &&
			interest_reports(&item[i], edges)) {
			watch_notify_epoll(epoll, interest_notifies_item(item[i].fd));
			added++;
		}
	return added;
}

/* --- scans ----------------------------------------------------------------------------------- */

struct epoll_request {
	struct waited w;
	const void *obj;
	struct epoll_event *events;
	u32 max;
	u32 found;
	struct interest_report report;
};

static void mark_item(struct epoll_request *r, const struct interest_item *item,
	enum interest_outcome outcome, u32 seen)
{
	r->report.mark[r->report.n++] = (struct interest_mark){item->fd, outcome, seen};
}

static void report_item(
	struct epoll_request *r, const struct interest_item *item, u32 ready, u32 edges)
{
	bool again = !(item->events & (EPOLLET | EPOLLONESHOT));

	r->events[r->found].events = ready;
	r->events[r->found++].data.u64 = item->data;
	mark_item(r, item, again ? INTEREST_REPEATS : INTEREST_TAKEN, edges);
}

static void scan_list(struct epoll_request *r, const struct interest_item *const *list, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u32 edges = 0;
		i32 events = (i32)(list[i]->events & POLL_EVENTS), ready;

		if (r->found == r->max) {
			mark_item(r, list[i], INTEREST_LEFT, 0);
			continue;
		}
		ready = list[i]->off
				? 0
				: file_look(descriptor_of_state(list[i]->file), events, &edges);
		if (ready)
			report_item(r, list[i], (u32)ready, edges);
	}
}

/* Those that do not notify became ready at a time that is not known. */
static void scan_unnotified(struct epoll_request *r, u64 state)
{
	const struct interest_item *item = NULL;
	u32 n = interest_items(state, &item), edges;
	u32 ready = 0;

	for (u32 i = 0; i < n; i++) {
		if (!may_be_unnotified(&item[i]) || !look_unnotified(&item[i], &edges) ||
			!interest_reports(&item[i], edges))
			continue;
		ready++;
		if (r->found < r->max)
			report_item(r, &item[i],
				(u32)file_look(descriptor_of_state(item[i].file),
					(i32)(item[i].events & POLL_EVENTS), NULL),
				edges);
	}
	if (ready && (r->found > 1 || r->report.n > 1 || ready > 1))
		M.bounds |= BOUND_READY;
}

static void end_scan(struct epoll_request *r)
{
	waiting_check();
	sync_step(&op_report, r->obj, interest_report_intern(&r->report));
}

static u32 look_at_items(struct waited *w)
{
	struct epoll_request *r = (struct epoll_request *)w;
	const struct interest_item *list[INTEREST_ITEMS];
	u64 state;
	u32 n, added;

	w->obj = r->obj;
	r->found = 0;
	for (;;) {
		r->report.n = 0;
		state = sync_step(&op_scan, r->obj, 0);
		n = interest_ready(state, list);
		if (n) {
			scan_list(r, list, n);
			scan_unnotified(r, state);
			end_scan(r);
			if (r->found || w->last)
				break;
			machine_progress();
			continue;
		}
		added = add_unnotified(descriptor_object_number(r->obj), state);
		if (added > 1)
			M.bounds |= BOUND_READY;
		if (!added)
			break;
	}
	return r->found;
}

static bool any_to_report(const void *obj, u32 *edges)
{
	const struct interest_item *item = NULL;
	u64 state = waiting_state(obj);
	u32 n = interest_items(state, &item), seen;

	if (interest_may_scan(state))
		return true;
	for (u32 i = 0; i < n; i++)
		if (may_be_unnotified(&item[i]) && look_unnotified_in_memory(&item[i], &seen) &&
			interest_reports(&item[i], seen)) {
			*edges += seen + 1;
			return true;
		}
	return false;
}

static bool any_item_ready(const struct waited *w)
{
	u32 edges = 0;

	return any_to_report(((const struct epoll_request *)w)->obj, &edges);
}

int epoll_events(struct file epoll, struct epoll_event *events, int max, i64 ns)
{
	struct epoll_request r = {{.ready = any_item_ready, .look = look_at_items},
		descriptor_object(epoll.in), events, (u32)max, 0, {0}};
	u32 found;

	if (max <= 0)
		return -EINVAL;
	found = poll_until(&r.w, ns);
	return found == POLL_INTERRUPTED ? -EINTR : (int)found;
}

/* --- as a file ------------------------------------------------------------------------------- */

/* As in the kernel, a check removes those items from the list that are not ready. */
static bool look_at_list(const void *obj, u64 state)
{
	const struct interest_item *list[INTEREST_ITEMS];
	struct epoll_request r = {.obj = obj};
	u32 n = interest_ready(state, list), i = 0;
	bool ready = false;

	while (i < n &&
		!(ready = !list[i]->off && file_look(descriptor_of_state(list[i]->file),
						   (i32)(list[i]->events & POLL_EVENTS), NULL)))
		i++;
	for (; i < n; i++)
		mark_item(&r, list[i], INTEREST_LEFT, 0);
	if (n)
		end_scan(&r);
	return ready;
}

bool epoll_look(struct file epoll, u32 *edges)
{
	const void *obj = descriptor_object(epoll.in);
	u64 state = sync_step(&op_scan, obj, 0);

	if (edges)
		*edges = 0;
	if (look_at_list(obj, state))
		return true;
	return add_unnotified(epoll.in, state);
}

bool epoll_look_in_memory(struct file epoll, u32 *edges)
{
	u32 seen = 0;
	bool ready = any_to_report(descriptor_object(epoll.in), &seen);

	if (edges)
		*edges = seen;
	return ready;
}
