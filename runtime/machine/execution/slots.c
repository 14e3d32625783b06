/* SPDX-License-Identifier: ISC */
/* slots.c - see slots.h. */
#include "machine/execution/slots.h"
#include "machine/core.h"
#include "process/shared.h"

struct thread_slots *thread_slots;

void thread_slots_forget(void)
{
	for (u32 i = 0; i < M.slots; i++)
		M.thread[i].first_child = M.thread[i].last_child = M.thread[i].sibling = 0;
	M.slots = 1;
	if (thread_slots)
		*thread_slots = (struct thread_slots){.used = M.slots};
}

void thread_slots_begin(void)
{
	if (!thread_slots)
		thread_slots = shared_pages(sizeof *thread_slots);
	BUG_ON(!thread_slots);
	*thread_slots = (struct thread_slots){.used = M.slots};
}

u16 thread_slot(u16 parent, u16 nth)
{
	u16 slot = 0;

	if (!thread_slots)
		return M.slots < THREADS_MAX ? (u16)M.slots++ : 0;
	shared_lock();
	for (u32 i = 0; i < thread_slots->n && !slot; i++)
		if (thread_slots->child[i].parent == parent && thread_slots->child[i].nth == nth)
			slot = thread_slots->child[i].slot;
	if (!slot && thread_slots->used < THREADS_MAX) {
		slot = (u16)thread_slots->used++;
		thread_slots->child[thread_slots->n].parent = parent;
		thread_slots->child[thread_slots->n].nth = nth;
		thread_slots->child[thread_slots->n++].slot = slot;
	}
	shared_unlock();
	if (slot >= M.slots)
		M.slots = slot + 1u;
	return slot;
}
