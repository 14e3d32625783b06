/* SPDX-License-Identifier: ISC */
/*
 * goal_flight.c - see goal.h: where the threads of a flight recorder waited.
 *
 * A thread waits if its last call has not returned, or if its last event was repeated: it looked at
 * a value again and again. Of the others only is known where they were last.
 */
#include "die.h"
#include "goal/goal_priv.h"
#include "path.h"
#include "recorder/flight.h"

#define SPINS 100 /* repetitions from which a thread is one that waits in a loop */

static void add_waiting(struct reader *x, const struct flight *f, const struct flight_thread *t)
{
	const struct flight_step *last = &f->step[t->first + t->n - 1];
	const struct frames *at;

	if (t->ended || (!flight_waits(last) && last->repeats < SPINS))
		return;
	x->t.name = xstrdup(t->name);
	if (flight_waits(last))
		reader_frame(x, &(struct goal_frame){(char *)flight_kind_name(last->kind), "", 0});
	at = flight_place(f, last);
	for (unsigned i = 0; i < at->n; i++)
		reader_frame(x,
			&(struct goal_frame){xstrdup(at->at[i].function ? at->at[i].function : ""),
				xstrdup(at->at[i].file ? path_base(at->at[i].file) : ""),
				at->at[i].line});
	reader_end_thread(x);
}

struct goal goal_of_flight(const char *path, const struct functions *of)
{
	struct reader x = {.of = of, .path = path};
	struct flight f = flight_read(path);

	for (u32 i = 0; i < f.nthreads; i++)
		add_waiting(&x, &f, &f.thread[i]);
	return reader_end(&x, "no thread waits in it, and only waits are looked for: `heddle "
			      "flight' lists the last events of each thread");
}
