/* SPDX-License-Identifier: ISC */
/* entered.c - see entered.h. */
#include "machine/entered.h"
#include "machine/core.h"
#include "process/bytes.h"
#include "process/fiber.h"

#define WIPED (16u << 10) /* bytes: more than the runtime's calls use */

bool machine_compares;

static __attribute__((noinline)) void wipe_below(void)
{
	u8 below[WIPED];

	bytes_fill(below, 0, sizeof below);
	__asm__ volatile("" : : "r"(below) : "memory");
}

static void wipe_stack(void)
{
	u64 here = (u64)(uintptr_t)__builtin_frame_address(0);

	if (M.cur && fiber_end(M.cur->slot) - here + 2 * WIPED < fiber_mapped[M.cur->slot])
		wipe_below();
}

void machine_entered_specially(void)
{
	if (machine_exploring & EXPLORING_LATE)
		machine_settle();
	if (machine_compares)
		wipe_stack();
}
