/* SPDX-License-Identifier: ISC */
/* account.c - see account.h. */
#include "search/schedule/account.h"
#include "buffers/private.h"
#include "buffers/visible.h"
#include "cycle/state_cycle.h"
#include "history/history.h"
#include "machine/record/record.h"
#include "failure/minimise.h"
#include "search/outcome/outcome.h"
#include "failure/replay.h"
#include "search/jobs/sample_share.h"
#include "failure/shorten_cycle.h"
#include "failure/unconfirmed.h"
#include "failure/verdict.h"
#include "failure/repeat.h"
#include "search/jobs/worker.h"

#include <string.h>
#include <unistd.h>

static u32 unrecorded; /* the number of choices that lead to the finding being recorded */

u32 account_unrecorded(void)
{
	return unrecorded;
}

/* Record the failing execution, or one like it that is easier to read. */
static void follow_best(const struct finding *f)
{
	u32 n = M.explore.nlog;
	const u32 *choices = f->repeats ? M.explore.log : minimise_schedule(M.explore.log, &n, f);

	repeat_execution(choices, n, true);
	if (choices == M.explore.log ||
		(M.outcome == OUTCOME_FAIL && minimise_is_same(&M.finding, f)))
		return;
	memset(&minimised, 0, sizeof minimised);
	M.fine = false;
	repeat_execution(M.explore.log, M.explore.nlog, true);
}

/* The execution did not fail again with the same choices. If the recorded events differ, the
 * program is nondeterministic. */
static enum search_verdict not_repeated(const struct finding *f)
{
	repeat_execution(M.explore.log, M.explore.nlog, true);
	record_remember();
	repeat_execution(M.explore.log, M.explore.nlog, true);
	M.explore.diverged = false;
	if (M.outcome == OUTCOME_STOPPED)
		return SEARCH_STOPS;
	if (record_difference(M.status->note, sizeof M.status->note)) {
		M.status->state = STATUS_DIVERGED;
		return SEARCH_STOPS;
	}
	unconfirmed_note(NULL, f, "with the same choices it did not fail again");
	return SEARCH_IGNORES;
}

static const struct status_finding *known_finding(void)
{
	for (u32 i = 0; i < M.status->nfindings; i++)
		if (verdict_is_same(&M.status->findings[i].finding, &M.finding))
			return &M.status->findings[i];
	return NULL;
}

/* A failing execution: keep it if it is new. */
static enum search_verdict add_failing(void)
{
	struct status *s = M.status;
	struct status_finding *f;
	struct finding finding = M.finding;
	u32 n = M.explore.nlog;

	if (s->nfindings == STATUS_FINDINGS)
		return SEARCH_STOPS;
	f = &s->findings[s->nfindings];
	memset(f, 0, sizeof *f);
	f->execution = worker_own()->executions + 1;
	f->reorder = -1;
	f->finding = finding;
	verdict_publish(f);
	unrecorded = n;
	if (!finding.repeats)
		replay_write_choices(f, M.explore.log, n);
	follow_best(&finding);
	M.explore.diverged = false;
	if (M.outcome == OUTCOME_FAIL) {
		f->finding = M.finding;
		replay_write(f);
	} else if (M.outcome == OUTCOME_STOPPED) {
		s->nchoices = s->unrecorded = n;
	} else {
		verdict_withdraw(f);
		unlink(f->replay);
		M.fine = false;
		return not_repeated(&finding);
	}
	M.fine = false;
	unrecorded = 0;
	return verdict_on_new(f);
}

static enum search_verdict found_failing(void)
{
	const struct status_finding *known;
	enum search_verdict verdict = SEARCH_STOPS;

	worker_enter();
	known = known_finding();
	if (known)
		verdict = verdict_on_known(known);
	else if (samples_turn()) /* meanwhile another process may have added it */
		verdict = (known = known_finding()) ? verdict_on_known(known) : add_failing();
	worker_leave();
	return verdict;
}

static bool account_failure(void)
{
	const struct private_figures figures = private_figures();
	u32 n = M.explore.nlog, learned = visible_learned();
	enum search_verdict verdict;

	if (M.finding.repeats && !shorten_cycle()) {
		M.status->blocked++;
		return true;
	}
	verdict = found_failing();
	private_put_back(&figures); /* samples of several processes: whichever reports it */
	visible_unlearn(learned);
	M.explore.nlog = n;
	state_cycle_from = 0;
	if (verdict == SEARCH_IGNORES) {
		M.status->blocked++;
		return true;
	}
	M.status->executions++;
	outcome_count();
	M.status->failing++;
	if (verdict == SEARCH_STOPS)
		M.bounds |= BOUND_FINDING;
	return verdict == SEARCH_GOES_ON;
}

/* Confirm that the history also fails by happens-before, which is weaker than the order of
 * steps. */
static void confirm(void)
{
	record.lean = true;
	repeat_execution(M.explore.log, M.explore.nlog, true);
	record.lean = false;
	M.explore.diverged = false;
	M.status->nchoices = M.explore.nlog;
	if (M.outcome != OUTCOME_FAIL && M.outcome != OUTCOME_STOPPED)
		M.outcome = OUTCOME_EXIT;
}

bool account_execution(void)
{
	struct status *s = M.status;

	if (M.outcome == OUTCOME_EXIT && unlikely(history_suspected()))
		confirm();
	switch (M.outcome) {
	case OUTCOME_EXIT:
		s->executions++;
		outcome_count();
		return true;
	case OUTCOME_KNOWN: return true; /* counted before */
	case OUTCOME_ABANDON: s->blocked++; return true;
	case OUTCOME_CUT:
		s->blocked++;
		s->cut++;
		M.bounds |= BOUND_LOOPS;
		return true;
	case OUTCOME_STUCK: s->blocked++; return true;
	case OUTCOME_STEPS: s->blocked++; return true;
	case OUTCOME_FAIL: return account_failure();
	case OUTCOME_REFUSE: return false;
	case OUTCOME_STOPPED: return true; /* as phase_bound_met() will see */
	case OUTCOME_DIVERGE:
		s->blocked++;
		M.bounds |= BOUND_NONDETERMINISM;
		coverage_note("the program is not deterministic: the same choices led to a "
			      "different choice point (choice %u)",
			M.explore.nlog + 1);
		return false;
	}
	return false;
}
