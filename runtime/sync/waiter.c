/* SPDX-License-Identifier: ISC */
/* waiter.c - see waiter.h. */
#include "sync/waiter.h"

static PER_EXECUTION struct waiter *first;

void waiter_begin(struct waiter *w, const void *obj, const void *lock, u32 bits)
{
	struct waiter **end = &first;

	while (*end)
		end = &(*end)->next;
	*w = (struct waiter){.obj = obj, .lock = lock, .thread = thread_self(), .bits = bits};
	*end = w;
}

void waiter_end(struct waiter *w)
{
	struct waiter **p = &first;

	while (*p != w)
		p = &(*p)->next;
	*p = w->next;
}

struct waiter *waiter_of(const struct thread *t)
{
	struct waiter *w = first;

	while (w && w->thread != t)
		w = w->next;
	BUG_ON(!w);
	return w;
}

static bool sleeps(const struct waiter *w, const void *obj, u32 bits)
{
	return w->obj == obj && !w->woken && (w->bits & bits);
}

u32 waiters_count(const void *obj, u32 bits)
{
	u32 n = 0;

	for (const struct waiter *w = first; w; w = w->next)
		n += sleeps(w, obj, bits);
	return n;
}

struct waiter *waiters_lowest(const void *obj)
{
	struct waiter *low = NULL;

	for (struct waiter *w = first; w; w = w->next)
		if (sleeps(w, obj, UINT32_MAX) &&
			(!low || thread_id(w->thread) < thread_id(low->thread)))
			low = w;
	return low;
}

/* Of `there` sleepers the first to wake is one of those that leave enough behind it for the rest:
 * so every set of n is chosen in one way only. */
u32 waiters_wake(const void *obj, u32 bits, u32 n)
{
	u32 there = waiters_count(obj, bits);
	struct waiter *w = first;
	u32 woken = 0;

	if (n > there)
		n = there;
	for (; woken < n; woken++) {
		u32 skip = machine_choose(there - (n - woken) + 1, CHOICE_SCHEDULE);

		there -= skip + 1;
		while (!sleeps(w, obj, bits) || skip-- > 0)
			w = w->next;
		w->woken = true;
	}
	if (woken)
		sync_changed(obj);
	return woken;
}

bool waiters_other_lock(const void *obj, const void *lock)
{
	for (const struct waiter *w = first; w; w = w->next)
		if (w->obj == obj && !w->woken && w->lock != lock)
			return true;
	return false;
}

void waiters_lock_changed(const void *lock)
{
	for (const struct waiter *w = first; w; w = w->next)
		if (w->woken && w->lock == lock)
			sync_changed(w->obj);
}
