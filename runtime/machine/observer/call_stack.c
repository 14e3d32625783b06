/* SPDX-License-Identifier: ISC */
/* call_stack.c - see call_stack.h. */
#include "machine/observer/call_stack.h"
#include "machine/core.h"
#include "event/status.h"
#include "machine/wait/object_call.h"
#include "process/module.h"
#include "process/stack.h"
#include "process/sys.h"

#include <string.h>
#include <time.h>

#define ASK_NS 200000 /* between two checks for the tool's answer */
#define STACKS 4096   /* of which the answer is kept; beyond, a thread has no goals */

static bool guides;
static struct {
	u64 stack, goals;
	bool near;
} known[STACKS];
static u32 nknown;

static void ask_for_goals(u64 *goals, bool *near)
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

static void match_goals(struct thread *t)
{
	u32 i = 0;

	while (i < nknown && known[i].stack != t->call_stack)
		i++;
	if (i == STACKS || !t->call_stack)
		return;
	if (i == nknown) {
		known[nknown].stack = t->call_stack;
		ask_for_goals(&known[i].goals, &known[i].near);
		nknown++;
	}
	t->goals = known[i].goals;
	t->near_goal = known[i].near;
}

static u8 note_calls(const struct object_call *c)
{
	if (!M.in_execution)
		return 0;
	M.cur->call_stack = stack_site();
	if (guides)
		match_goals(M.cur);
	return 0;
}

static bool leave_goals(const struct object_call *c, u8 before)
{
	M.cur->goals = 0;
	M.cur->near_goal = false;
	return false;
}

static struct object_call_observer observer = {.before = note_calls, .after = leave_goals};

void call_stacks_begin(const struct options *o)
{
	guides = false;
	object_calls_observe(&observer, o->call_stacks);
}

void call_stacks_guide(bool on)
{
	guides = on;
}

void call_stacks_mark_goals(void)
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
