/* SPDX-License-Identifier: ISC */
/*
 * execute_frame.c - the ends of functions with shared local variables while a graph is followed.
 *
 * When such a function returns, that is an event: a plain write of a location that stands for the
 * thread's stack (LABEL_HEAP, as those of blocks). The next function may have its variables in the
 * same place; if the thread uses that part of its stack again by its next event, another write
 * precedes that event. failure/stack_graph.h defines the errors.
 *
 * At the return of a function, heddle-cc's code supplies the extent of the stack; elsewhere it
 * takes an unwinder, used only if such variables have died and our own frames reach down to them.
 */
#include "graph/execute_priv.h"
#include "graph/own_memory.h"
#include "graph/sharing.h"
#include "heap/stack_check.h"
#include "process/fiber.h"
#include "process/stack.h"

bool execute_is_frame(u32 loc)
{
	const struct place *p = &X.places->place[loc];

	return !p->size &&
	       p->addr == fiber_low((u32)((p->addr - FIBER_STACKS) / FIBER_STACK_STRIDE)) &&
	       p->addr - FIBER_STACKS < (u64)THREADS_MAX * FIBER_STACK_STRIDE;
}

void execute_frames_begin(void)
{
	if (unlikely(X.unwinds))
		stack_init();
}

/* Mark the memory between two addresses as dead, or as alive. */
static void step_frame(u64 low, u64 high, bool dies)
{
	u64 stack = fiber_low(M.cur->slot);
	struct label l = {.type = LABEL_PLAIN_WRITE,
		.flags = LABEL_HEAP,
		.value = place_frame(low - stack, high - stack, dies),
		.site = (u32)machine_site};

	l.loc = place_intern(X.places, stack, 0, 0);
	if (!l.loc)
		execute_unsupported("limit: more than %u locations", PLACES_MAX);
	X.places->stacks = true;
	execute_step(&l);
}

void execute_frame_leave(u64 sp, u64 frame)
{
	struct follower *f = &X.f[M.cur->slot];
	u64 stack = fiber_low(M.cur->slot), end;

	if (!X.begun || !(M.options->detect & DETECT_STACK) || sp - stack >= FIBER_STACK_STRIDE ||
		frame - stack >= FIBER_STACK_STRIDE)
		return;
	end = sharing_last(sp, frame);
	if (!end)
		return;
	if (!X.unwinds) {
		X.unwinds = true;
		execute_begin_again();
	}
	step_frame(sp, frame, true);
	if (!f->dead_high || sp < f->dead_low)
		f->dead_low = sp;
	if (end > f->dead_high)
		f->dead_high = end;
	execute_wipe();
}

void execute_variable(u64 addr, u64 n)
{
	own_memory_forget(addr, n);
	stack_check_variable(addr, n);
	execute_wipe();
}

void execute_frames_unknown(void)
{
	struct follower *f = &X.f[M.cur->slot];
	u64 low = f->dead_low, high = f->dead_high;

	f->dead_high = 0;
	if (high)
		step_frame(low, high, false);
}

/* Before the thread's next event: has it reused dead stack? */
void execute_frames_alive(const struct label *l)
{
	struct follower *f = &X.f[M.cur->slot];
	u64 low = f->dead_low, high = f->dead_high, sp = low;
	struct stack_caller caller;

	if (l->type == LABEL_END || (u64)(uintptr_t)__builtin_frame_address(0) >= high)
		return;
	if (stack_caller(NULL, &caller))
		sp = caller.sp;
	if (sp >= high)
		return;
	f->dead_high = sharing_last(low, sp);
	step_frame(sp > low ? sp : low, high, false);
}
