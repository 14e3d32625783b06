/* SPDX-License-Identifier: ISC */
/* interest.c - see interest.h. A state is the number of its items (state_table.h), in the order in
 * which they were added. */
#include "object/interest.h"
#include "object/state_table.h"

#include <errno.h>
#include <sys/epoll.h>

/* The items of a number, and of the next state. A size of 0 would not be a state. */
static struct {
	u32 n;
	u16 scanned; /* bool: by a thread that has not reported yet */
	u16 watched; /* bool: by other instances */
	struct interest_item item[INTEREST_ITEMS];
} now;

#define HEAD offsetof(__typeof__(now), item)

static u64 intern_items(void)
{
	return state_intern(&now, (u32)(HEAD + now.n * sizeof now.item[0]));
}

u64 interest_new(void)
{
	u64 none[HEAD / sizeof(u64)] = {0};

	return state_intern(&none, sizeof none);
}

u64 interest_report_intern(const struct interest_report *r)
{
	return state_intern(
		r, (u32)(offsetof(struct interest_report, mark) + r->n * sizeof r->mark[0]));
}

u32 interest_items(u64 state, const struct interest_item **items)
{
	u32 size;
	const char *bytes = state_of(state, &size);

	if (!bytes || size < HEAD || size > sizeof now)
		return 0;
	*items = (const void *)(bytes + HEAD);
	return (u32)((size - HEAD) / sizeof **items);
}

u32 interest_ready(u64 state, const struct interest_item *list[INTEREST_ITEMS])
{
	const struct interest_item *item = NULL;
	u32 n = interest_items(state, &item), found = 0;

	for (u32 i = 0; i < n; i++)
		if (item[i].place && item[i].place <= INTEREST_ITEMS) {
			list[item[i].place - 1] = &item[i];
			found++;
		}
	return found;
}

static bool load_items(u64 state)
{
	u32 size;
	const char *bytes = state_of(state, &size);

	if (!bytes || size < HEAD || size > sizeof now)
		return false;
	__builtin_memcpy(&now, bytes, size);
	return size == HEAD + now.n * sizeof now.item[0];
}

bool interest_may_scan(u64 state)
{
	bool any = false;

	if (!load_items(state) || now.scanned)
		return false;
	for (u32 i = 0; i < now.n; i++)
		any |= now.item[i].place != 0;
	return any;
}

bool interest_reports(const struct interest_item *i, u32 edges)
{
	return !i->off && (!(i->events & EPOLLET) || i->seen != edges);
}

static struct interest_item *find_item(u32 fd)
{
	for (u32 i = 0; i < now.n; i++)
		if (now.item[i].fd == fd)
			return &now.item[i];
	return NULL;
}

/* --- the ready list -------------------------------------------------------------------------- */

static u16 list_length(void)
{
	u16 n = 0;

	for (u32 i = 0; i < now.n; i++)
		n += now.item[i].place != 0;
	return n;
}

static void list_add(struct interest_item *i)
{
	if (!i->place)
		i->place = (u16)(list_length() + 1);
}

static void list_remove(struct interest_item *gone)
{
	for (u32 i = 0; i < now.n; i++)
		now.item[i].place -= gone->place && now.item[i].place > gone->place;
	gone->place = 0;
}

/* --- operations ------------------------------------------------------------------------------ */

static struct object_step add_interest(bool modify, u64 argument)
{
	u32 size;
	const struct interest_item *new = state_of(argument, &size);
	struct interest_item *old;
	u16 place;

	if (!new || size != sizeof *new)
		return step_reads(EINVAL);
	old = find_item(new->fd);
	if (!old == modify)
		return step_reads(modify ? ENOENT : EEXIST);
	if (!old && now.n == INTEREST_ITEMS)
		return step_reads(ENOSPC);
	place = old ? old->place : 0;
	old = old ? old : &now.item[now.n++];
	__builtin_memcpy(old, new, sizeof *new);
	old->place = place;
	return step_writes(intern_items(), 0);
}

static struct object_step remove_step(u32 fd)
{
	struct interest_item *i = find_item(fd);

	if (!i)
		return step_reads(ENOENT);
	list_remove(i);
	now.n--;
	__builtin_memmove(i, i + 1, (size_t)((char *)&now.item[now.n] - (char *)i));
	return step_writes(intern_items(), 0);
}

static bool is_notified(const struct interest_item *i, u64 argument)
{
	u32 number = (u32)argument, events = (u16)(argument >> 32), sides = argument >> 56;

	if (argument & INTEREST_ONE)
		return i->fd == number;
	if (events && !(events & i->events))
		return false;
	return (sides & INTEREST_READERS && (u32)i->ends == number) ||
	       (sides & INTEREST_WRITERS && i->ends >> 32 == number);
}

/* The last one to be added is the first to be notified: a queue of waiters is a stack. Watchers of
 * the instance are notified even if the item was a member already, unless it was checked, not
 * notified. */
static struct object_step notify_step(u64 argument)
{
	bool any = false, new = false;

	for (u32 i = now.n; i-- > 0;)
		if (!now.item[i].off && is_notified(&now.item[i], argument)) {
			any = true;
			new |= !now.item[i].place;
			list_add(&now.item[i]);
		}
	if (new)
		return step_writes(intern_items(), now.watched);
	return step_reads(any && now.watched && !(argument & INTEREST_ONE));
}

static struct object_step scan_step(u64 state)
{
	if (!list_length())
		return step_reads(state);
	now.scanned = 1;
	for (u32 i = 0; i < now.n; i++)
		now.item[i].place = 0;
	return step_writes(intern_items(), state);
}

/* All items with this outcome become the last ones of the list. */
static void requeue_items(const struct interest_report *r, enum interest_outcome outcome)
{
	for (u32 i = 0; i < r->n; i++) {
		struct interest_item *item =
			r->mark[i].outcome == outcome ? find_item(r->mark[i].fd) : NULL;

		if (item)
			list_add(item);
	}
}

/* The list that has come into being meanwhile, without the items that are given back. */
static u32 take_new(const struct interest_report *r, struct interest_item *new[INTEREST_ITEMS])
{
	u32 n = 0;

	for (u32 i = 0; i < r->n; i++) {
		struct interest_item *item = find_item(r->mark[i].fd);

		if (item && r->mark[i].outcome != INTEREST_TAKEN)
			list_remove(item);
	}
	for (u32 i = 0; i < now.n; i++)
		if (now.item[i].place) {
			new[now.item[i].place - 1] = &now.item[i];
			n++;
		}
	for (u32 i = 0; i < now.n; i++)
		now.item[i].place = 0;
	return n;
}

static struct object_step report_step(u64 argument)
{
	u32 size, n;
	const struct interest_report *r = state_of(argument, &size);
	struct interest_item *new[INTEREST_ITEMS];

	if (!r || size < offsetof(struct interest_report, mark) || r->n > INTEREST_ITEMS)
		return step_reads(EINVAL);
	n = take_new(r, new);
	requeue_items(r, INTEREST_LEFT);
	for (u32 i = 0; i < n; i++)
		list_add(new[i]);
	requeue_items(r, INTEREST_REPEATS);
	for (u32 i = 0; i < r->n; i++) {
		struct interest_item *item = find_item(r->mark[i].fd);

		if (item && r->mark[i].outcome == INTEREST_TAKEN) {
			item->seen = r->mark[i].seen;
			item->off = (item->events & EPOLLONESHOT) != 0;
		}
	}
	now.scanned = 0;
	return step_writes(intern_items(), 0);
}

static struct object_step watched_step(void)
{
	if (now.watched)
		return step_reads(0);
	now.watched = 1;
	return step_writes(intern_items(), 0);
}

static struct object_step any_step(enum object_op op, u64 argument, u64 state)
{
	switch (op) {
	case OBJECT_INTEREST_ITEMS: return step_reads(state);
	case OBJECT_INTEREST_NOTIFY: return notify_step(argument);
	case OBJECT_INTEREST_REPORT: return report_step(argument);
	case OBJECT_INTEREST_WATCH: return watched_step();
	default: break;
	}
	if (now.scanned)
		return step_waits();
	switch (op) {
	case OBJECT_INTEREST_ADD:
	case OBJECT_INTEREST_MODIFY: return add_interest(op == OBJECT_INTEREST_MODIFY, argument);
	case OBJECT_INTEREST_REMOVE: return remove_step((u32)argument);
	default: return scan_step(state);
	}
}

/* A notification says nothing about earlier ones: the thread that makes it does not acquire. */
OBJECT_STEP(interest)
{
	struct object_step s;

	if (!load_items(state))
		return step_reads(EBADF);
	s = any_step(op, argument, state);
	s.acquire = op != OBJECT_INTEREST_NOTIFY;
	s.release = s.writes;
	return s;
}
