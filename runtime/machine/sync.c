/* SPDX-License-Identifier: ISC */
/* sync.c - arriving at operations on synchronisation objects; see machine.h. */
#include "machine/core.h"
#include "machine/sync.h"
#include "machine/record.h"
#include "machine/vtime.h"

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
	if (!M.as_graph)
		return false;
	if (M.nthreads == 1)
		return true; /* no other thread could end the wait */
	return M.engine->times_out();
}

u64 sync_step_limited(const struct sync_op *op, const void *obj, bool *late)
{
	*late = !M.as_graph && !sync_arrive_timed(op, obj);
	if (M.as_graph)
		return M.engine->sync(op, obj, 0, ARRIVE_TIMED);
	return *late ? 0 : sync_result(op, obj, 0);
}

void sync_one_step(bool on)
{
	M.cur->in_step = on && !M.as_graph;
}

void sync_then(const struct sync_op *then, const void *obj)
{
	struct thread *t = M.cur;

	M.nthen -= t->then != NULL;
	t->then = M.as_graph ? NULL : then;
	t->then_obj = obj;
	M.nthen += t->then != NULL;
}

bool sync_then_ready(const struct thread *t)
{
	return !t->then || sync_ready(t->then, t->then_obj, t);
}

u32 sync_read_word(const u32 *word)
{
	return M.engine->read_word(word);
}

bool sync_join(const struct sync_op *join, const struct sync_op *leave, u64 argument,
	const u32 *word, u32 expected)
{
	if (!M.as_graph) {
		if (sync_read_word(word) != expected)
			return false;
		sync_result(join, word, argument);
		return true;
	}
	sync_step(join, word, argument);
	if (sync_read_word(word) == expected)
		return true;
	/* If the thread does not sleep, its joining is not observable. If it was woken in between,
	 * joining after that would have been the same: another execution. */
	if (sync_step(leave, word, 0))
		machine_abandon();
	return false;
}

void sync_needs_schedules(const char *words)
{
	machine_unsupported("%s", words);
	if (M.as_graph)
		machine_refuse("%s", words);
}

u64 sync_step_timed(
	const struct sync_op *waits, const struct sync_op *tries, const void *obj, bool *late)
{
	u64 result;

	if (!M.as_graph) {
		*late = !sync_arrive_timed(waits, obj);
		return sync_result(*late ? tries : waits, obj, 0);
	}
	if (M.nthreads == 1) /* no other thread to wait for: if it has to wait, time passes */
		*late = !sync_ready(waits, obj, M.cur);
	else
		*late = sync_times_out();
	if (!*late)
		return sync_step_limited(waits, obj, late);
	result = sync_step(tries, obj, 0);
	if (result && result != OBJECT_MISUSE)
		machine_abandon(); /* the same as no timeout */
	return result;
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

void sync_check_unused(enum event_kind kind, const void *obj, const char *doing)
{
	for (u32 i = 0; !M.as_graph && i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (is_blocked_at(t, obj))
			sync_misuse(kind, obj, "%s that %s waits for", doing,
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
	e.buffered = M.cur->buffer.nstores;
	record_event(&e);
	machine_returns(); /* without a recording less is left on the stack */
}

void machine_yield(enum event_kind kind)
{
	sync_event(kind, NULL, 0, 0);
	M.engine->yield();
}

void machine_sleep(u64 nanoseconds)
{
	sync_event(EV_SLEEP, NULL, 0, nanoseconds);
	if (M.options->sleepers == SLEEPERS_LAST && nanoseconds && M.engine->sleep(nanoseconds))
		return;
	vtime_advance(nanoseconds);
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
