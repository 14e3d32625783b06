/* SPDX-License-Identifier: ISC */
/* robust.c - see robust.h. */
#include "sync/robust.h"
#include "machine/core.h"
#include "sync/mutex.h"

#include <errno.h>
#include <stddef.h>

static pthread_mutex_t *of_link(void *link)
{
	return (pthread_mutex_t *)((char *)link - offsetof(pthread_mutex_t, __data.__list));
}

int robust_take(pthread_mutex_t *m)
{
	bool dead = robust_is_dead(m);

	m->__data.__lock = dead ? ROBUST_INCONSISTENT : 1;
	m->__data.__list.__next = M.cur->robust;
	M.cur->robust = &m->__data.__list;
	return dead ? EOWNERDEAD : 0;
}

static void unlink_mutex(pthread_mutex_t *m)
{
	__pthread_list_t *x = M.cur->robust;

	if (x == &m->__data.__list) {
		M.cur->robust = x->__next;
		return;
	}
	while (x && x->__next != &m->__data.__list)
		x = x->__next;
	if (x) /* else it was locked before the exploration */
		x->__next = m->__data.__list.__next;
}

int robust_release(pthread_mutex_t *m)
{
	unlink_mutex(m);
	return robust_is_inconsistent(m) ? ROBUST_GONE : 0;
}

void robust_die(pthread_mutex_t *m)
{
	unlink_mutex(m);
	m->__data.__lock = 0;
	m->__data.__count = 0;
	m->__data.__nusers = 0;
	m->__data.__owner = ROBUST_DEAD;
}

int robust_consistent(pthread_mutex_t *m)
{
	if (!mutex_is_owned(m, thread_self()) || !robust_is_inconsistent(m))
		return EINVAL;
	m->__data.__lock = 1;
	sync_event(EV_CONSISTENT, m, 0, 0);
	return 0;
}

void robust_thread_ends(void)
{
	while (M.cur->robust)
		mutex_abandon(of_link(M.cur->robust));
}
