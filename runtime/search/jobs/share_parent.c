/* SPDX-License-Identifier: ISC */
/* share_parent.c - see share.h: the parent of workers. */
#include "search/jobs/share_priv.h"
#include "search/jobs/worker.h"
#include "machine/execution/clock.h"
#include "process/shared.h"
#include "process/sys.h"
#include "process/tls.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define DEATHS	   3 /* times that a worker may be killed */
#define PATIENCE   350000000 /* nanoseconds for stopped workers to end */

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
	const struct checkpoint_totals *before = &share_run.before;
	u64 n[4] = {before->executions, before->blocked, before->failing, before->steps}, left = 0;
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
		estimate_stable(&share_run.estimate, (double)(n[0] + left), n[0]);
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
		share_checkpoint_workers(&share_run.before);
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
	const struct checkpoint_totals *before = &share_run.before;
	bool all = true;

	M.status->executions = before->executions;
	M.status->blocked = before->blocked;
	M.status->failing = before->failing;
	M.status->steps = before->steps;
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
		if (!w->problem || share_run.stopped)
			continue;
		share_run.stopped = (enum execute_stop)w->problem;
		snprintf(share_run.words, sizeof share_run.words, "%s", w->words);
		if (share_run.stopped == EXECUTE_REFUSED) {
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

bool share_has_room(u32 n)
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

void share_miss_checkpoint(void)
{
	coverage_note("no checkpoint: with -j a search ends with its finding "
		      "(--keep-going goes on)");
}

enum share_end share_run_workers(struct trust *x)
{
	struct checkpoint_totals earlier_runs = share_run.before;
	bool all;

	prepare();
	execute_finish();
	share_run.before = share_totals();
	share_order_begin();
	share->polls.begun = true;
	if (!start_all()) {
		share_run.before = earlier_runs;
		return SHARE_ALONE;
	}
	watch_workers();
	if (share->x.restart && !M.status->stop)
		return SHARE_SHORT;
	all = collect_figures(x) && !share->order.ending;
	share_order_count();
	if (all)
		return SHARE_ALL;
	if (M.options->checkpoint[0] && share->order.ending)
		share_miss_checkpoint();
	else if (M.options->checkpoint[0])
		share_checkpoint_workers(&share_run.before);
	return SHARE_STOPPED;
}
