/* SPDX-License-Identifier: ISC */
/* fiber.c - stacks for fibers. */
#include "process/fiber.h"
#include "process/module.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

bool fiber_mapped[THREADS_MAX];
int *fiber_errno;

void fiber_init(void)
{
	fiber_errno = &errno;
}

void *fiber_stack_map(unsigned slot)
{
	u64 low = fiber_low(slot);
	int runs = modules_stack_runs() ? PROT_EXEC : 0;
	void *p = mmap((void *)low, FIBER_STACK_SIZE + FIBER_GUARD, PROT_READ | PROT_WRITE | runs,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (p != (void *)low)
		return NULL;
	mprotect(p, FIBER_GUARD, PROT_NONE);
	fiber_mapped[slot] = true;
	return fiber_stack(slot);
}

int fiber_guard_slot(u64 address)
{
	u64 offset = address - FIBER_STACKS;

	if (address < FIBER_STACKS || offset >= (u64)THREADS_MAX * FIBER_STACK_STRIDE)
		return -1;
	if (offset % FIBER_STACK_STRIDE >= FIBER_GUARD)
		return -1;
	return (int)(offset / FIBER_STACK_STRIDE);
}
