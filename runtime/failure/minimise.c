/* SPDX-License-Identifier: ISC */
/* minimise.c - see minimise.h: candidates are executed on store buffers. */
#include "failure/minimise.h"
#include "machine/execution/clock.h"
#include "buffers/buffers.h"
#include "machine/observer/tracks.h"
#include "machine/record/record.h"
#include "buffers/schedule_driver.h"
#include "failure/search_state.h"
#include "failure/repeat.h"
#include "process/sys.h"
#include "process/pages.h"
#include "explore/minimise.h"

#include <string.h>

/* A bound for all candidates together, so that the result rarely depends on the clock. */
#define MAX_STEPS 3000000

struct trace_minimised minimised;

static struct {
	struct schedule_run scratch;
	u32 *log, *best;
	u32 nbest;
	bool fine; /* best has all steps as arrivals (M.fine) */
	u64 until; /* cpu_ns() */
	const struct finding *wanted;
	volatile u32 nlog; /* instead of the status page's */
} S;

/* --- for graphs, too ------------------------------------------------------------------------- */

bool minimise_is_same(const struct finding *a, const struct finding *b)
{
	return finding_same(a, b) && a->site == b->site;
}

bool minimise_may_go_on(void)
{
	return !clock_is_over && cpu_ns() < S.until;
}

bool minimise_begin(const struct finding *f)
{
	memset(&minimised, 0, sizeof minimised);
	S.until = cpu_ns() + M.options->minimise * 1000;
	return M.options->minimise && f->kind != FINDING_LOOP; /* each attempt would take seconds */
}

void minimise_tell(
	const struct schedule_cost *was, const struct schedule_cost *is, u32 tries, bool over)
{
	minimised = (struct trace_minimised){
		.tries = tries,
		.complete = !over,
		.rare = was->rare, .to_rare = is->rare,
		.relaxed = was->relaxed, .to_relaxed = is->relaxed,
		.delayed = was->delayed, .to_delayed = is->delayed,
		.switches = was->switches, .to_switches = is->switches,
		.steps = was->steps, .to_steps = is->steps,
	};
}

/* --- candidates ------------------------------------------------------------------------------ */

/* Extract the answers to data choices. */
static bool extract_answers(struct schedule *s, struct schedule_cost *cost)
{
	s->nanswers = 0;
	for (u32 i = 0; i < record.nchoices; i++) {
		const struct trace_choice *c = &record.choice[i];
		bool rare = c->why != WHY_CHOOSE && c->taken == c->n - 1;

		if (c->why == WHY_SCHEDULE)
			continue;
		if (s->nanswers == SCHEDULE_ITEMS)
			return false;
		cost->rare += rare;
		s->answer[s->nanswers++] = (struct schedule_answer){.slot = M.created[c->thread],
			.taken = c->taken, .kind = rare ? ANSWER_RARE : ANSWER_NUMBER};
	}
	return true;
}

/* Convert the execution just recorded to a schedule. */
static bool extract_schedule(struct schedule *s, struct schedule_cost *cost)
{
	*cost = (struct schedule_cost){.rare = 0};
	return !record.full && extract_answers(s, cost) &&
	       schedule_extract(s, &S.scratch, cost, record.event, record.nevents, M.created,
		       M.buffers == BUFFERS_BY_LOCATION, schedule_driver.number);
}

static bool fails_the_same(void)
{
	return M.outcome == OUTCOME_FAIL && minimise_is_same(&M.finding, S.wanted);
}

/* Likewise, and in the order of a flight record, as far as the original keeps it? */
static bool fails_in_order(void)
{
	return fails_the_same() && tracks_are_kept();
}

static enum tried try_schedule(struct minimise *m, const struct schedule *s, struct schedule *got,
	struct schedule_cost *cost)
{
	if (!minimise_may_go_on())
		return TRIED_STOP;
	schedule_begin(&schedule_driver.run, s);
	explore_start(&M.explore, &strategy_schedule, M.options, S.log, STATUS_CHOICES, &S.nlog);
	M.explore.schedule = &schedule_driver.run;
	explore_next(&M.explore);
	repeat_record(true);
	schedule_driver_set(true);
	M.fine = true;
	run_execution();
	schedule_driver_set(false);
	M.fine = false;
	repeat_record(false);
	m->steps += record.nevents;
	if (M.outcome == OUTCOME_REFUSE || M.outcome == OUTCOME_STOPPED ||
		(M.outcome == OUTCOME_FAIL && M.finding.kind == FINDING_LOOP))
		return TRIED_STOP;
	return fails_in_order() && extract_schedule(got, cost) ? TRIED_SAME : TRIED_OTHER;
}

static void keep_schedule(struct minimise *m)
{
	S.fine = true;
	S.nbest = M.explore.nlog;
	memcpy(S.best, S.log, S.nbest * sizeof *S.best);
}

static void need_script(struct schedule *s)
{
	if (s->item)
		return;
	s->item = pages_need(SCHEDULE_ITEMS * sizeof *s->item);
	s->answer = pages_need(SCHEDULE_ITEMS * sizeof *s->answer);
}

void minimise_need(struct minimise *m)
{
	need_script(&m->best);
	need_script(&m->work);
	need_script(&m->got);
	need_script(&m->base);
}

static void need_schedules(struct minimise *m)
{
	minimise_need(m);
	if (schedule_driver.number)
		return;
	schedule_driver.number =
		pages_need(2 * (RECORD_EVENTS + 1) * sizeof *schedule_driver.number);
	S.log = pages_need(STATUS_CHOICES * sizeof *S.log);
	S.best = pages_need(STATUS_CHOICES * sizeof *S.best);
	schedule_driver.run.delayed =
		pages_need(SCHEDULE_DELAYED * sizeof *schedule_driver.run.delayed);
	schedule_driver.run.used = pages_need(SCHEDULE_ITEMS * sizeof *schedule_driver.run.used);
	S.scratch.delayed = pages_need(SCHEDULE_DELAYED * sizeof *S.scratch.delayed);
	S.scratch.used = pages_need(SCHEDULE_ITEMS * sizeof *S.scratch.used);
}

/* Repeat the failing execution, and convert it to a schedule. */
static bool read_original(struct minimise *m, const u32 *choices, u32 n)
{
	repeat_execution(choices, n, true);
	if (M.explore.diverged || !fails_the_same() || !extract_schedule(&m->best, &m->cost))
		return false;
	tracks_note();
	S.nbest = n;
	memcpy(S.best, choices, n * sizeof *choices);
	return true;
}

const u32 *minimise_schedule(const u32 *choices, u32 *n, const struct finding *f)
{
	static struct minimise m = {
		.try = try_schedule, .keep = keep_schedule, .max_steps = MAX_STEPS};
	static struct search_state saved;
	struct finding wanted = *f;
	struct schedule_cost was;
	bool good;

	if (!minimise_begin(f))
		return choices;
	need_schedules(&m);
	search_push(&saved);
	S.wanted = &wanted;
	record.lean = true;
	record.bare = f->kind != FINDING_LINEARIZABILITY; /* judging a history needs sources */
	good = read_original(&m, choices, *n);
	if (good) {
		was = m.cost;
		S.fine = false;
		M.max_steps = M.steps < M.max_steps / 8 ? 8 * M.steps + 64 : M.max_steps;
		minimise_run(&m);
		minimise_tell(&was, &m.cost, m.tries, m.over);
	}
	record.lean = record.bare = false;
	search_pop_all(&saved);
	M.outcome = OUTCOME_FAIL;
	M.finding = wanted;
	if (!good)
		return choices;
	*n = S.nbest;
	M.fine = S.fine;
	return S.best;
}
