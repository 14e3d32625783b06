/* SPDX-License-Identifier: ISC */
/* fiber.c - stacks for fibers. */
#include "process/fiber.h"
#include "process/floats.h"
#include "process/module.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

u32 fiber_default;
u32 fiber_mapped[THREADS_MAX];
int *fiber_errno;
bool fiber_floats;

static u32 clamped(u64 size)
{
	size = (size + FIBER_GUARD - 1) / FIBER_GUARD * FIBER_GUARD;
	return size < FIBER_STACK_MIN ? FIBER_STACK_MIN
	       : size > FIBER_STACK_MAX ? FIBER_STACK_MAX : (u32)size;
}

void fiber_init(u64 stack)
{
	fiber_errno = &errno;
	fiber_floats = floats_matter();
	fiber_default = clamped(stack < FIBER_STACK_MAX ? stack : FIBER_STACK_MAX);
	for (u32 i = 0; i < THREADS_MAX; i++) { /* of another exploration */
		if (!fiber_mapped[i] || fiber_mapped[i] == fiber_default)
			continue;
		munmap((void *)(fiber_end(i) - fiber_mapped[i]), fiber_mapped[i]);
		fiber_mapped[i] = 0;
	}
}

void *fiber_stack_map(unsigned slot, u64 size)
{
	u32 wanted = clamped(size > fiber_default ? size : fiber_default);
	u64 low = fiber_end(slot) - wanted;
	int runs = modules_stack_runs() ? PROT_EXEC : 0;
	void *p = mmap((void *)low, wanted - fiber_mapped[slot], PROT_READ | PROT_WRITE | runs,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (p != (void *)low)
		return NULL;
	fiber_mapped[slot] = wanted;
	return (void *)fiber_end(slot);
}

int fiber_guard_slot(u64 address)
{
	u64 offset = address - FIBER_STACKS, slot = offset / FIBER_STACK_STRIDE;

	if (address < FIBER_STACKS || slot >= THREADS_MAX || !fiber_mapped[slot])
		return -1;
	return address < fiber_end((u32)slot) - fiber_mapped[slot] ? (int)slot : -1;
}
