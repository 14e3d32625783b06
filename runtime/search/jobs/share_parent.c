/* SPDX-License-Identifier: ISC */
/* share_parent.c - see share.h: exploring alone, and the parent of workers. */
#include "failure/fine_graph.h"
#include "search/jobs/shard.h"
#include "search/limit/model_file.h"
#include "search/jobs/share_priv.h"
#include "search/jobs/divergence.h"
#include "search/jobs/worker.h"
#include "search/outcome/compare.h"
#include "search/outcome/outcome.h"
#include "machine/execution/clock.h"
#include "machine/execution/slots.h"
#include "process/shared.h"
#include "process/sys.h"
#include "process/tls.h"
#include "trust/estimate.h"
#include "trust/image/frontier.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define ALONE	   TINY(0, 30000000) /* nanoseconds before workers are started */
#define CHECKPOINT 60000000000
#define ESTIMATE   500000000
#define DEATHS	   3 /* times that a worker may be killed */
#define PATIENCE   350000000 /* nanoseconds for stopped workers to end */

static struct checkpoint_totals
	before; /* counted by earlier runs, and by this one before its workers */
static bool short_alone, alone_is_over;
static bool (*stays_alone)(const struct trust *x);
static u64 alone_until, next_estimate, next_checkpoint;
static enum execute_stop stopped;
static char words[EXECUTE_WORDS];
static struct estimate figures;

enum execute_stop share_stopped(void)
{
	return stopped;
}

const char *share_words(void)
{
	return words;
}

static struct checkpoint_totals totals(void)
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

/* --- alone ------------------------------------------------------------------------------------ */

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
		M.status->estimate = all ? all + before.executions : 0;
		next_estimate = clock_ns();
		next_estimate += ESTIMATE + (next_estimate - now) * 20;
	}
	if (M.options->checkpoint[0] && !M.options->ticket && now >= next_checkpoint) {
		struct checkpoint_totals t = totals();

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
	memset(&figures, 0, sizeof figures);
	memset(&before, 0, sizeof before);
	outcome_clear();
	compare_clear();
	shard_forget();
	share->x.next_image = checkpoint_images();
	share->polls.begun = false;
	succession_begin(&share->order, &(struct counted){0}, 0, 0);
	M.status->executions = M.status->blocked = M.status->failing = M.status->estimate = 0;
	M.status->cut = 0;
}

enum end { END_ALL, END_STOPPED, END_SHORT, END_ALONE };

/* Explore in this process until the end, or until stopped. */
static enum end run_alone(struct trust *x)
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
				return END_STOPPED;
			again(x);
			continue;
		}
		if (!x->over)
			return alone_is_over ? END_SHORT : END_STOPPED;
		if (share->x.next_image >= share_images())
			return END_ALL;
		image = share_image(share->x.next_image++, &size);
		wrong = frontier_import(x, image, size, true);
		if (wrong) {
			stopped = EXECUTE_DIVERGED;
			snprintf(words, sizeof words, "%s: %s", M.options->resume, wrong);
			return END_STOPPED;
		}
	}
}

/* --- workers ---------------------------------------------------------------------------------- */

static bool start(u32 id)
{
	struct worker *w = &share->worker[id];
	long pid = worker_fork();

	if (pid == 0)
		share_work(id);
	w->pid = (i32)pid;
	*share_state(w) = pid > 0 ? WORKER_WORKS : WORKER_GONE;
	return pid > 0;
}

/* Start as many workers as possible. Returns their number; worker 0 inherits the remaining work. */
static u32 start_all(void)
{
	u32 wanted = share->x.nworkers, n = 0;

	while (n < wanted && start(n))
		n++;
	if (n == wanted)
		return n;
	coverage_note("limit: %u of %u worker processes could be started (ulimit -u?)", n, wanted);
	shared_lock();
	share->x.nworkers = n;
	exchange_count(&share->x);
	shared_unlock();
	return n;
}

/* Stop restarting a worker that is killed repeatedly; its work remains undone. */
static void give_up_worker(struct worker *w, const char *why)
{
	coverage_note("limit: a worker process %s (memory? ulimit?)", why);
	M.bounds |= BOUND_INTERRUPT;
	share->x.stop = 1;
	*share_state(w) = WORKER_GONE;
}

/* The task in an offer that it was filling is none. */
static void remove_unfinished(const struct worker *w)
{
	shared_take(&share->x.lock);
	for (u32 i = 0; i < OFFERS; i++) {
		const struct offer *o = &share->x.offer[i];

		if (o->state == OFFER_FILLING && o->owner == (u32)(w - share->worker))
			succession_remove(&share->order, o->ticket);
	}
	shared_give(&share->x.lock);
}

/* Undo the unfinished operation of a killed worker. */
static void clean_up_after(struct worker *w)
{
	struct record_of *r = share_record(w);
	u64 filling;

	if (share->x.lock == (u32)w->pid)
		shared_give(&share->x.lock);
	if (share->findings_lock == (u32)w->pid)
		shared_give(&share->findings_lock);
	if (share->alone == (u32)(w - share->worker) + 1)
		share->alone = 0;
	remove_unfinished(w);
	filling = exchange_killed(&share->x, (u32)(w - share->worker), r->ticket);
	if (r->ngiven && filling != ESTIMATE_NONE && r->given[r->ngiven - 1] == filling)
		r->ngiven--;
}

static void died(struct worker *w)
{
	clean_up_after(w);
	if (share->x.stop || share->x.restart) {
		*share_state(w) = WORKER_GONE;
		return;
	}
	if (++w->deaths > DEATHS)
		give_up_worker(w, "was killed repeatedly");
	else if (!start((u32)(w - share->worker)))
		give_up_worker(w, "was killed, and another one could not be started");
}

/* Handle ended workers. Returns the number still working. */
static u32 reap(void)
{
	u32 n = 0;

	for (u32 i = 0; i < share->x.nworkers; i++) {
		struct worker *w = &share->worker[i];
		int status = 0;

		if (*share_state(w) == WORKER_GONE)
			continue;
		n++;
		if (!worker_ended(w->pid, &status))
			continue;
		if (WIFEXITED(status) && !WEXITSTATUS(status))
			*share_state(w) = WORKER_GONE;
		else
			died(w);
	}
	return n;
}

static void show_workers(void)
{
	u64 n[4] = {before.executions, before.blocked, before.failing, before.steps}, left = 0;
	bool known = true;

	for (u32 i = 0; i < share->x.nworkers; i++) {
		const struct worker *w = &share->worker[i];
		const struct status *s = w->status;

		n[0] += s->executions;
		n[1] += s->blocked;
		n[2] += s->failing;
		n[3] += s->steps;
		known = known && (w->guessed || *share_state(w) != WORKER_WORKS);
		left += w->left > s->executions - w->done ? w->left - (s->executions - w->done) : 0;
	}
	M.status->executions = n[0];
	M.status->blocked = n[1];
	M.status->failing = n[2];
	M.status->steps = n[3];
	known = known && share_trust->estimate &&
		estimate_stable(&figures, (double)(n[0] + left), n[0]);
	M.status->estimate = known ? n[0] + left : 0;
}

static bool share_bound_met(void)
{
	u64 all = share_counted();

	if (share_order_is_ended())
		M.bounds |= BOUND_FINDING;
	else if (clock_look())
		M.bounds |= clock_bound();
	else if (M.options->executions && all >= M.options->executions)
		M.bounds |= BOUND_EXECUTIONS;
	else
		return share->x.stop;
	return true;
}

static void pause_workers(void)
{
	bool all = false;

	share->x.pause = 1;
	for (u32 tries = 0; !all && tries < 5000 && !share->x.stop && !share->x.restart; tries++) {
		all = true;
		for (u32 i = 0; i < share->x.nworkers; i++)
			all = all && share->x.state[i] != WORKER_WORKS;
		if (!all)
			exchange_wait(&share->x, exchange_bell(&share->x), 1);
		reap();
	}
	if (all && !share->order.ending) /* else work has been dropped */
		share_checkpoint_workers(&before);
	share->x.pause = 0;
	exchange_ring(&share->x);
}

/* Ask all workers to stop; kill them after some time. */
static void end_workers(u64 *since)
{
	u64 now = clock_ns();

	if (!*since)
		*since = now;
	for (u32 i = 0; i < share->x.nworkers; i++) {
		struct worker *w = &share->worker[i];

		if (*share_state(w) != WORKER_GONE)
			worker_stop(w->pid, w->status, now >= *since + PATIENCE);
	}
}

static void watch_workers(void)
{
	u64 next = clock_ns() + CHECKPOINT, over = 0;

	while (reap()) {
		u32 seen = exchange_bell(&share->x);

		show_workers();
		if (share_bound_met() && !share->x.stop)
			exchange_stop(&share->x);
		if (clock_is_over)
			end_workers(&over);
		for (u32 i = 0; i < share->x.nworkers; i++)
			if (share->worker[i].record[0].bounds & BOUND_FINDING ||
				share->worker[i].record[1].bounds & BOUND_FINDING)
				share->x.stop = 1;
		if (M.options->checkpoint[0] && clock_ns() >= next) {
			pause_workers();
			next = clock_ns() + CHECKPOINT;
		}
		exchange_wait(&share->x, seen, 20);
	}
}

/* If the remaining work can be resumed, only the counts saved with it are valid. */
static void count_worker(const struct worker *w, const struct record_of *r)
{
	const struct status *s = w->status;
	bool recorded = M.options->checkpoint[0] || r->task == TASK_NONE;

	M.status->executions += recorded ? r->executions : s->executions;
	M.status->blocked += recorded ? r->blocked : s->blocked;
	M.status->failing += recorded ? r->failing : s->failing;
	M.status->steps += recorded ? r->steps : s->steps;
}

/* Collect the workers' counts at the end. */
static bool collect_figures(struct trust *x)
{
	bool all = true;

	M.status->executions = before.executions;
	M.status->blocked = before.blocked;
	M.status->failing = before.failing;
	M.status->steps = before.steps;
	for (u32 i = 0; i < share->x.nworkers; i++) {
		struct worker *w = &share->worker[i];
		const struct record_of *r = share_record(w);

		count_worker(w, r);
		M.bounds |= r->bounds & ~(u32)BOUND_INTERRUPT;
		x->bounded |= r->bounded;
		all = all && r->task == TASK_NONE;
		for (u32 k = 0; k < array_size(w->status->coverage); k++)
			if (w->status->coverage[k][0])
				coverage_note("%s", w->status->coverage[k]);
		if (!w->problem || stopped)
			continue;
		stopped = (enum execute_stop)w->problem;
		snprintf(words, sizeof words, "%s", w->words);
		if (stopped == EXECUTE_REFUSED) {
			memcpy(M.status->note, w->status->note, sizeof M.status->note);
			M.status->state = w->status->state;
		}
	}
	for (u32 i = 0; i < OFFERS; i++)
		all = all && share->x.offer[i].state == OFFER_FREE;
	return all && share->x.next_image >= share_images();
}

/* Memory for the largest number of workers so far. */
static u8 *areas, *data;
static struct status *pages;

static bool need_areas(u32 n)
{
	static u32 most;

	if (n <= most)
		return true;
	if (most) {
		munmap(areas, most * 2 * AREA_SIZE);
		munmap(pages, most * sizeof *pages);
	}
	areas = shared_pages(n * 2 * AREA_SIZE);
	pages = shared_pages(n * sizeof *pages);
	if (!data)
		data = shared_pages(OFFERS * OFFER_SIZE);
	most = areas && pages && data ? n : 0;
	return most;
}

static void prepare(void)
{
	u32 n = (u32)M.options->jobs;

	exchange_begin(&share->x, n);
	for (u32 i = 0; i < n; i++) {
		struct worker *w = &share->worker[i];

		memset(w, 0, sizeof *w);
		w->status = &pages[i];
		w->status->stop = 0;
		memset(w->status->coverage, 0, sizeof w->status->coverage);
		w->area = areas + i * 2 * AREA_SIZE;
	}
	for (u32 i = 0; i < OFFERS; i++)
		share->x.offer[i].data = data + i * OFFER_SIZE;
	share->worker[0].record[0].task = TASK_INHERITED;
	share->worker[0].record[0].place = ++share->x.tickets;
	share->alone = 0;
	for (u32 i = 0; i < GRAPH_THREADS && tls_mode != TLS_ERRNO; i++)
		tls_base(i); /* at the same address in all of them */
}

/* Of what follows a finding that ends the search, some has been explored, and some has not. */
static void miss_checkpoint(void)
{
	coverage_note("no checkpoint: with -j a search ends with its finding "
		      "(--keep-going goes on)");
}

/* Let workers explore the rest of x. END_ALONE: none could be started, and x is unchanged. */
static enum end run_workers(struct trust *x)
{
	struct checkpoint_totals earlier_runs = before;
	bool all;

	prepare();
	execute_finish();
	before = totals();
	share_order_begin();
	share->polls.begun = true;
	if (!start_all()) {
		before = earlier_runs;
		return END_ALONE;
	}
	watch_workers();
	if (share->x.restart && !M.status->stop)
		return END_SHORT;
	all = collect_figures(x) && !share->order.ending;
	share_order_count();
	if (all)
		return END_ALL;
	if (M.options->checkpoint[0] && share->order.ending)
		miss_checkpoint();
	else if (M.options->checkpoint[0])
		share_checkpoint_workers(&before);
	return END_STOPPED;
}

/* --- all of it -------------------------------------------------------------------------------- */

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

	if (!checkpoint_read(M.options->resume, x->graph.places, &before))
		return false;
	M.status->executions = before.executions;
	M.status->blocked = before.blocked;
	M.status->failing = before.failing;
	M.status->steps = before.steps;
	x->bounded = (u32)before.bounded;
	share->polls.begun = true;
	earlier = before.executions + before.blocked;
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
	memset(&figures, 0, sizeof figures);
	memset(&before, 0, sizeof before);
	shared_begin(many ? &share->x.lock : NULL);
	thread_slots_begin();
	execute_promote_begin();
	share_trust = x;
	x->polls = &share->polls;
	x->awaits = &share->awaits;
	x->estimate = M.options->shard ? NULL : &figures;
	x->fixed = true;
	earlier = 0;
	stopped = EXECUTE_GOES_ON;
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
	if (need_areas(jobs))
		return true;
	coverage_note("limit: not enough memory for %u processes, there was one", jobs);
	return false;
}

bool share_explore(struct trust *x, bool (*alone)(const struct trust *x))
{
	bool many = has_many();
	enum end end;

	stays_alone = alone;
	begin_sharing(x, many);
	shard_forget();
	if (M.options->resume[0] && !resume(x)) {
		M.status->state = STATUS_REFUSED;
		stopped = EXECUTE_REFUSED;
		return false;
	}
	do {
		short_alone = many;
		alone_is_over = false;
		alone_until = clock_ns() + ALONE;
		end = run_alone(x);
		short_alone = false;
		if (end == END_SHORT) {
			end = run_workers(x);
			if (end == END_SHORT)
				again(x);
			many = many && end != END_ALONE;
		} else if (end == END_STOPPED && many && M.options->checkpoint[0] &&
			   M.bounds & BOUND_FINDING) {
			miss_checkpoint();
		} else if (end == END_STOPPED && M.options->checkpoint[0] && x->reported) {
			struct checkpoint_totals t = totals();

			share_checkpoint_alone(&t, true);
		}
		if (end == END_STOPPED && M.options->checkpoint[0] && !x->reported && clock_is_over)
			coverage_note("no checkpoint: the last execution did not end in time");
	} while (end == END_SHORT || end == END_ALONE);
	x->over = end == END_ALL;
	shard_end(x);
	if (x->over)
		M.status->estimate = 0;
	if (stopped == EXECUTE_GOES_ON && end == END_STOPPED && !x->reported) {
		divergence_end(x);
		stopped = execute_stopped();
		snprintf(words, sizeof words, "%s", execute_words());
	}
	return true;
}
