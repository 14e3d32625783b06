/* SPDX-License-Identifier: ISC */
/* standing.c - see standing.h. */
#include "machine/standing.h"
#include "machine/core.h"
#include "process/stack.h"

static void dress_standing(struct engine *e);
static struct decorator decorator = {.dress = dress_standing};

static void note_calls(void)
{
	if (M.in_execution)
		M.cur->standing = stack_site();
}

static u64 sync_noted(
	const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how)
{
	note_calls();
	return decorator.next->sync(op, obj, argument, how);
}

static bool timed_noted(const struct sync_op *op, const void *obj)
{
	note_calls();
	return decorator.next->sync_timed(op, obj);
}

static u64 limited_noted(const struct sync_op *op, const void *obj, bool *late)
{
	note_calls();
	return decorator.next->sync_limited(op, obj, late);
}

static u64 until_noted(const struct sync_op *waits, const struct sync_op *tries, const void *obj,
	bool *late)
{
	note_calls();
	return decorator.next->sync_until(waits, tries, obj, late);
}

static void join_noted(struct thread *t, bool timed)
{
	note_calls();
	decorator.next->thread_join(t, timed);
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
	engine_decorate(&decorator, o->standing);
}
