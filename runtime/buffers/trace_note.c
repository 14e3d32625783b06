/* SPDX-License-Identifier: ISC */
/* trace_note.c - see trace_note.h. */
#include "buffers/trace_note.h"
#include "base/prng.h"
#include "buffers/sched.h"

_Static_assert(TRACE_THREADS == THREADS_MAX, "a hash for each");

bool (*trace_state_known)(u64 rest, u32 left);
bool trace_states_suffice, trace_states_only;
static u64 observed_values; /* a hash of all in this execution */

void trace_note_begin(void)
{
	bool on = M.explore.ops->knows_traces && !M.recording && M.buffers == BUFFERS_NONE;

	observed_values = 0;
	trace_states_only = on && trace_states_suffice;
	trace_cache_begin(on && !trace_states_only);
}

static void note_object_step(const struct thread *t, const void *obj)
{
	trace_step(t->slot, &(struct agent_access){(u64)(uintptr_t)obj, 1, true});
}

void trace_note_step(const struct thread *t)
{
	const struct pending *p = &t->pending;

	if (t->op_begun) /* operations of lin.h: their order is that of all steps */
		trace_give_up();
	else if (t->op && t->obj && kind_has(t->op->kind, KIND_ONE_STATE))
		note_object_step(t, t->obj);
	else if (t->op || !p->kind)
		trace_step_any(t->slot);
	else
		trace_step(t->slot,
			&(struct agent_access){p->addr, p->size, pending_writes(p)});
}

void trace_note_change(const void *obj)
{
	note_object_step(M.cur, obj);
}

void trace_note_thread(const struct thread *t)
{
	if (t->lives || M.slots == THREADS_MAX) { /* its slot may depend on others */
		trace_give_up();
		trace_states_only = false;
	} else if (traces_noted && t->number) {
		trace_create(t->parent, t->slot, M.max_delays < DELAYS_ANY ? t->number : 0);
	}
}

void trace_note_value(u64 observed)
{
	observed_values += prng_mix(observed);
}

void trace_note_state(const struct thread *t, u32 left)
{
	bool goes_on = M.max_delays < DELAYS_ANY || sched_enabled(t);
	u64 rest = goes_on ? prng_mix(t->slot + 1u) : 0;

	if (M.explore.nlog < M.explore.prefix || M.explore.nlog <= M.explore.cut ||
		M.explore.skips)
		return;
	for (u32 i = 0; i < S.run.n; i++)
		rest += prng_mix(~(u64)S.run.item[i]);
	if (traces_noted && trace_is_known(rest, left))
		execution_end(OUTCOME_KNOWN);
	if (trace_state_known && !sched_enabled(t) &&
		trace_state_known(rest + observed_values, left))
		execution_end(OUTCOME_KNOWN);
}
