/* SPDX-License-Identifier: ISC */
/* waiter.c - see waiter.h. */
#include "sync/waiter.h"

static PER_EXECUTION struct waiter *first;

void waiter_begin(struct waiter *w, const void *obj)
{
	struct waiter **end = &first;

	while (*end)
		end = &(*end)->next;
	*w = (struct waiter){.obj = obj, .thread = thread_self()};
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

static bool sleeps(const struct waiter *w, const void *obj)
{
	return w->obj == obj && !w->woken;
}

struct waiter *waiters_lowest(const void *obj)
{
	struct waiter *low = NULL;

	for (struct waiter *w = first; w; w = w->next)
		if (sleeps(w, obj) && (!low || thread_id(w->thread) < thread_id(low->thread)))
			low = w;
	return low;
}

void waiters_wake(const void *obj)
{
	for (struct waiter *w = first; w; w = w->next)
		w->woken |= w->obj == obj;
	sync_changed(obj);
}
