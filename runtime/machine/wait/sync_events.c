/* SPDX-License-Identifier: ISC */
/* sync_events.c - see sync_events.h. */
#include "machine/wait/sync_events.h"
#include "machine/core.h"
#include "machine/wait/sync.h"

u64 events_limited(const struct sync_op *op, const void *obj, bool *late)
{
	u64 result = M.engine->sync(op, obj, 0, ARRIVE_TIMED);

	*late = M.cur->late; /* --sleepers last */
	M.cur->late = false;
	return result;
}

u64 events_until(const struct sync_op *waits, const struct sync_op *tries, const void *obj,
	bool *late)
{
	u64 result;

	if (M.nthreads == 1) /* there is no other thread: if it has to wait, time passes */
		*late = !sync_ready(waits, obj, M.cur);
	else
		*late = sync_times_out();
	if (!*late) {
		result = events_limited(waits, obj, late);
		return *late ? sync_step(tries, obj, 0) : result;
	}
	result = sync_step(tries, obj, 0);
	if (result && result != OBJECT_MISUSE)
		machine_abandon(); /* the same as not being late */
	return result;
}

bool events_woken_late(
	const struct sync_op *takes, const struct sync_op *leaves, const void *obj)
{
	if (machine_choose(2, CHOICE_TIMEOUT)) {
		M.cur->deadline = 0; /* the wake-up must have come already */
		M.engine->sync(takes, obj, 0, ARRIVE_TIMED);
		return true;
	}
	if (sync_step(leaves, obj, 0))
		machine_abandon(); /* the same as taking it */
	return false;
}

bool events_join(const struct sync_op *join, const struct sync_op *leave, u64 argument,
	const u32 *word, u32 expected)
{
	sync_step(join, word, argument);
	if (sync_read_word(word) == expected)
		return true;
	/* If it does not sleep in the end, its join is not observable. If a wake-up came in
	 * between, joining after the wake-up gives the same, as another execution. */
	if (sync_step(leave, word, 0))
		machine_abandon();
	return false;
}
