/* SPDX-License-Identifier: ISC */
/* share_explore.c - see share.h: exploring alone, and the beginning and end of an exploration. */
#include "failure/fine_graph.h"
#include "search/jobs/shard.h"
#include "search/limit/model_file.h"
#include "search/jobs/share_priv.h"
#include "search/jobs/divergence.h"
#include "search/outcome/compare.h"
#include "search/outcome/outcome.h"
#include "machine/execution/clock.h"
#include "machine/execution/slots.h"
#include "process/shared.h"
#include "process/sys.h"
#include "trust/estimate.h"
#include "trust/image/frontier.h"

#include <stdio.h>
#include <string.h>

#define ALONE	 TINY(0, 30000000) /* nanoseconds before workers are started */
#define ESTIMATE 500000000

struct share_run share_run;

static bool short_alone, alone_is_over;
static bool (*stays_alone)(const struct trust *x);
static u64 alone_until, next_estimate, next_checkpoint;

enum execute_stop share_stopped(void)
{
	return share_run.stopped;
}

const char *share_words(void)
{
	return share_run.words;
}

struct checkpoint_totals share_totals(void)
{
	struct checkpoint_totals t = {M.status->executions, M.status->blocked, M.status->failing,
		M.status->steps, 0, share_trust->bounded | model_file_left_out()};

	if (M.options->ticket) /* its counts are of one process */
		memset(&t, 0, sizeof t);
	return t;
}

u64 share_least_estimate(void)
{
	return share_trust->estimate ? estimate_least(share_trust->estimate) : 0;
}

bool share_alone_leaf(void)
{
	static u32 n;
	u64 now, all;

	if (unlikely(M.status->give.state == GIVE_ASKED) && M.options->ticket)
		share_checkpoint_give();
	if (!short_alone && likely(++n % 256))
		return true;
	now = clock_ns();
	if (short_alone && now >= alone_until && !stays_alone(share_trust)) {
		alone_is_over = true;
		return false;
	}
	if (share_trust->estimate && now >= next_estimate) {
		all = (u64)estimate_executions(share_trust);
		M.status->estimate = all ? all + share_run.before.executions : 0;
		next_estimate = clock_ns();
		next_estimate += ESTIMATE + (next_estimate - now) * 20;
	}
	if (M.options->checkpoint[0] && !M.options->ticket && now >= next_checkpoint) {
		struct checkpoint_totals t = share_totals();

		share_checkpoint_alone(&t, true);
		next_checkpoint = clock_ns() + CHECKPOINT;
	}
	return true;
}

/* All results are void: restart, with the knowledge of the program. */
static void again(struct trust *x)
{
	execute_promote_again();
	x->heap_cause |= execute_promotes();
	execute_know_ranges();
	if (x->graph.lanes < share->lanes)
		x->graph.lanes = share->lanes;
	x->restarts++;
	M.status->give.restarts++;
	trust_clear(x);
	memset(&share_run.estimate, 0, sizeof share_run.estimate);
	memset(&share_run.before, 0, sizeof share_run.before);
	outcome_clear();
	compare_clear();
	shard_forget();
	share->x.next_image = checkpoint_images();
	share->polls.begun = false;
	succession_begin(&share->order, &(struct counted){0}, 0, 0);
	M.status->executions = M.status->blocked = M.status->failing = M.status->estimate = 0;
	M.status->cut = 0;
}

/* Explore in this process until the end, or until stopped. */
static enum share_end run_alone(struct trust *x)
{
	for (;;) {
		const char *wrong;
		const void *image;
		size_t size;

		if (unlikely(shard_is_due()))
			shard_split(x);
		else
			trust_run(x);
		if (x->answer == ANSWER_RESTART) {
			if (fine_graph_kept() && !fine_graph_report(x, again))
				return SHARE_STOPPED;
			again(x);
			continue;
		}
		if (!x->over)
			return alone_is_over ? SHARE_SHORT : SHARE_STOPPED;
		if (share->x.next_image >= share_images())
			return SHARE_ALL;
		image = share_image(share->x.next_image++, &size);
		wrong = frontier_import(x, image, size, true);
		if (wrong) {
			share_run.stopped = EXECUTE_DIVERGED;
			snprintf(share_run.words, sizeof share_run.words, "%s: %s",
				M.options->resume, wrong);
			return SHARE_STOPPED;
		}
	}
}

static u64 earlier; /* executions of earlier runs, counted and not */

u64 share_counted(void)
{
	u64 all = M.status->executions + M.status->blocked;

	return share_is_worker() ? all : all - earlier;
}

static bool resume(struct trust *x)
{
	const char *wrong;
	const void *image;
	size_t size;

	if (!checkpoint_read(M.options->resume, x->graph.places, &share_run.before))
		return false;
	M.status->executions = share_run.before.executions;
	M.status->blocked = share_run.before.blocked;
	M.status->failing = share_run.before.failing;
	M.status->steps = share_run.before.steps;
	x->bounded = (u32)share_run.before.bounded;
	share->polls.begun = true;
	earlier = share_run.before.executions + share_run.before.blocked;
	x->over = !share_images();
	if (x->over)
		return true;
	image = share_image(share->x.next_image++, &size);
	wrong = frontier_import(x, image, size, true);
	if (wrong)
		snprintf(M.status->note, sizeof M.status->note, "%s: %s", M.options->resume, wrong);
	return !wrong;
}

static void begin_sharing(struct trust *x, bool many)
{
	if (!share)
		share = shared_pages(sizeof *share);
	BUG_ON(!share);
	memset(share, 0, offsetof(struct share, worker)); /* prepare() clears those */
	memset(&share_run.estimate, 0, sizeof share_run.estimate);
	memset(&share_run.before, 0, sizeof share_run.before);
	shared_begin(many ? &share->x.lock : NULL);
	thread_slots_begin();
	execute_promote_begin();
	share_trust = x;
	x->polls = &share->polls;
	x->awaits = &share->awaits;
	x->estimate = M.options->shard ? NULL : &share_run.estimate;
	x->fixed = true;
	earlier = 0;
	share_run.stopped = EXECUTE_GOES_ON;
	next_estimate = next_checkpoint = clock_ns();
	next_estimate += ESTIMATE;
	next_checkpoint += CHECKPOINT;
}

/* Are there to be workers? The first --executions of one process are the work of one: workers
 * begin far apart. */
static bool has_many(void)
{
	u32 jobs = (u32)M.options->jobs;

	if (jobs <= 1)
		return false;
	if (M.options->executions) {
		coverage_note("-j: one process, not %u, as --executions counts the graphs of "
			      "one (--time bounds several)", jobs);
		return false;
	}
	if (share_has_room(jobs))
		return true;
	coverage_note("limit: not enough memory for %u processes, there was one", jobs);
	return false;
}

bool share_explore(struct trust *x, bool (*alone)(const struct trust *x))
{
	bool many = has_many();
	enum share_end end;

	stays_alone = alone;
	begin_sharing(x, many);
	shard_forget();
	if (M.options->resume[0] && !resume(x)) {
		M.status->state = STATUS_REFUSED;
		share_run.stopped = EXECUTE_REFUSED;
		return false;
	}
	do {
		short_alone = many;
		alone_is_over = false;
		alone_until = clock_ns() + ALONE;
		end = run_alone(x);
		short_alone = false;
		if (end == SHARE_SHORT) {
			end = share_run_workers(x);
			if (end == SHARE_SHORT)
				again(x);
			many = many && end != SHARE_ALONE;
		} else if (end == SHARE_STOPPED && many && M.options->checkpoint[0] &&
			   M.bounds & BOUND_FINDING) {
			share_miss_checkpoint();
		} else if (end == SHARE_STOPPED && M.options->checkpoint[0] && x->reported) {
			struct checkpoint_totals t = share_totals();

			share_checkpoint_alone(&t, true);
		}
		if (end == SHARE_STOPPED && M.options->checkpoint[0] && !x->reported &&
			clock_is_over)
			coverage_note("no checkpoint: the last execution did not end in time");
	} while (end == SHARE_SHORT || end == SHARE_ALONE);
	x->over = end == SHARE_ALL;
	shard_end(x);
	if (x->over)
		M.status->estimate = 0;
	if (share_run.stopped == EXECUTE_GOES_ON && end == SHARE_STOPPED && !x->reported) {
		divergence_end(x);
		share_run.stopped = execute_stopped();
		snprintf(share_run.words, sizeof share_run.words, "%s", execute_words());
	}
	return true;
}
