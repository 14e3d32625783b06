/* SPDX-License-Identifier: ISC */
/* tracks_show.c - see tracks.h: how executions follow the order of a record. */
#include "goal/tracks_priv.h"

#include "die.h"
#include "path.h"
#include "report/clean.h"

/* --- a trace --------------------------------------------------------------------------------- */

/* False: no operation that a recorder notes. */
static bool kind_of_event(const struct event *e, enum track_kind *kind)
{
	if (e->flags & EVENT_PLAIN || e->kind == EV_COMMIT)
		return false;
	*kind = e->kind == EV_READ ? TRACK_LOAD
		: e->kind == EV_WRITE ? TRACK_STORE
		: e->kind == EV_RMW ? TRACK_RMW
		: e->kind == EV_CAS || e->kind == EV_CAS_FAIL ? TRACK_CAS
		: e->kind == EV_FENCE ? TRACK_FENCE : TRACK_CALL;
	return *kind != TRACK_CALL || kind_has(e->kind, KIND_ONE_STATE) || e->kind == EV_CREATE;
}

/* The place of a call stack's innermost call. */
static u32 place_of_stack(
	const struct recorded *r, const struct report *of, u32 stack, enum track_kind kind)
{
	const struct trace_stack *s = trace_stack(of->t, stack);
	const struct frames *f = s && s->nframes ? symbol_frames(of->symbols, s->frames[0]) : NULL;
	u32 line = f && f->n ? recorded_line_number(r, f->at[0].file, f->at[0].line) : 0;

	return line ? line * TRACK_KINDS + (u32)kind : 0;
}

static void follow_event(struct track_follower *f, const struct recorded *r,
	const struct report *of, const struct event *e)
{
	enum track_kind kind;

	if (e->kind == EV_EXIT)
		follower_end(f, e->thread);
	if (!kind_of_event(e, &kind))
		return;
	follower_arrive(f, e->thread, place_of_stack(r, of, e->stack, kind));
	if (e->kind == EV_CREATE)
		follower_create(f, e->thread, (u32)e->old[0]);
	follower_done(f, e->thread);
}

static void follow_trace(
	struct track_follower *f, const struct recorded *r, const struct report *of, u64 cut)
{
	follower_begin(f, r->table, cut);
	for (u32 i = 0; i < of->t->nevents; i++)
		follow_event(f, r, of, &of->rows[i].ev->e);
	for (u32 i = 0; i < of->t->nwaits; i++)
		follower_arrive(f, of->t->waits[i].thread,
			place_of_stack(r, of, of->t->waits[i].stack, TRACK_CALL));
}

/* From where in the record does it follow most? */
static struct track_follower *best_follower(const struct recorded *r, const struct report *of)
{
	struct track_follower *best = xmalloc(sizeof(*best)), now;

	follow_trace(best, r, of, 0);
	for (u32 i = 0; i < r->table->n; i++)
		for (u32 k = 0; k < r->table->track[i].n; k++) {
			follow_trace(&now, r, of, r->table->track[i].event[k].after);
			if (now.broken < best->broken ||
				(now.broken == best->broken &&
					follower_count(&now) > follower_count(best)))
				*best = now;
		}
	return best;
}

static u32 count_threads(const struct track_follower *f)
{
	u32 n = 0;

	for (u32 i = 0; i < TRACKS; i++)
		n += f->owner[i] != 0;
	return n;
}

void recorded_show_kept(const struct recorded *r, const struct report *of, FILE *out)
{
	const struct track_follower *f = best_follower(r, of);
	u32 n = follower_count(f), threads = count_threads(f);

	fprintf(out, "the record: %u event%s of %u thread%s, %s%s\n", n, n == 1 ? "" : "s", threads,
		threads == 1 ? "" : "s",
		f->broken ? xprintf("%u of them not in their order", f->broken) : "in their order",
		follower_extends(f) ? ", to its end" : "");
}

/* --- the nearest execution ------------------------------------------------------------------- */

static char *event_words(const struct recorded *r, const struct flight_step *s)
{
	const struct frames *f = flight_place(r->flight, s);

	return xprintf("%s%s", flight_words(r->flight, s),
		f->n ? xprintf(", %s (%s:%d)", f->at[0].function ? f->at[0].function : "?",
			       f->at[0].file ? path_base(f->at[0].file) : "?", f->at[0].line)
		     : "");
}

void recorded_show_nearest(const struct recorded *r, FILE *out)
{
	const struct tracks *t = r->table;

	fprintf(out, "the record: %u execution%s followed it to its end; the longest way in its "
		     "order has %u event%s\n",
		t->extended, t->extended == 1 ? "" : "s", t->followed, t->followed == 1 ? "" : "s");
	for (u32 i = 0; t->followed && i < t->n; i++)
		if (t->next[i] && t->next[i] < t->track[i].n)
			fprintf(out, "  %s: then came %s\n",
				r->flight->thread[r->thread[i]].name,
				clean_text(event_words(
					r, &r->flight->step[r->step[i][t->next[i]]])));
}
