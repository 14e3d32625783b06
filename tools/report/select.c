/* SPDX-License-Identifier: ISC */
/*
 * select.c - the steps of a long execution that are shown: the failure, the last steps, and every
 * step that the report mentions elsewhere: the cycle, the history, the chain of waits; and the
 * place of a shown step.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

#define ROWS_MAX      60 /* a longer execution is shown in part */
#define NEIGHBOURHOOD 2	 /* rows shown before and after one that matters */
#define LAST_ROWS     8	 /* ... and at the end */

static void show_around(struct report *r, u32 step, u32 neighbours)
{
	u32 first = step > neighbours ? step - neighbours : 1;

	for (u32 i = first; step && i <= step + neighbours && i <= r->t->nevents; i++)
		r->rows[i - 1].shown = true;
}

/* Show an event, its source, and the commit of its store. */
static void show_event(struct report *r, u32 step)
{
	const struct row *row = &r->rows[step - 1];

	show_around(r, step, NEIGHBOURHOOD);
	if (row->ev->e.from)
		show_around(r, row->ev->e.from, 0);
	if (row->commit)
		show_around(r, row->commit, 0);
}

/* Show the last event of each thread. */
static void show_last_of_threads(struct report *r)
{
	bool *seen = xmalloc(65536 * sizeof(*seen));

	for (u32 i = r->t->nevents; i-- > 0;) {
		const struct event *e = &r->rows[i].ev->e;

		if (e->kind != EV_COMMIT && e->kind != EV_EXIT && !seen[e->thread]) {
			seen[e->thread] = true;
			r->rows[i].shown = true;
		}
	}
	free(seen);
}

/* Show a step that the report mentions, and its source. */
static void show_step(struct report *r, u32 step)
{
	if (!step)
		return;
	show_around(r, step, 0);
	show_around(r, r->rows[step - 1].ev->e.from, 0);
	show_around(r, r->rows[step - 1].commit, 0);
}

/* Show the waits, and their causes. */
static void show_waits(struct report *r)
{
	for (u32 i = 0; i < r->t->nwaits; i++) {
		u32 steps[WAIT_STEPS];

		for (unsigned n = wait_steps(r, &r->t->waits[i], steps); n-- > 0;)
			show_step(r, steps[n]);
	}
}

/* Show the steps mentioned by the paragraphs below the table. */
static void show_decisive(struct report *r)
{
	const struct trace *t = r->t;

	show_waits(r);
	show_step(r, t->finding.f.other);
	for (u32 i = 0; i < t->ncycle; i++) {
		show_step(r, t->cycle[i].from);
		show_step(r, t->cycle[i].to);
	}
	for (unsigned i = 0; i < r->nreorderings; i++) {
		show_step(r, r->reorderings[i].store);
		show_step(r, r->reorderings[i].later);
	}
	for (unsigned i = 0; i < r->nsyncs; i++) {
		show_step(r, r->syncs[i].write);
		show_step(r, r->syncs[i].read);
	}
	for (unsigned i = 0; i < r->norders; i++)
		show_step(r, r->orders[i].step);
	for (unsigned i = 0; r->has_race && i < 2; i++)
		for (unsigned k = 0; k < r->race[i].nlocks; k++)
			show_step(r, r->race[i].locks[k]);
	for (u32 i = 0; i < t->nevents; i++)
		if (r->rows[i].mentioned)
			show_step(r, i + 1);
	for (u32 i = 0; i < t->noperations; i++) {
		show_step(r, t->operations[i].begin);
		show_step(r, t->operations[i].end);
	}
}

void report_select(struct report *r, bool all)
{
	const struct trace *t = r->t;

	all |= t->nevents <= ROWS_MAX;
	for (u32 i = 0; i < t->nevents; i++)
		r->rows[i].shown = all && !r->rows[i].prompt;
	if (all)
		return;
	for (u32 i = 0; i < t->nevents; i++)
		if (r->rows[i].key)
			show_event(r, i + 1);
	for (u32 i = 0; i < LAST_ROWS && i < t->nevents; i++)
		r->rows[t->nevents - 1 - i].shown = true;
	show_last_of_threads(r);
	show_decisive(r);
	/* A gap of one row costs a line either way. */
	for (u32 i = 1; i + 1 < t->nevents; i++)
		if (r->rows[i - 1].shown && r->rows[i + 1].shown)
			r->rows[i].shown = true;
	for (u32 i = 0; i < t->nevents; i++)
		r->rows[i].shown &= !r->rows[i].prompt;
}

/* --- where a shown step is ------------------------------------------------------------------- */

const char *row_function(const struct report *r, const struct row *row)
{
	const struct trace_thread *t = trace_thread(r->t, row->ev->e.thread);

	if (row->ev->e.kind == EV_COMMIT)
		return "(memory)";
	if (row->ev->e.kind == EV_START && t && t->start && symbol_function(r->symbols, t->start))
		return symbol_function(r->symbols, t->start);
	return row->at && row->at->at[0].function ? row->at->at[0].function : "";
}

/* Two accesses on one line are distinguished by their columns. */
static bool needs_column(const struct report *r, const struct row *row)
{
	const struct frame *f = &row->at->at[0];

	for (u32 i = 0; f->line && i < r->t->nevents; i++) {
		const struct row *other = &r->rows[i];

		if (other->shown && other->at && other->at->at[0].line == f->line &&
			other->at->at[0].column != f->column && other->at->at[0].file &&
			!strcmp(other->at->at[0].file, f->file))
			return true;
	}
	return false;
}

char *row_place(const struct report *r, const struct row *row)
{
	char *place;

	if (!row->at)
		return xstrdup("");
	place = frame_place(row->at, 0);
	if (row->at->at[0].file && row->at->at[0].column && needs_column(r, row))
		place = xprintf("%s:%d", place, row->at->at[0].column);
	return place;
}
