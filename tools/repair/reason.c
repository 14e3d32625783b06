/* SPDX-License-Identifier: ISC */
/* reason.c - the purpose of an option of a repair, in words: see failure_reason(). */
#include <string.h>

#include "die.h"
#include "model/model.h"
#include "repair/failure_priv.h"
#include "report/report.h"

/* The thread's next access that reads, or writes, from a step on in one direction; 0: none. */
static u32 next_access(const struct failure *f, u32 step, int direction, bool reads, bool writes)
{
	u32 thread = f->step[step].thread;

	for (step += (u32)direction; step >= 1 && step <= f->nsteps; step += (u32)direction) {
		const struct failure_step *s = &f->step[step];

		if (s->thread == thread && ((reads && step_reads(s)) || (writes && step_writes(s))))
			return step;
	}
	return 0;
}

static char *repair_access_words(const struct report *r, const struct failure *f, u32 step)
{
	const char *place = r->rows[step - 1].place;

	return xprintf("the %s of %s (%s)",
		f->step[step].role == ROLE_READ	   ? "load"
		: f->step[step].role == ROLE_WRITE ? "store"
						   : "read-modify-write",
		place && *place ? place : "?", step_place(r, step));
}

static char *keeps(const struct report *r, const struct failure *f, u32 first, u32 last)
{
	return first && last ? xprintf("keeps %s before %s", repair_access_words(r, f, first),
				       repair_access_words(r, f, last))
			     : NULL;
}

/* Another thread's read of the write. */
static u32 reader_of(const struct failure *f, u32 write)
{
	for (u32 i = 1; i <= f->nsteps; i++)
		if (step_reads(&f->step[i]) && f->step[i].from == write &&
			f->step[i].thread != f->step[write].thread)
			return i;
	return 0;
}

/* The words for an access that synchronises, by its own order or by a fence next to it. */
static char *synchronises(const struct report *r, const struct failure *f, u32 step)
{
	const struct failure_step *s = &f->step[step];
	u32 write = step_writes(s) ? step : s->from,
	    read = step_writes(s) ? reader_of(f, step) : step;

	if (!step || !write || !read || f->step[write].thread == f->step[read].thread)
		return NULL;
	return xprintf(
		"lets %s synchronise with %s", repair_access_words(r, f, write),
			repair_access_words(r, f, read));
}

/* A reordered pair of accesses around the step. */
static char *reordered(const struct report *r, const struct failure *f, u32 step, enum slot slot)
{
	for (unsigned i = 0; i < r->nreorderings; i++) {
		u32 store = r->reorderings[i].store, later = r->reorderings[i].later;

		if (f->step[store].thread != f->step[step].thread || !f->step[store].role ||
			!f->step[later].role)
			continue;
		if (slot == SLOT_BEFORE ? store < step && step <= later
					: store <= step && step < later)
			return keeps(r, f, store, later);
	}
	return NULL;
}

/* The reason for a fence, from the accesses around it. */
static char *fence_reason(const struct report *r, const struct failure *f, u32 step, u8 strength)
{
	char *words = NULL;

	if (!(strength & STRENGTH_SC) && strength & STRENGTH_RELEASE)
		words = synchronises(r, f, next_access(f, step, 1, false, true));
	else if (!(strength & STRENGTH_SC))
		words = synchronises(r, f, next_access(f, step, -1, true, false));
	return words ? words
		     : keeps(r, f, next_access(f, step, -1, true, true),
			       next_access(f, step, 1, true, true));
}

static char *of_step(
	const struct report *r, const struct failure *f, u32 step, const struct option *o)
{
	bool full = o->strength & STRENGTH_SC, weak = model_of(f->model)->has_orders;
	bool orders = weak && !full && f->step[step].role != ROLE_FENCE;
	char *words = orders ? NULL : reordered(r, f, step, o->slot);

	if (words)
		return words;
	if (f->step[step].role == ROLE_FENCE)
		return fence_reason(r, f, step, o->strength);
	if (weak && !full)
		return synchronises(r, f, step);
	switch (o->slot) {
	case SLOT_AFTER: return keeps(r, f, step, next_access(f, step, 1, true, !full));
	case SLOT_BEFORE: return keeps(r, f, next_access(f, step, -1, !full, true), step);
	case SLOT_ORDER:
	case SLOT_FAIL: break;
	}
	if (step_writes(&f->step[step]) && !full)
		return keeps(r, f, next_access(f, step, -1, false, true), step);
	if (step_writes(&f->step[step]))
		return keeps(r, f, step, next_access(f, step, 1, true, false));
	return keeps(r, f, next_access(f, step, -1, false, true), step);
}

char *failure_reason(const struct failure *f, const struct report *r, const struct option *o)
{
	for (u32 i = 1; i <= f->nsteps; i++) {
		char *words = f->step[i].point == o->point ? of_step(r, f, i, o) : NULL;

		if (words)
			return words;
	}
	return NULL;
}
