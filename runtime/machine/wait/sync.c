/* SPDX-License-Identifier: ISC */
/* sync.c - arriving at operations on synchronisation objects; see machine.h. */
#include "machine/core.h"
#include "machine/wait/sync.h"
#include "machine/record/record.h"

#include <errno.h>

void sync_arrive(const struct sync_op *op, const void *obj)
{
	M.engine->sync(op, obj, 0, ARRIVE_ONLY);
}

u64 sync_step(const struct sync_op *op, const void *obj, u64 argument)
{
	return M.engine->sync(op, obj, argument, ARRIVE_WAITS);
}

u64 sync_try(const struct sync_op *op, const void *obj)
{
	return M.engine->sync(op, obj, 0, ARRIVE_TRIES);
}

void sync_failed(const void *state, u32 size)
{
	if (M.engine->sync_failed)
		M.engine->sync_failed(state, size);
}

bool sync_arrive_timed(const struct sync_op *op, const void *obj)
{
	return M.engine->sync_timed(op, obj);
}

void sync_changed(const void *obj)
{
	if (M.engine->sync_changed)
		M.engine->sync_changed(obj);
}

bool sync_times_out(void)
{
	if (!M.engine->sync_times_out)
		return false;
	return M.nthreads == 1 || /* no other thread could end the wait */
	       M.engine->sync_times_out();
}

u64 sync_step_limited(const struct sync_op *op, const void *obj, bool *late)
{
	return M.engine->sync_limited(op, obj, late);
}

bool sync_woken_late(const struct sync_op *takes, const struct sync_op *leaves, const void *obj)
{
	return M.engine->sync_woken_late(takes, leaves, obj);
}

void sync_one_step(bool on)
{
	if (M.engine->sync_one_step)
		M.engine->sync_one_step(on);
}

void sync_then(const struct sync_op *then, const void *obj)
{
	if (M.engine->sync_then)
		M.engine->sync_then(then, obj);
}

bool sync_then_ready(const struct thread *t)
{
	return !M.engine->sync_then_ready || M.engine->sync_then_ready(t);
}

u64 sync_argument(const struct thread *t)
{
	return t->argument;
}

u32 sync_read_word(const u32 *word)
{
	return M.engine->read_word(word);
}

bool sync_join(const struct sync_op *join, const struct sync_op *leave, u64 argument,
	const u32 *word, u32 expected)
{
	return M.engine->sync_join(join, leave, argument, word, expected);
}

u64 sync_step_timed(
	const struct sync_op *waits, const struct sync_op *tries, const void *obj, bool *late)
{
	return M.engine->sync_until(waits, tries, obj, late);
}

void sync_needs_schedules(const char *words)
{
	machine_unsupported("%s", words);
	if (M.engine->own_history)
		machine_refuse("%s", words);
}

const char *sync_thread(int id)
{
	const struct thread *t = id < 0 ? NULL : thread_by_id((unsigned)id);

	return t ? thread_words(thread_number(t)) : "no thread";
}

/* Is the thread blocked at an operation on obj? */
static bool is_blocked_at(const struct thread *t, const void *obj)
{
	return t != M.cur && t->op && t->obj == obj && !sync_ready(t->op, obj, t);
}

void sync_check_unused(
	enum event_kind kind, const void *obj, const char *doing, const char *what)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (is_blocked_at(t, obj))
			sync_misuse(kind, obj, "%s of a %s that %s waits for", doing, what,
				sync_thread((int)thread_id(t)));
	}
}

void sync_event_recorded(enum event_kind kind, const void *obj, u64 argument, u64 result)
{
	struct event e = {
		.kind = (u8)kind,
		.addr = sync_named((u64)(uintptr_t)obj),
		.old = {argument},
		.value = {result},
	};

	if (!M.in_execution)
		return;
	if (result == ETIMEDOUT && kind != EV_SLEEP)
		e.value[1] = M.cur->waited;
	e.thread = M.cur->number;
	e.buffered = thread_stores(M.cur);
	record_event(&e);
	machine_returns(); /* outside of a recording this uses less stack */
}

void machine_yield(enum event_kind kind)
{
	sync_event(kind, NULL, 0, 0);
	M.engine->yield();
}

void machine_await(bool again)
{
	M.engine->await(again);
}

void machine_wrote(void)
{
	spin_reset(&M.cur->spin);
}

void machine_progress(void)
{
	M.engine->progress();
}
