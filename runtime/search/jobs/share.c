/* SPDX-License-Identifier: ISC */
/* share.c - see share.h: a worker, and the state that all processes share. */
#include "search/limit/model_file.h"
#include "search/jobs/share_priv.h"
#include "search/jobs/divergence.h"
#include "search/jobs/worker.h"
#include "machine/execution/clock.h"
#include "process/stop.h"
#include "process/shared.h"
#include "process/sys.h"
#include "trust/estimate.h"
#include "trust/image/frontier.h"

#include <stdio.h>
#include <string.h>

struct share *share;
struct trust *share_trust;

static struct worker *self; /* NULL in the parent */

void share_count_cut(void)
{
	struct status *s = self ? worker_common() : M.status;

	__atomic_add_fetch(&s->cut, 1, __ATOMIC_RELAXED);
}

bool share_is_worker(void)
{
	return self;
}

/* --- records ---------------------------------------------------------------------------------- */

static struct counted counted(void)
{
	const struct status *s = worker_own();

	return (struct counted){s->executions, s->blocked, s->failing, s->steps};
}

/* Of the current task. */
static u64 own_place(void)
{
	return share_record(self)->place;
}

/* Counted in the current task, since its last finding. */
static struct counted own_counted(void)
{
	const struct counted *begun = &share_record(self)->begun;
	struct counted t = counted();

	t.executions -= begun->executions;
	t.blocked -= begun->blocked;
	t.failing -= begun->failing;
	t.steps -= begun->steps;
	return t;
}

/* Publish the counts so far together with the next task. */
static void publish_record(enum share_task task, u32 area, size_t size, u64 ticket, u64 place)
{
	u32 other = 1 - self->current;
	struct record_of *r = &self->record[other];

	r->executions = M.status->executions;
	r->blocked = M.status->blocked;
	r->failing = M.status->failing;
	r->steps = M.status->steps;
	r->task = task;
	r->area = area;
	r->size = size;
	r->ticket = ticket;
	r->place = place;
	r->begun = place == share_record(self)->place ? share_record(self)->begun : counted();
	r->bounds = M.bounds;
	r->bounded = share_record(self)->bounded | share_trust->bounded | model_file_left_out();
	r->ngiven = 0;
	__atomic_store_n(&self->current, other, __ATOMIC_SEQ_CST);
}

static u8 *area(u32 half)
{
	return self->area + half * AREA_SIZE;
}

static u32 free_area(void)
{
	const struct record_of *r = share_record(self);

	return r->task == TASK_IMAGE ? 1 - r->area : 0;
}

/* Publish the remaining work, at a leaf. */
static bool commit_frontier(void)
{
	u32 half = free_area();
	size_t size = frontier_export(share_trust, true, area(half), AREA_SIZE);

	if (size)
		publish_record(TASK_IMAGE, half, size, 0, own_place());
	return size;
}

/* --- giving ----------------------------------------------------------------------------------- */

static u32 own_id(void)
{
	return (u32)(self - share->worker);
}

static void give(void)
{
	struct record_of *r = share_record(self);
	struct offer *o;

	if (!frontier_may_give(share_trust))
		return;
	if (r->ngiven == GIVEN_MAX) {
		commit_frontier();
		return;
	}
	o = exchange_reserve(&share->x, own_id());
	if (!o)
		return;
	o->size = frontier_give(share_trust, o->data, OFFER_SIZE, &o->number);
	if (o->size) {
		shared_take(&share->x.lock);
		succession_give(&share->order, r->place, o->ticket);
		shared_give(&share->x.lock);
		r->given[r->ngiven] = o->number;
		__atomic_store_n(&r->ngiven, r->ngiven + 1, __ATOMIC_SEQ_CST);
	}
	exchange_offer(&share->x, o, o->size);
}

/* Does a finding that ends the search precede the current task? */
static bool is_late(void)
{
	static u32 seen;
	static u64 place;
	static bool late;

	if (likely(!share->order.ending))
		return false;
	if (seen == share->order.changes && place == own_place())
		return late;
	shared_take(&share->x.lock);
	seen = share->order.changes;
	place = own_place();
	late = succession_is_late(&share->order, place);
	shared_give(&share->x.lock);
	return late;
}

/* --- at each leaf ----------------------------------------------------------------------------- */

static void estimate(void)
{
	double leaves = (double)trust_leaves(share_trust),
	       left = estimate_leaves(share_trust) - leaves;

	left *= (double)(share_trust->complete + share_trust->failing) / leaves;
	self->left = left > 0 ? (u64)left : 0;
	self->done = M.status->executions;
	self->guessed = true;
}

bool share_repeats(void)
{
	return M.options->checkpoint[0] && share_trust->ngiven &&
	       !frontier_may_give(share_trust);
}

/* Another worker's trial executions must not change what this one knows, nor the reverse. */
static void stand_aside(void)
{
	self->aside = true;
	while (share->alone && !share->x.stop && !share->x.restart)
		exchange_wait(&share->x, exchange_bell(&share->x), 5);
	self->aside = false;
}

static void pause_here(void)
{
	commit_frontier();
	exchange_become(&share->x, own_id(), WORKER_PAUSED);
	while (share->x.pause && !share->x.stop)
		exchange_wait(&share->x, exchange_bell(&share->x), 20);
	exchange_become(&share->x, own_id(), WORKER_WORKS);
}

static bool worker_leaf(void)
{
	static u32 n;
	static u64 next;

	if (unlikely(share->x.restart || (share->x.stop && !share_repeats())))
		return false;
	if (unlikely(share->x.pause) && !share_repeats())
		pause_here();
	if (unlikely(share->alone))
		stand_aside();
	if (unlikely(is_late()))
		return false;
	if (unlikely(exchange_wants(&share->x)))
		give();
	if (unlikely(++n % 1024 == 0) && share_trust->estimate && clock_ns() >= next) {
		estimate();
		next = clock_ns() + 1000000000;
	}
	return true;
}

/* --- a finding -------------------------------------------------------------------------------- */

void share_enter(void)
{
	if (self)
		self->aside = true;
	worker_enter();
	if (self)
		self->aside = false;
}

enum search_verdict share_found(u32 finding, enum search_verdict verdict)
{
	struct counted t;
	bool late;

	if (!self)
		return verdict;
	t = own_counted();
	shared_take(&share->x.lock);
	succession_find(&share->order, own_place(), finding, verdict != SEARCH_IGNORES, &t);
	share_record(self)->begun = counted();
	late = succession_is_late(&share->order, own_place());
	shared_give(&share->x.lock);
	if (share->order.ending)
		exchange_ring(&share->x);
	return verdict == SEARCH_IGNORES ? verdict : late ? SEARCH_STOPS : SEARCH_GOES_ON;
}

bool share_precedes(u32 finding)
{
	bool before;

	if (!self)
		return false;
	shared_take(&share->x.lock);
	before = succession_precedes(&share->order, own_place(), finding);
	shared_give(&share->x.lock);
	return before;
}

#define ALONE_WITHIN 2000 /* milliseconds */

static bool is_alone(void)
{
	for (u32 i = 0; i < share->x.nworkers; i++) {
		const struct worker *w = &share->worker[i];
		u32 s = *share_state(w);

		if (w != self && !w->aside && s != WORKER_IDLE && s != WORKER_GONE)
			return false;
	}
	return true;
}

bool share_be_alone(void)
{
	u64 until = clock_ns() + ALONE_WITHIN * 1000000ull;

	if (!self)
		return true;
	share->alone = own_id() + 1;
	exchange_ring(&share->x);
	while (!is_alone() && clock_ns() < until && !share->x.stop && !share->x.restart)
		exchange_wait(&share->x, exchange_bell(&share->x), 1);
	return is_alone();
}

void share_be_together(void)
{
	if (!self)
		return;
	share->alone = 0;
	exchange_ring(&share->x);
}

/* --- a worker --------------------------------------------------------------------------------- */

static void accept(struct offer *o)
{
	u32 half = free_area();

	memcpy(area(half), o->data, o->size);
	publish_record(TASK_IMAGE, half, o->size, o->ticket, o->ticket);
	exchange_done(o);
}

/* An image of the file: those with higher numbers come after it. */
static void accept_image(u32 image)
{
	u64 place;

	shared_take(&share->x.lock);
	place = ++share->x.tickets;
	succession_give(&share->order, 0, place);
	shared_give(&share->x.lock);
	publish_record(TASK_FILE, image, 0, 0, place);
}

/* The current task is over. */
static void end_task(void)
{
	const struct counted t = own_counted();

	shared_take(&share->x.lock);
	succession_end(&share->order, own_place(), &t);
	shared_give(&share->x.lock);
	if (share->order.ending)
		exchange_ring(&share->x);
	publish_record(TASK_NONE, 0, 0, 0, 0);
}

/* Find a task; false: all is done, or stopped. */
static bool find_task(void)
{
	struct offer *o;
	u32 image;

	switch (exchange_find(&share->x, own_id(), share_images(), 100, &o, &image)) {
	case EXCHANGE_OFFER:
		accept(o);
		return true;
	case EXCHANGE_IMAGE:
		accept_image(image);
		return true;
	default:
		return false;
	}
}

static void problem(enum execute_stop what, const char *words)
{
	snprintf(self->words, sizeof self->words, "%s", words);
	self->problem = what;
	exchange_stop(&share->x);
}

/* The explorer has the task in the record; false: its image is damaged. */
static bool begin_task(void)
{
	static char words[sizeof self->words];
	static u64 given[GIVEN_MAX];
	struct record_of *r = share_record(self);
	const char *wrong = NULL;
	const void *image = area(r->area);
	size_t size = r->size;

	if (r->task == TASK_FILE)
		image = share_image(r->area, &size);
	if (r->task != TASK_INHERITED)
		wrong = frontier_import(share_trust, image, size, r->task == TASK_FILE);
	if (wrong) { /* by the file: other workers' images are valid */
		snprintf(words, sizeof words, "%s: %s", M.options->resume, wrong);
		problem(EXECUTE_DIVERGED, words);
		return false;
	}
	stand_aside();
	for (u32 i = 0; i < r->ngiven; i++)
		given[i] = r->given[i];
	share_trust->given = given;
	share_trust->ngiven = r->ngiven;
	return true;
}

/* All results are void: every worker ends. */
static void ask_for_restart(void)
{
	shared_lock();
	if (share->lanes < share_trust->graph.lanes)
		share->lanes = share_trust->graph.lanes;
	shared_unlock();
	share->x.restart = 1;
	exchange_ring(&share->x);
}

/* Explore the task in the record; false: not to the end. */
static bool explore_task(void)
{
	if (is_late()) {
		end_task();
		return true;
	}
	if (!begin_task())
		return false;
	trust_run(share_trust);
	if (share_trust->answer == ANSWER_RESTART) {
		ask_for_restart();
		return false;
	}
	if (share_trust->over) {
		end_task();
		self->left = 0;
		return true;
	}
	if (share->x.restart)
		return false;
	if (is_late()) {
		M.bounds &= ~(u32)BOUND_FINDING;
		end_task();
		return true;
	}
	if (share_trust->reported)
		commit_frontier();
	else {
		divergence_end(share_trust);
		problem(execute_stopped(), execute_words());
	}
	return false;
}

void share_work(u32 id)
{
	const struct record_of *r;

	self = &share->worker[id];
	self->aside = false;
	r = share_record(self);
	worker_begin(self->status, &share->findings_lock);
	M.status->executions = r->executions;
	M.status->blocked = r->blocked;
	M.status->failing = r->failing;
	M.status->steps = r->steps;
	M.status->strategy = STRATEGY_GRAPH;
	M.bounds = r->bounds;
	share_trust->fixed = true;
	if (r->task == TASK_NONE || explore_task())
		while (find_task() && explore_task())
			;
	if (share_record(self)->bounds != M.bounds)
		share_record(self)->bounds = M.bounds;
	stop_exit(0);
}

/* --- at a leaf -------------------------------------------------------------------------------- */

bool share_leaf(void)
{
	if (!share || share_trust->answer != ANSWER_LABEL)
		return true;
	return self ? worker_leaf() : share_alone_leaf();
}
