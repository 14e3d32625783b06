/* SPDX-License-Identifier: ISC */
/* fiber.c - stacks for fibers, and how a fiber begins. */
#include "machine/fiber.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

static bool mapped[512];
int *fiber_errno;

/* What a switch pops: registers and the address to go on at (fiber_jump, fiber_switch_sp). */
#if defined(__x86_64__)
#define SAVED_WORDS 1
#elif defined(__aarch64__)
#define SAVED_WORDS 20
#endif

void fiber_init(void)
{
	fiber_errno = &errno;
}

void *fiber_stack(unsigned slot)
{
	u64 low = FIBER_STACKS + (u64)slot * FIBER_STACK_STRIDE;
	void *p;

	if (!mapped[slot]) {
		p = mmap((void *)low, FIBER_STACK_SIZE + FIBER_GUARD, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
		if (p != (void *)low)
			return NULL;
		mprotect(p, FIBER_GUARD, PROT_NONE);
		mapped[slot] = true;
	}
	return (char *)low + FIBER_STACK_SIZE + FIBER_GUARD;
}

int fiber_guard_slot(u64 address)
{
	u64 offset = address - FIBER_STACKS;

	if (address < FIBER_STACKS || offset >= 512ull * FIBER_STACK_STRIDE)
		return -1;
	if (offset % FIBER_STACK_STRIDE >= FIBER_GUARD)
		return -1;
	return (int)(offset / FIBER_STACK_STRIDE);
}

void fiber_start(struct fiber *f, void *stack_end, void (*entry)(void))
{
	u64 *sp = (u64 *)stack_end - 8; /* room for the zero words that end a backtrace */

	for (int i = 0; i < 8; i++)
		sp[i] = 0;
	sp -= SAVED_WORDS - 1;
	for (int i = 0; i < SAVED_WORDS; i++)
		sp[i] = 0;
#if defined(__x86_64__)
	sp[0] = (u64)(uintptr_t)entry; /* leaves sp = 8 mod 16, as after a call */
#elif defined(__aarch64__)
	sp[11] = (u64)(uintptr_t)entry; /* x30 */
#endif
	f->sp = sp;
}
