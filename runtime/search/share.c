/* SPDX-License-Identifier: ISC */
/* share.c - see share.h: a worker, and what all processes have in common. */
#include "search/share_priv.h"
#include "process/input.h"
#include "process/output.h"
#include "machine/signal.h"
#include "process/stop.h"
#include "process/shared.h"
#include "process/sys.h"
#include "explore/estimate.h"
#include "explore/frontier.h"

#include <linux/futex.h>
#include <stdio.h>
#include <string.h>

struct share *share;
struct trust *share_trust;

static struct worker *self; /* NULL in the parent */
static struct status *main_status;

/* --- the bell, counts ---------------------------------------------------------------------------- */

void share_ring(void)
{
	__atomic_add_fetch(&share->bell, 1, __ATOMIC_SEQ_CST);
	sys_call4(SYS_futex, (long)&share->bell, FUTEX_WAKE, 1 << 20, 0);
}

void share_wait_bell(u32 seen, u32 milliseconds)
{
	struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};

	sys_call4(SYS_futex, (long)&share->bell, FUTEX_WAIT, seen, (long)&t);
}

/* Under the lock. */
void share_count_offers(void)
{
	u32 idle = 0, ready = 0;

	for (u32 i = 0; i < OFFERS; i++)
		ready += share->offer[i].state == OFFER_READY;
	for (u32 i = 0; i < share->nworkers; i++)
		idle += share->worker[i].state == WORKER_IDLE;
	share->idle = idle;
	share->ready = ready;
}

static void set_state(enum worker_state s)
{
	shared_lock();
	self->state = s;
	share_count_offers();
	shared_unlock();
}

/* --- findings ------------------------------------------------------------------------------------ */

void share_enter(void)
{
	if (!self)
		return;
	shared_take(&share->findings_lock);
	status_use(main_status);
}

void share_leave(void)
{
	if (!self)
		return;
	status_use(self->status);
	shared_give(&share->findings_lock);
}

bool share_is_worker(void)
{
	return self;
}

/* --- records ------------------------------------------------------------------------------------- */

/* What has been counted is done, and this is what I do now. */
static void commit(enum task task, u32 area, size_t size, u64 ticket)
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
	r->bounds = M.bounds;
	r->bounded = share_record(self)->bounded | share_trust->bounded;
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

/* All that is left, as it stands at a leaf. */
static bool commit_frontier(void)
{
	u32 half = free_area();
	size_t size = frontier_export(share_trust, true, area(half), AREA_SIZE);

	if (size)
		commit(TASK_IMAGE, half, size, 0);
	return size;
}

/* --- giving ---------------------------------------------------------------------------------------- */

static struct offer *reserve_offer(void)
{
	struct offer *o = NULL;

	shared_lock();
	for (u32 i = 0; i < OFFERS && !o; i++)
		if (share->offer[i].state == OFFER_FREE)
			o = &share->offer[i];
	if (o) {
		o->state = OFFER_FILLING;
		o->owner = (u32)(self - share->worker);
		o->number = ESTIMATE_NONE;
		o->ticket = ++share->tickets;
	}
	shared_unlock();
	return o;
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
	o = reserve_offer();
	if (!o)
		return;
	o->size = frontier_give(share_trust, o->data, OFFER_SIZE, &o->number);
	if (o->size) {
		r->given[r->ngiven] = o->number;
		__atomic_store_n(&r->ngiven, r->ngiven + 1, __ATOMIC_SEQ_CST);
	}
	shared_lock();
	o->state = o->size ? OFFER_READY : OFFER_FREE;
	share_count_offers();
	shared_unlock();
	share_ring();
}

/* --- at each leaf -------------------------------------------------------------------------------- */

static void estimate(void)
{
	double leaves = (double)trust_leaves(share_trust), left = estimate_leaves(share_trust) - leaves;

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

static void pause_here(void)
{
	commit_frontier();
	set_state(WORKER_PAUSED);
	while (share->pause && !share->stop)
		share_wait_bell(share->bell, 20);
	set_state(WORKER_WORKS);
}

static bool worker_leaf(void)
{
	static u32 n;
	static u64 next;

	if (unlikely(share->restart || (share->stop && !share_repeats())))
		return false;
	if (unlikely(share->pause) && !share_repeats())
		pause_here();
	if (unlikely(share->idle > share->ready))
		give();
	if (unlikely(++n % 1024 == 0) && clock_ns() >= next) {
		estimate();
		next = clock_ns() + 1000000000;
	}
	return true;
}

/* --- a worker ------------------------------------------------------------------------------------ */

static struct offer *take_offer(void)
{
	for (u32 i = 0; i < OFFERS; i++) {
		struct offer *o = &share->offer[i];

		if (o->state != OFFER_READY)
			continue;
		o->state = OFFER_TAKEN;
		o->owner = (u32)(self - share->worker);
		return o;
	}
	return NULL;
}

static void accept(struct offer *o)
{
	u32 half = free_area();

	memcpy(area(half), o->data, o->size);
	commit(TASK_IMAGE, half, o->size, o->ticket);
	o->state = OFFER_FREE;
}

/* Something to do; false: all is done, or is to end. */
static bool find_task(void)
{
	for (;;) {
		u32 seen = share->bell, image = 0;
		struct offer *o;

		if (share->over || share->stop || share->restart)
			return false;
		shared_lock();
		o = take_offer();
		if (!o && share->next_image < checkpoint_images())
			image = ++share->next_image;
		self->state = o || image ? WORKER_WORKS : WORKER_IDLE;
		share_count_offers();
		if (share->idle == share->nworkers)
			share->over = 1;
		shared_unlock();
		if (o) {
			accept(o);
			return true;
		}
		if (image) {
			commit(TASK_FILE, image - 1, 0, 0);
			return true;
		}
		if (share->over)
			share_ring();
		else
			share_wait_bell(seen, 100);
	}
}

static void problem(enum execute_stop what, const char *words)
{
	snprintf(self->words, sizeof self->words, "%s", words);
	self->problem = what;
	share->stop = 1;
	share_ring();
}

/* Explore what the record says; false: not to the end. */
static bool explore_task(void)
{
	static u64 given[GIVEN_MAX];
	struct record_of *r = share_record(self);
	const char *wrong = NULL;
	const void *image = area(r->area);
	size_t size = r->size;

	if (r->task == TASK_FILE)
		image = checkpoint_image(r->area, &size);
	if (r->task != TASK_INHERITED)
		wrong = frontier_import(share_trust, image, size);
	if (wrong) {
		problem(EXECUTE_DIVERGED, wrong);
		return false;
	}
	for (u32 i = 0; i < r->ngiven; i++)
		given[i] = r->given[i];
	share_trust->given = given;
	share_trust->ngiven = r->ngiven;
	trust_run(share_trust);
	if (share_trust->answer == ANSWER_RESTART) {
		shared_lock();
		if (share->lanes < share_trust->graph.lanes)
			share->lanes = share_trust->graph.lanes;
		shared_unlock();
		share->restart = 1;
		share_ring();
		return false;
	}
	if (share_trust->over) {
		commit(TASK_NONE, 0, 0, 0);
		self->left = 0;
		return true;
	}
	if (share->restart)
		return false;
	if (share_trust->told)
		commit_frontier();
	else
		problem(execute_stopped(), execute_words());
	return false;
}

void share_work(u32 id)
{
	const struct record_of *r;

	main_status = M.status;
	shared_forked();
	self = &share->worker[id];
	r = share_record(self);
	status_use(self->status);
	M.status->executions = r->executions;
	M.status->blocked = r->blocked;
	M.status->failing = r->failing;
	M.status->steps = r->steps;
	M.status->strategy = STRATEGY_GRAPH;
	M.bounds = r->bounds;
	share_trust->fixed = true;
	signals_forked();
	output_forked();
	input_forked();
	if (r->task == TASK_NONE || explore_task())
		while (find_task() && explore_task())
			;
	if (share_record(self)->bounds != M.bounds)
		share_record(self)->bounds = M.bounds;
	stop_exit(0);
}

/* --- at a leaf ----------------------------------------------------------------------------------- */

bool share_leaf(void)
{
	if (!share || share_trust->answer != ANSWER_LABEL)
		return true;
	return self ? worker_leaf() : share_alone_leaf();
}
