/* SPDX-License-Identifier: ISC */
/*
 * thread.c - threads of an execution: create, end, join.
 *
 * A thread has a *slot*, the same in every execution for the n-th child of the same parent: its
 * stack, heap arena and thread-local storage belong to the slot, so its pointers are the same
 * in every execution. Its *number*, for reports, counts threads in order of creation.
 *
 * When all slots are given, a thread that has ended and was joined, or is detached, gives its slot
 * and number to the next one created. Execution graphs have too few threads for that.
 */
#include "base/text.h"
#include "machine/core.h"
#include "machine/execution/key.h"
#include "machine/execution/loop_bound.h"
#include "machine/record/record.h"
#include "machine/execution/slots.h"
#include "process/stack.h"
#include "process/stop.h"
#include "process/tls.h"

#include <string.h>

struct thread *thread_self(void)
{
	return M.cur;
}

unsigned thread_id(const struct thread *t)
{
	return t->slot;
}

unsigned thread_number(const struct thread *t)
{
	return t->number;
}

struct thread *thread_by_id(unsigned id)
{
	struct thread *t = &M.thread[id];

	return t->number < M.nthreads && M.created[t->number] == id ? t : NULL;
}

/* --- creation -------------------------------------------------------------------------------- */

/* A slot without a thread in this execution, which belonged to another thread's child in earlier
 * ones. */
static int unused_slot(void)
{
	u16 slot = 1;

	while (thread_by_id(slot))
		slot++;
	if (M.slots <= slot)
		M.slots = slot + 1u;
	return slot;
}

/* The slot of a thread of this execution that has ended for good: about the oldest one. By number,
 * as the set of used slots depends on earlier executions. */
static int reuse_slot(void)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		u32 number = (M.reuse_from + i) % M.nthreads;
		const struct thread *t = &M.thread[M.created[number]];

		if (number && t->finished && (t->joined || t->detached)) {
			M.reuse_from = number + 1;
			return t->slot;
		}
	}
	coverage_note("limit: more than %u threads at once: pthread_create() fails with EAGAIN",
		THREADS_MAX);
	return -1;
}

int thread_take_slot(void)
{
	struct thread *parent = M.cur;
	u16 slot = parent->next_child;

	if (!slot) {
		slot = thread_slot(parent->slot, (u16)(parent->nchildren + 1));
		if (slot && parent->last_child)
			M.thread[parent->last_child].sibling = slot;
		else if (slot)
			parent->first_child = slot;
		if (slot)
			parent->last_child = slot;
	}
	if (slot)
		parent->next_child = M.thread[slot].sibling;
	if (slot && !thread_by_id(slot))
		return slot;
	return M.nthreads < THREADS_MAX ? unused_slot() : reuse_slot();
}

/* The slot's thread pointer. libc makes the first one; its allocations are not events. Without one
 * the search ends: the program's own threads do not count among the user's processes. */
static u64 thread_pointer_of(u16 slot)
{
	u8 exploring = machine_exploring;
	u64 base;

	machine_exploring = 0;
	base = tls_base(slot);
	machine_exploring = exploring;
	return base;
}

/* A life of the slot begins: without anything of the one before. */
static inline void begin_life(struct thread *t, struct thread *parent)
{
	t->parked = t->may_time_out = t->asleep = t->finished = false;
	t->detached = t->joined = t->exiting = t->started = t->ends = false;
	t->joins = 0;
	t->uncancellable = t->asynchronous = t->cancelled = t->cancelling = false;
	t->interruptible = t->interrupted = t->signal_call = 0;
	t->calls = t->call = 0;
	t->waits_again = false;
	t->one_step = false;
	t->handler = (struct signal_handler){0};
	t->blocked_signals = parent ? parent->blocked_signals : 0;
	t->op = NULL;
	t->obj = NULL;
	t->stack = t->announced = t->create_stack = t->op_begun = t->foreign = 0;
	t->name[0] = 0;
	t->result = t->robust = t->once = NULL;
	t->next_child = t->first_child;
	t->nchildren = 0;
	t->parent = parent ? parent->slot : 0;
	t->nth = parent ? ++parent->nchildren : 0;
	spin_reset(&t->spin);
	t->pending.kind = PENDING_NONE;
	t->tally = (struct tally){.now = parent ? parent->tally.now : 0};
	t->dead_low = t->dead_high = t->foreign_sp = 0;
	t->goals = 0;
	t->near_goal = t->at_goal = false;
	t->returned = 0;
}

/* Start a slot's thread. parent is NULL for the main thread, slot 0. */
struct thread *thread_begin(u16 slot, struct thread *parent, void (*entry)(void), u64 size)
{
	struct thread *t = &M.thread[slot];
	void *stack = fiber_stack(slot, size);
	bool again = thread_by_id(slot);

	if (!stack)
		return NULL;
	t->fiber.tls = 0;
	if (tls_mode != TLS_ERRNO) {
		t->fiber.tls = thread_pointer_of(slot);
		if (!t->fiber.tls)
			fatal("cannot create a thread for thread-local variables (ulimit -u?)");
		tls_reset(slot);
	}
	t->fiber.saved_errno = 0;
	arch_floats_read(&t->fiber.floats); /* inherited from the creator */
	t->slot = slot;
	t->lives = again ? (u16)(t->lives + 1) : 0;
	if (again)
		key_forget(slot);
	else
		t->number = (u16)M.nthreads;
	begin_life(t, parent);
	if (unlikely(loop_bound_on))
		loop_bound_thread(slot);
	M.engine->thread_new(slot, stack);
	fiber_start(&t->fiber, stack, entry);
	if (!again)
		M.created[M.nthreads++] = slot;
	M.nlive++;
	return t;
}

static void thread_entry(void)
{
	struct thread *t = M.cur;
	void *result;

	t->started = true;
	if (M.engine->thread_start)
		M.engine->thread_start();
	sync_event(EV_START, NULL, t->number, 0);
	machine_returns();
	result = t->start(t->arg);
	machine_entered();
	if (machine_hooks.thread_returns)
		machine_hooks.thread_returns(result);
	thread_exit(result);
}

struct thread *thread_create(
	int slot, void *(*start)(void *), void *arg, bool detached, u64 stack)
{
	struct thread *self = M.cur, *t;

	spin_reset(&self->spin);
	M.engine->drain();
	if (M.engine->thread_create)
		M.engine->thread_create((u32)slot, start, arg);
	t = thread_begin((u16)slot, self, thread_entry, stack);
	if (!t)
		return NULL;
	t->start = start;
	t->arg = arg;
	t->detached = detached;
	if (unlikely(M.recording)) {
		sync_event(EV_CREATE, NULL, t->number, 0);
		t->create_stack = record.lean ? 0 : stack_capture();
	}
	return M.engine->thread_created(self, t);
}

/* --- the end of a thread --------------------------------------------------------------------- */

void thread_exit(void *result)
{
	struct thread *t = M.cur;

	t->result = result;
	t->ends = true;
	M.engine->drain();
	sync_event(EV_EXIT, NULL, t->number, 0);
	t->finished = true;
	M.engine->thread_exit(result);
}

bool thread_is_finished(const struct thread *t)
{
	return t->finished;
}

bool thread_join(struct thread *t, bool timed)
{
	M.engine->thread_join(t, timed);
	if (unlikely(M.cur->interrupted))
		return false;
	t->joined = true;
	sync_event(EV_JOIN, NULL, t->number, 0);
	return true;
}

void *thread_result(const struct thread *t)
{
	return t->result;
}

bool thread_is_detached(const struct thread *t)
{
	return t->detached;
}

void thread_detach(struct thread *t)
{
	t->detached = true;
}

bool thread_is_joined(const struct thread *t)
{
	return t->joined;
}

const char *thread_words(u32 number)
{
	static char words[16];
	struct text t = text_begin(words, sizeof words);

	text_thread(&t, number);
	return words;
}

void thread_name(struct thread *t, const char *name)
{
	strncpy(t->name, name, sizeof t->name - 1);
	t->name[sizeof t->name - 1] = 0;
}
