/* SPDX-License-Identifier: ISC */
/* interest.c - see interest.h. A state is the number of its items (state_table.h), in the order in
 * which they were added. */
#include "object/interest.h"
#include "object/state_table.h"

#include <errno.h>
#include <sys/epoll.h>

/* The items of a number, and of the next state. A size of 0 would not be a state. */
static struct {
	u64 n;
	struct interest_item item[INTEREST_ITEMS];
} now;

#define HEAD sizeof(u64)

static u64 intern_items(void)
{
	return state_intern(&now, (u32)(HEAD + now.n * sizeof now.item[0]));
}

u64 interest_new(void)
{
	u64 none = 0;

	return state_intern(&none, sizeof none);
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

static bool load_items(u64 state)
{
	const struct interest_item *items;

	now.n = interest_items(state, &items);
	if (now.n)
		__builtin_memcpy(now.item, items, now.n * sizeof now.item[0]);
	return state_is_number(state);
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

static struct object_step add_step(bool modify, u64 argument)
{
	u32 size;
	const struct interest_item *new = state_of(argument, &size);
	struct interest_item *old;
	u32 version;

	if (!new || size != sizeof *new)
		return step_reads(EINVAL);
	old = find_item(new->fd);
	if (!old == modify)
		return step_reads(modify ? ENOENT : EEXIST);
	if (!old && now.n == INTEREST_ITEMS)
		return step_reads(ENOSPC);
	version = old ? old->version + 1u : 0;
	old = old ? old : &now.item[now.n++];
	__builtin_memcpy(old, new, sizeof *new);
	old->version = (u16)(version % INTEREST_VERSIONS);
	return step_writes(intern_items(), 0);
}

static struct object_step remove_step(u32 fd)
{
	struct interest_item *i = find_item(fd);

	if (!i)
		return step_reads(ENOENT);
	now.n--;
	__builtin_memmove(i, i + 1, (size_t)((char *)&now.item[now.n] - (char *)i));
	return step_writes(intern_items(), 0);
}

/* As in the kernel: for epoll_ctl() and for other waiting threads, checking an item and reporting
 * it are one step. */
static struct object_step take_step(u32 item, u32 edges)
{
	struct interest_item *i = find_item(item & 0xffff);

	if (!i || i->version != item >> 16)
		return step_reads(0);
	i->seen = edges;
	i->off = (i->events & EPOLLONESHOT) != 0;
	i->version = (u16)((i->version + 1) % INTEREST_VERSIONS);
	return step_writes(intern_items(), 1);
}

static struct object_step any_step(enum object_op op, u64 argument, u64 state)
{
	switch (op) {
	case OBJECT_INTEREST_ITEMS: return step_reads(state);
	case OBJECT_INTEREST_ADD:
	case OBJECT_INTEREST_MODIFY: return add_step(op == OBJECT_INTEREST_MODIFY, argument);
	case OBJECT_INTEREST_REMOVE: return remove_step((u32)argument);
	default: return take_step((u32)argument, (u32)(argument >> 32));
	}
}

/* The kernel has one lock for all instances. */
OBJECT_STEP(interest)
{
	struct object_step s;

	if (!load_items(state))
		return step_reads(EBADF);
	s = any_step(op, argument, state);
	s.acquire = true;
	s.release = s.writes;
	return s;
}
