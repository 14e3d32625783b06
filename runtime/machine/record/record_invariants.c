/* SPDX-License-Identifier: ISC */
/*
 * record_invariants.c - invariants of the recorded events of an execution on store buffers (make
 * TINY=1): a store reaches memory once, after it was made, by its thread; reads return values that
 * were written.
 */
#include "machine/invariants.h"
#include "machine/core.h"
#include "machine/record/record.h"
#include "process/bytes.h"
#include "process/pages.h"

static u8 *reached; /* [RECORD_EVENTS] by event: its store is in memory */
static u32 last[THREADS_MAX]; /* by thread: its last store in memory */

static void begin_checks(void)
{
	if (!reached)
		reached = pages_need(RECORD_EVENTS);
	bytes_fill(last, 0, sizeof last);
}

static void check_commit(const struct event *e)
{
	const struct event *s = &record.event[e->store - 1];

	if (!e->store)
		return; /* made before anything was recorded */
	BUG_ON(e->store >= e->step || s->thread != e->thread || s->kind != EV_WRITE);
	BUG_ON(!(s->flags & EVENT_BUFFERED) || s->addr != e->addr || s->size != e->size);
	BUG_ON(!bytes_equal(s->value, e->value, e->size) || reached[e->store - 1]);
	BUG_ON(M.buffers == BUFFERS_FIFO && e->store <= last[e->thread]);
	reached[e->store - 1] = 1;
	last[e->thread] = e->store;
}

/* Checks a read of the same bytes as its source. Several events may have written the bytes read;
 * `from' is one of them. */
static void check_read(const struct event *e)
{
	const struct event *s = &record.event[e->from - 1];

	if (!e->from || e->flags & EVENT_SPIN)
		return;
	BUG_ON(e->from >= e->step || !kind_is_write(s->kind));
	if (e->flags & EVENT_FORWARDED)
		BUG_ON(s->thread != e->thread || !(s->flags & EVENT_BUFFERED) ||
			reached[e->from - 1]);
	else
		BUG_ON(s->flags & EVENT_BUFFERED && !reached[e->from - 1]);
}

void record_check(void)
{
	const struct event *e = &record.event[record.nevents - 1];

	if (record.nevents == 1)
		begin_checks();
	reached[record.nevents - 1] = 0;
	BUG_ON(e->step != record.nevents || e->thread >= M.nthreads);
	if (!M.engine->schedules)
		return;
	if (e->kind == EV_COMMIT)
		check_commit(e);
	if (e->kind == EV_READ)
		check_read(e);
}
