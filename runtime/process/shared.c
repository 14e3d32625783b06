/* SPDX-License-Identifier: ISC */
/* shared.c - see shared.h. */
#include "process/shared.h"
#include "process/sys.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <time.h>

static volatile u32 *common; /* the lock; NULL: one process */
static u32 self;	     /* this process, 0 = not asked for yet */

void *shared_pages(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void shared_take(volatile u32 *l)
{
	u32 free = 0;

	if (!self)
		self = (u32)sys_call4(SYS_getpid, 0, 0, 0, 0);
	while (!__atomic_compare_exchange_n(
		l, &free, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		sys_call4(SYS_sched_yield, 0, 0, 0, 0);
		free = 0;
	}
}

void shared_give(volatile u32 *l)
{
	__atomic_store_n(l, 0, __ATOMIC_RELEASE);
}

void shared_begin(volatile u32 *l)
{
	common = l;
}

void shared_lock(void)
{
	if (common)
		shared_take(common);
}

void shared_unlock(void)
{
	if (common)
		shared_give(common);
}

void shared_ring(volatile u32 *bell)
{
	__atomic_add_fetch(bell, 1, __ATOMIC_SEQ_CST);
	sys_call4(SYS_futex, (long)bell, FUTEX_WAKE, 1 << 20, 0);
}

void shared_wait(volatile u32 *bell, u32 seen, u32 milliseconds)
{
	struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};

	sys_call4(SYS_futex, (long)bell, FUTEX_WAIT, seen, milliseconds ? (long)&t : 0);
}

void shared_forked(void)
{
	self = 0;
}
