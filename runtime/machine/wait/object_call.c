/* SPDX-License-Identifier: ISC */
/* object_call.c - see object_call.h. */
#include "machine/wait/object_call.h"
#include "machine/core.h"

#define OBSERVERS 4

static void dress_object_calls(struct engine *e);
static struct decorator decorator = {.dress = dress_object_calls};
static struct object_call_observer *observer[OBSERVERS]; /* the innermost first */
static u32 nobservers;

static u64 perform(const struct object_call *c)
{
	const struct engine *next = decorator.next;

	switch (c->kind) {
	case OBJECT_CALL_SYNC: return next->sync(c->op, c->obj, c->argument, c->how);
	case OBJECT_CALL_TIMED: return next->sync_timed(c->op, c->obj);
	case OBJECT_CALL_LIMITED: return next->sync_limited(c->op, c->obj, c->late);
	case OBJECT_CALL_UNTIL: return next->sync_until(c->op, c->tries, c->obj, c->late);
	case OBJECT_CALL_JOIN: next->thread_join(c->joined, c->timed); break;
	}
	return 0;
}

static bool is_observed(const struct object_call_observer *o, const struct object_call *c)
{
	bool has_parts = decorator.next->own_history && c->kind != OBJECT_CALL_SYNC &&
			 c->kind != OBJECT_CALL_JOIN;

	return o->on && (o->whole || !has_parts);
}

/* The call, with the first n observers. */
static void observe(struct object_call *c, u32 n)
{
	const struct object_call_observer *o;
	u8 before;

	while (n && !is_observed(observer[n - 1], c))
		n--;
	if (!n) {
		c->result = perform(c);
		return;
	}
	o = observer[n - 1];
	do {
		before = o->before(c);
		observe(c, n - 1);
	} while (o->after(c, before));
}

static u64 observed_sync(
	const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how)
{
	struct object_call c = {
		.kind = OBJECT_CALL_SYNC, .op = op, .obj = obj, .argument = argument, .how = how};

	observe(&c, nobservers);
	return c.result;
}

static bool observed_timed(const struct sync_op *op, const void *obj)
{
	struct object_call c = {.kind = OBJECT_CALL_TIMED, .op = op, .obj = obj};

	observe(&c, nobservers);
	return c.result;
}

static u64 observed_limited(const struct sync_op *op, const void *obj, bool *late)
{
	struct object_call c = {.kind = OBJECT_CALL_LIMITED, .op = op, .obj = obj, .late = late};

	observe(&c, nobservers);
	return c.result;
}

static u64 observed_until(
	const struct sync_op *waits, const struct sync_op *tries, const void *obj, bool *late)
{
	struct object_call c = {
		.kind = OBJECT_CALL_UNTIL, .op = waits, .tries = tries, .obj = obj, .late = late};

	observe(&c, nobservers);
	return c.result;
}

static void observed_join(struct thread *t, bool timed)
{
	struct object_call c = {.kind = OBJECT_CALL_JOIN, .joined = t, .timed = timed};

	observe(&c, nobservers);
}

static void dress_object_calls(struct engine *e)
{
	e->sync = observed_sync;
	e->sync_timed = observed_timed;
	e->sync_limited = observed_limited;
	e->sync_until = observed_until;
	e->thread_join = observed_join;
}

void object_calls_observe(struct object_call_observer *o, bool on)
{
	bool any = false;
	u32 i = 0;

	while (i < nobservers && observer[i] != o)
		i++;
	BUG_ON(i == OBSERVERS);
	if (i == nobservers)
		observer[nobservers++] = o;
	o->on = on;
	for (i = 0; i < nobservers; i++)
		any |= observer[i]->on;
	engine_decorate(&decorator, any);
}
