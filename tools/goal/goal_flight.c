/* SPDX-License-Identifier: ISC */
/*
 * goal_flight.c - see goal.h: where the threads of a flight recorder waited.
 *
 * A thread has failed if its last event is a fault, abort() or a failed assertion. It waits if its
 * last call has not returned, or if its last event was repeated: it looked at a value again and
 * again. Of the others only is known where they were last.
 */
#include "die.h"
#include "goal/goal_priv.h"
#include "path.h"
#include "recorder/flight.h"

#define SPINS 100 /* repetitions from which a thread is one that waits in a loop */

static const struct flight_step *last_step(const struct flight *f, const struct flight_thread *t)
{
	return &f->step[t->first + t->n - 1];
}

static void add_recorded_thread(
	struct goal_reader *x, const struct flight *f, const struct flight_thread *t)
{
	const struct flight_step *last = last_step(f, t);
	bool fails = flight_fails(last);
	const struct frames *at;

	if (!fails && (t->ended || (!flight_waits(last) && last->repeats < SPINS)))
		return;
	x->t.name = xstrdup(t->name);
	if (flight_waits(last) || (fails && last->kind != FLIGHT_FAULT))
		reader_frame(x, &(struct goal_frame){(char *)flight_kind_name(last->kind), "", 0});
	at = flight_place(f, last);
	for (unsigned i = 0; i < at->n; i++)
		reader_frame(x,
			&(struct goal_frame){xstrdup(at->at[i].function ? at->at[i].function : ""),
				xstrdup(at->at[i].file ? path_base(at->at[i].file) : ""),
				at->at[i].line});
	x->t.failed = fails;
	reader_end_thread(x);
}

struct goal goal_of_flight(const struct flight *f, const struct functions *of)
{
	struct goal_reader x = {.of = of, .path = f->path};
	bool failed = false;

	for (u32 i = 0; i < f->nthreads; i++)
		failed |= flight_fails(last_step(f, &f->thread[i]));
	for (u32 i = 0; i < f->nthreads; i++)
		if (!failed || flight_fails(last_step(f, &f->thread[i])))
			add_recorded_thread(&x, f, &f->thread[i]);
	return reader_end(&x, "no thread has failed in it, or waits: `heddle flight' lists the "
			      "last events of each thread");
}
