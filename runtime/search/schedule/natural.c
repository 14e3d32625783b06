/* SPDX-License-Identifier: ISC */
/* natural.c - see natural.h. */
#include "search/schedule/natural.h"
#include "buffers/buffers.h"
#include "cycle/state_cycle.h"
#include "graph/foresee.h"
#include "machine/execution/clock.h"
#include "machine/execution/execution.h"
#include "machine/learnt.h"
#include "machine/wait/vtime.h"
#include "process/coverage.h"
#include "process/module.h"
#include "process/sys.h"
#include "failure/search_state.h"

#include <stdio.h>
#include <string.h>

#define STEPS_LEAST 20000 /* the default bound, */
#define STEPS_MORE  1000
#define STEPS_TIMES 20 /* and so many times the natural run's */

/* A program that depends on time: steps until it is run again with another notion of it, readings
 * of the clock that make it one, and how much longer each takes then. */
#define PATIENCE   (1u << 22)
#define TIME_SHARE 8 /* of the search, likewise */
#define READINGS   1000
#define SHORT_RUN  (1u << 16)
#define TICK_TIMES 64

#define LONG_RUN 100000 /* microseconds: its length may be the reason why no other has ended */
#define NOTED_STEPS 500 /* from which on graphs learn too slowly what is shared */

struct natural natural;
static u64 run_began; /* the last one, in nanoseconds */

/* Choices are logged, at most one a step. */
u32 natural_bound(const struct options *o)
{
	u64 steps = STEPS_LEAST;

	if (o->max_steps)
		steps = o->max_steps;
	else if (natural.ended && STEPS_TIMES * (u64)natural.steps + STEPS_MORE > steps)
		steps = STEPS_TIMES * (u64)natural.steps + STEPS_MORE;
	return steps < STATUS_CHOICES ? (u32)steps : STATUS_CHOICES - 1;
}

static void measure_run(void)
{
	natural = (struct natural){
		.ran = true,
		.microseconds = (clock_ns() - run_began) / 1000,
		.ended = M.outcome != OUTCOME_STEPS && M.outcome != OUTCOME_STOPPED &&
			 M.outcome != OUTCOME_REFUSE,
		.passed = M.outcome == OUTCOME_EXIT,
		.stopped = M.outcome == OUTCOME_STOPPED,
		.steps = M.steps,
		.alone = M.alone_steps,
		.threads = M.nthreads,
		.thread = M.cur->number,
		.place = clock_abandoned_at ? clock_abandoned_at + 1
			 : machine_frame    ? machine_frame->return_address
					    : 0,
	};
}

static void run_once(void)
{
	do {
		run_began = clock_ns();
		learnt_adopt();
		explore_start(&M.explore, &strategy_natural, M.options, M.status->choices,
			STATUS_CHOICES, &M.status->nchoices);
		explore_next(&M.explore);
		run_execution();
	} while (learnt_changed);
}

static bool is_time_awaited(void)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		if (t->asleep || t->may_time_out)
			return true;
	}
	return false;
}

/* Is it only because a thread sleeps last that this takes so long? */
static bool may_wait_for_ever(void)
{
	return M.options->sleepers == SLEEPERS_LAST && vtime_by_default && is_time_awaited();
}

static bool review(void)
{
	if (may_wait_for_ever())
		return true;
	clock_review(M.options->time / TIME_SHARE, review); /* main may not have come so far */
	return false;
}

static bool ends_within(u32 steps)
{
	bool cut;

	M.max_steps = steps;
	if (M.options->time)
		clock_review(M.options->time / TIME_SHARE, review);
	run_once();
	cut = clock_is_up && !clock_is_over;
	clock_phase(0);
	return M.outcome != OUTCOME_STEPS && !(M.outcome == OUTCOME_STOPPED && cut);
}

/* A thread that sleeps last never wakes up beside one that never ends: a test that lets its threads
 * run for a time, then stops them. */
static bool ends_without_sleep(struct options *o)
{
	if (!may_wait_for_ever())
		return false;
	o->sleepers = SLEEPERS_ANY;
	vtime_set_default(false);
	if (!ends_within(PATIENCE))
		return false;
	coverage_note("a thread sleeps while others go on: sleeps and timed waits ended at any "
		      "moment (--sleepers last: only when nothing else can happen)");
	return true;
}

/* Threads loop until a clock reaches some time. */
static bool ends_by_clock(struct options *o)
{
	if (o->tick != TICK || vtime_looks < READINGS)
		return false;
	while ((o->tick *= TICK_TIMES) <= TICK_MOST)
		if (ends_within(SHORT_RUN)) {
			coverage_note("threads loop until a clock reaches some time: reading it "
				      "took %.4g ms of its time (--tick)",
				(double)o->tick / 1000000);
			return true;
		}
	return false;
}

/* Returns the options under which the program has run. Those that the user has given are kept. */
static const struct options *run_natural(const struct options *asked)
{
	static char coverage[sizeof M.status->coverage];
	static struct options o;
	bool by_default = vtime_by_default;
	u32 most = M.max_steps;

	memcpy(coverage, M.status->coverage, sizeof coverage);
	if (ends_within(PATIENCE))
		return asked;
	memcpy(M.status->coverage, coverage, sizeof coverage);
	o = *asked;
	M.options = &o;
	if (ends_without_sleep(&o) || ends_by_clock(&o))
		return &o;
	M.options = asked;
	vtime_set_default(by_default);
	M.max_steps = most;
	M.private = true; /* such a long run may be one of few other accesses */
	run_once();
	M.private = false;
	return asked;
}

/* Once more, for what its threads share. */
static void note_sharing(void)
{
	const struct options *o = M.options;

	if (!natural.passed || natural.steps < NOTED_STEPS || natural.microseconds >= LONG_RUN ||
		o->strategy != STRATEGY_GRAPH || o->checkpoint[0] || o->resume[0] || o->shard)
		return;
	foresee_begin();
	run_once();
	foresee_end();
}

void natural_run(void)
{
	static struct search_state search;
	static char note[sizeof M.status->note];
	const struct options *o;
	bool refused;

	search_push(&search);
	machine_set_model(MODEL_SC);
	M.status->model = MODEL_SC;
	M.status->strategy = STRATEGY_RANDOM;
	M.max_steps = STATUS_CHOICES - 1;
	M.max_preemptions = PREEMPTIONS_ANY;
	M.max_delays = DELAYS_ANY;
	M.sampling = true;
	state_cycle_after = M.max_steps;
	o = run_natural(M.options);
	measure_run();
	refused = M.outcome == OUTCOME_REFUSE;
	memcpy(note, M.status->note, sizeof note);
	note_sharing();
	state_cycle_after = STATE_CYCLE_STEPS;
	memcpy(search.coverage, M.status->coverage, sizeof search.coverage); /* said once */
	search_pop_all(&search);
	M.options = o;
	M.status->model = M.model;
	M.status->nchoices = 0;
	M.outcome = OUTCOME_EXIT;
	if (refused) { /* it would be, every time */
		M.outcome = OUTCOME_REFUSE;
		M.status->state = STATUS_REFUSED;
		memcpy(M.status->note, note, sizeof note);
	}
	M.max_steps = M.status->max_steps = natural_bound(M.options);
	if (natural.ended && !M.options->max_steps)
		M.max_alone_least = STEPS_TIMES * natural.alone;
}

/* Where a thread was, by a code address after the place. */
static void note_place(const char *words, u32 thread, u64 place)
{
	const struct module *m = place ? module_find(place) : NULL;

	if (m)
		snprintf(M.status->held, sizeof M.status->held, "%s %s was at %s+0x%llx", words,
			thread_words(thread), m->path, (unsigned long long)(place - 1 - m->base));
}

void natural_note(void)
{
	char words[64];

	if (M.status->blocked && natural.ended)
		return;
	if (!natural.ran || natural.ended) {
		strcpy(words, "when the time was up");
		if (natural.microseconds >= LONG_RUN)
			snprintf(words, sizeof words,
				"a first run took %.2g s; when the time was up",
				(double)natural.microseconds / 1e6);
		note_place(words, M.cur ? M.cur->number : 0,
			clock_abandoned_at ? clock_abandoned_at + 1 : 0);
		return;
	}
	snprintf(words, sizeof words, "a first run did not end%s %u step%s%s",
		natural.stopped ? ": after" : " within", natural.steps,
		natural.steps == 1 ? "" : "s", natural.stopped ? "" : ":");
	note_place(words, natural.thread, natural.place);
}
