/* SPDX-License-Identifier: ISC */
/* standing.c - see standing.h. */
#include "machine/observer/standing.h"
#include "machine/core.h"
#include "event/status.h"
#include "process/module.h"
#include "process/stack.h"
#include "process/sys.h"

#include <string.h>
#include <time.h>

#define ASK_NS 200000 /* between two checks for the tool's answer */
#define STACKS 4096   /* of which the answer is kept; beyond, a thread has no goals */

static void dress_standing(struct engine *e);
static struct decorator decorator = {.dress = dress_standing};

static bool directs;
static struct {
	u64 stack, goals;
	bool near;
} known[STACKS];
static u32 nknown;

static void ask_tool_for_goals(u64 *goals, bool *near)
{
	struct status_calls *c = &M.status->calls;
	struct timespec nap = {0, ASK_NS};
	const u64 *frames;
	u32 n = stack_frames(stack_capture(), &frames);

	c->n = n < STATUS_FRAMES ? n : STATUS_FRAMES;
	c->base = module_program_base();
	memcpy(c->frame, frames, c->n * sizeof *frames);
	__atomic_store_n(&c->question, QUESTION_ASKED, __ATOMIC_RELEASE);
	while (__atomic_load_n(&c->question, __ATOMIC_ACQUIRE) == QUESTION_ASKED)
		sys_call4(SYS_nanosleep, (long)&nap, 0, 0, 0);
	*goals = c->goals;
	*near = c->near;
}

static void find_goals(struct thread *t)
{
	u32 i = 0;

	while (i < nknown && known[i].stack != t->standing)
		i++;
	if (i == STACKS || !t->standing)
		return;
	if (i == nknown) {
		known[nknown].stack = t->standing;
		ask_tool_for_goals(&known[i].goals, &known[i].near);
		nknown++;
	}
	t->goals = known[i].goals;
	t->near_goal = known[i].near;
}

static void note_calls(void)
{
	if (!M.in_execution)
		return;
	M.cur->standing = stack_site();
	if (directs)
		find_goals(M.cur);
}

/* The operation is over. */
static void leave_goals(void)
{
	M.cur->goals = 0;
	M.cur->near_goal = false;
}

static u64 sync_noted(
	const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how)
{
	u64 result;

	note_calls();
	result = decorator.next->sync(op, obj, argument, how);
	leave_goals();
	return result;
}

static bool timed_noted(const struct sync_op *op, const void *obj)
{
	bool result;

	note_calls();
	result = decorator.next->sync_timed(op, obj);
	leave_goals();
	return result;
}

static u64 limited_noted(const struct sync_op *op, const void *obj, bool *late)
{
	u64 result;

	note_calls();
	result = decorator.next->sync_limited(op, obj, late);
	leave_goals();
	return result;
}

static u64 until_noted(const struct sync_op *waits, const struct sync_op *tries, const void *obj,
	bool *late)
{
	u64 result;

	note_calls();
	result = decorator.next->sync_until(waits, tries, obj, late);
	leave_goals();
	return result;
}

static void join_noted(struct thread *t, bool timed)
{
	note_calls();
	decorator.next->thread_join(t, timed);
	leave_goals();
}

static void dress_standing(struct engine *e)
{
	e->sync = sync_noted;
	e->thread_join = join_noted;
	if (e->own_history)
		return; /* the others are made of sync() */
	e->sync_timed = timed_noted;
	e->sync_limited = limited_noted;
	e->sync_until = until_noted;
}

void standing_begin(const struct options *o)
{
	directs = false;
	engine_decorate(&decorator, o->standing);
}

void standing_direct(bool on)
{
	directs = on;
}

void standing_mark(void)
{
	u64 taken = 0;

	for (u32 i = 0; i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];
		u64 goals = t->finished ? 0 : t->goals & ~taken;

		t->at_goal = goals != 0;
		taken |= goals & -goals;
	}
	if (__builtin_popcountll(taken) > __builtin_popcountll(M.status->calls.together))
		M.status->calls.together = taken;
}
