/* SPDX-License-Identifier: ISC */
/* sample_share.c - see sample_share.h. */
#include "search/jobs/sample_share.h"
#include "machine/execution/clock.h"
#include "process/shared.h"
#include "process/stop.h"
#include "process/sys.h"
#include "search/limit/bound.h"
#include "search/jobs/round_counts.h"
#include "search/jobs/worker.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_ROUND UINT32_MAX
#define PART	 256 /* executions of a small round */
#define PATIENCE 350000000 /* nanoseconds for stopped processes to end */

struct sampler {
	volatile u32 round; /* the current one; NO_ROUND: it has ended */
	volatile bool waits; /* with a finding */
	bool asked;	     /* asked to stop: the executions that it leaves out are no bound */
	i32 pid;
	u32 bounds;
	struct status *status;
};

static struct all {
	volatile u32 lock, findings_lock, bell;
	volatile u32 best; /* round with a finding; NO_ROUND: none */
	volatile u32 stopped; /* enum execute_stop */
	char words[EXECUTE_WORDS];
	u32 n;
	bool parts;
	u32 nfindings; /* before all rounds */
	struct found {
		u32 round;
		u64 executions; /* of its process, before its round */
	} found[STATUS_FINDINGS];
	struct sampler sampler[JOBS_MAX];
} *all; /* in shared memory */

static volatile bool *taken; /* part i, by some process: [SAMPLES_PARTS], in shared memory */
static u32 only = NO_ROUND;  /* the parent makes this round again */

static struct sampler *self; /* NULL in the parent */

/* --- a finding ------------------------------------------------------------------------------- */

/* Does another process still make a lower round? When time is up, those that wait count. */
static bool is_preceded(void)
{
	for (u32 i = 0; i < all->n; i++)
		if (all->sampler[i].round < self->round &&
			(!clock_is_over || all->sampler[i].waits))
			return true;
	return false;
}

static bool is_unfinished_before(void)
{
	for (u32 i = 0; i < all->n; i++)
		if (all->sampler[i].round < self->round)
			return true;
	return false;
}

bool samples_turn(void)
{
	if (!self)
		return true;
	self->waits = true;
	worker_leave();
	for (;;) {
		u32 seen = all->bell;

		if (all->best < self->round || !is_preceded())
			break;
		shared_wait(&all->bell, seen, 20);
	}
	self->waits = false;
	worker_enter();
	if (all->best < self->round)
		return false;
	if (is_unfinished_before())
		coverage_note(WORKER_LATE);
	if (M.status->nfindings < STATUS_FINDINGS)
		all->found[M.status->nfindings] =
			(struct found){self->round, round_counts_executions()};
	return true;
}

void samples_problem(enum execute_stop why, const char *words)
{
	if (!self || all->stopped)
		return;
	snprintf(all->words, sizeof all->words, "%s", words);
	all->stopped = why;
}

enum execute_stop samples_stopped(void)
{
	return all ? (enum execute_stop)all->stopped : EXECUTE_GOES_ON;
}

const char *samples_words(void)
{
	return all->words;
}

/* --- parts ------------------------------------------------------------------------------------ */

bool samples_take(u64 part)
{
	if (!self)
		return only == NO_ROUND || part + 1 == only;
	if (part < SAMPLES_PARTS ? __atomic_exchange_n(&taken[part], true, __ATOMIC_RELAXED)
				 : self != all->sampler)
		return false;
	round_counts_leave(self->round);
	__atomic_store_n(&self->round,
		part < SAMPLES_PARTS ? (u32)part + 1 : SAMPLES_PARTS + 1, __ATOMIC_SEQ_CST);
	shared_ring(&all->bell);
	return self->round <= all->best;
}

/* --- a process ------------------------------------------------------------------------------- */

static void end_round(u32 next)
{
	if (M.bounds & BOUND_FINDING && self->round < all->best)
		all->best = self->round;
	round_counts_leave(self->round);
	self->bounds = M.bounds;
	self->waits = false;
	__atomic_store_n(&self->round, next, __ATOMIC_SEQ_CST);
	shared_ring(&all->bell);
}

static u32 shards_of(const struct samples *s)
{
	return s->local ? 1 : option_shards(M.options);
}

static u32 sample_shard(const struct samples *s)
{
	return s->local ? 0 : option_shard(M.options);
}

static _Noreturn void sample(const struct samples *s, u32 id)
{
	u32 end = s->rounds < NO_ROUND - s->first ? s->first + s->rounds : NO_ROUND;

	self = &all->sampler[id];
	worker_begin(self->status, &all->findings_lock);
	round_counts_enter();
	while (self->round < end && self->round < all->best) {
		u64 next = (u64)self->round + (u64)all->n * shards_of(s);

		if (!s->round(self->round, s->ctx) || all->stopped || next >= end)
			break;
		end_round((u32)next);
	}
	end_round(NO_ROUND);
	stop_exit(0);
}

/* --- the parent ------------------------------------------------------------------------------ */

static bool need_parts(void)
{
	if (!taken)
		taken = shared_pages(SAMPLES_PARTS);
	if (taken)
		memset((void *)(uintptr_t)taken, 0, SAMPLES_PARTS);
	return taken;
}

static bool need_memory(u32 n, const struct samples *s)
{
	static struct status *pages;
	static u32 most;

	if (!all)
		all = shared_pages(sizeof *all);
	if (all && n > most) {
		pages = shared_pages(n * sizeof *pages);
		most = pages ? n : 0;
	}
	if (!all || !most || (s->parts && !need_parts()) || !round_counts_begin(s->first))
		return false;
	memset(all, 0, sizeof *all);
	all->best = NO_ROUND;
	all->n = n;
	all->parts = s->parts;
	all->nfindings = M.status->nfindings;
	shared_begin(&all->lock);
	for (u32 i = 0; i < n; i++) {
		struct status *own = all->sampler[i].status = &pages[i];

		memcpy(own, M.status, offsetof(struct status, nchoices));
		own->executions = own->blocked = own->cut = own->failing = own->steps = 0;
		own->stop = own->nfindings = own->unconfirmed = 0;
		memset(&own->pct, 0, sizeof own->pct);
		memset(own->coverage, 0, sizeof own->coverage);
	}
	return true;
}

/* The first round of the i-th process, of all that there are in all shards. */
static u32 first_round(const struct samples *s, u32 i)
{
	u64 first = (u64)i * shards_of(s) + sample_shard(s);

	return first < s->rounds ? s->first + (u32)first : NO_ROUND;
}

/* Start as many as possible; returns their number. */
static u32 start_samplers(const struct samples *s)
{
	for (u32 i = 0; i < all->n; i++)
		all->sampler[i].round = s->parts ? s->first : first_round(s, i);
	for (u32 i = 0; i < all->n; i++) {
		long pid = worker_fork();

		if (pid == 0)
			sample(s, i);
		if (pid < 0) { /* its rounds are left out */
			coverage_note("limit: %u of %u worker processes could be started "
				      "(ulimit -u?)", i, all->n);
			for (u32 k = i; k < all->n; k++)
				all->sampler[k].round = NO_ROUND;
			return all->n = i;
		}
		all->sampler[i].pid = (i32)pid;
	}
	return all->n;
}

/* The program ended that process within an execution: end likewise. */
static void follow_lost(const struct sampler *w, int code)
{
	const struct status *s = w->status;

	memcpy(M.status->choices, s->choices, s->nchoices * sizeof *s->choices);
	M.status->nchoices = s->nchoices;
	M.status->strategy = s->strategy;
	if (WIFSIGNALED(code))
		sys_call4(SYS_kill, sys_call4(SYS_getpid, 0, 0, 0, 0), WTERMSIG(code), 0, 0);
	sys_call4(SYS_exit_group, WIFSIGNALED(code) ? 128 + WTERMSIG(code) : WEXITSTATUS(code), 0,
		0, 0);
}

/* Returns the number of processes that have not ended. */
static u32 reap_samplers(void)
{
	u32 n = 0;

	for (u32 i = 0; i < all->n; i++) {
		struct sampler *w = &all->sampler[i];
		int code = 0;

		if (!w->pid)
			continue;
		n++;
		if (!worker_ended(w->pid, &code))
			continue;
		if (all->findings_lock == (u32)w->pid)
			shared_give(&all->findings_lock);
		if (all->lock == (u32)w->pid)
			shared_give(&all->lock);
		w->pid = 0;
		if (code && !w->asked)
			follow_lost(w, code);
		__atomic_store_n(&w->round, NO_ROUND, __ATOMIC_SEQ_CST);
		shared_ring(&all->bell);
	}
	return n;
}

/* Add the workers' counts to the earlier ones. */
static void add_figures_of_all(struct figures sum)
{
	for (u32 i = 0; i < all->n; i++) {
		const struct status *w = all->sampler[i].status;

		figures_add(&sum, &(struct figures){w->executions, w->blocked, w->cut, w->failing,
					  w->steps, 0});
	}
	figures_show(&sum);
}

/* All rounds below it have ended. */
static u32 lowest_round(void)
{
	u32 lowest = NO_ROUND;

	for (u32 i = 0; i < all->n; i++)
		if (all->sampler[i].round < lowest)
			lowest = all->sampler[i].round;
	return lowest;
}

static bool is_bound_met(const struct figures *before)
{
	u64 most = M.options->executions;
	u32 round;

	if (clock_look())
		M.bounds |= clock_bound();
	else
		return all->stopped ||
		       (most && round_counts_reach(most, lowest_round(), before, &round));
	return true;
}

/* Stop the processes whose rounds do not count. */
static void stop_some(bool every, u64 *since)
{
	u64 now = clock_ns();

	if (every && !*since)
		*since = now;
	for (u32 i = 0; i < all->n; i++) {
		struct sampler *w = &all->sampler[i];

		if (!w->pid || !(every || w->round > all->best))
			continue;
		w->asked = true;
		worker_stop(w->pid, w->status, every && now >= *since + PATIENCE);
	}
}

static void watch_samplers(const struct figures *before)
{
	u64 over = 0;

	while (reap_samplers()) {
		u32 seen = all->bell;

		add_figures_of_all(*before);
		stop_some(is_bound_met(before), &over);
		shared_wait(&all->bell, seen, 20);
	}
	add_figures_of_all(*before);
}

static void add_pct(struct status_pct *to, const struct status_pct *from)
{
	for (u32 i = 0; i < STATUS_DEPTHS; i++)
		to->executions[i] += from->executions[i];
	to->agents = from->agents > to->agents ? from->agents : to->agents;
	to->steps = from->steps > to->steps ? from->steps : to->steps;
}

/* Findings have the numbers of executions that one process has. */
static void count_findings(const struct figures *before)
{
	for (u32 i = all->nfindings; i < M.status->nfindings; i++) {
		const struct found *f = &all->found[i];

		M.status->findings[i].execution +=
			round_counts_below(f->round, *before).executions - f->executions;
	}
}

static void drop_findings(u32 round)
{
	struct status *s = M.status;

	while (s->nfindings > all->nfindings && all->found[s->nfindings - 1].round >= round)
		unlink(s->findings[--s->nfindings].replay);
}

static void collect(void)
{
	for (u32 i = 0; i < all->n; i++) {
		const struct sampler *w = &all->sampler[i];
		const struct status *s = w->status;

		add_pct(&M.status->pct, &s->pct);
		for (u32 k = 0; k < array_size(s->coverage); k++)
			if (s->coverage[k][0])
				coverage_note("%s", s->coverage[k]);
		if (s->state == M.status->state)
			continue;
		memcpy(M.status->note, s->note, sizeof s->note);
		M.status->state = s->state;
		if (s->state == STATUS_REFUSED)
			M.outcome = OUTCOME_REFUSE;
	}
}

/* The search ends with the round `all->best', or before it: later ones do not count. */
static void count_rounds(const struct figures *before)
{
	if (all->best != NO_ROUND) {
		struct figures sum = round_counts_until(all->best, *before);

		figures_show(&sum);
		M.bounds |= sum.bounds & ~(u32)BOUND_INTERRUPT;
	} else {
		for (u32 i = 0; i < all->n; i++) {
			const struct sampler *w = &all->sampler[i];

			M.bounds |= w->asked ? w->bounds & ~(u32)BOUND_INTERRUPT : w->bounds;
		}
	}
	if (!M.options->keep_going && M.status->failing > 1)
		M.status->failing = 1; /* of the others there is no finding */
}

/* In which round does one process stop, by --executions? */
static bool executions_end(const struct figures *before, u32 *round)
{
	u64 most = M.options->executions;
	struct figures sum;

	if (!most || clock_is_over || all->stopped)
		return false;
	if (all->best == NO_ROUND)
		return round_counts_reach(most, lowest_round(), before, round);
	if (round_counts_reach(most, all->best, before, round))
		return true;
	*round = all->best;
	sum = round_counts_until(*round, *before);
	return sum.executions + sum.blocked > most;
}

/* It stops within this round, or at its end. */
static void end_within(u32 round, const struct samples *s, const struct figures *before)
{
	struct figures sum = round_counts_until(round, *before);
	bool at_end = sum.executions + sum.blocked == M.options->executions;

	if (!at_end)
		sum = round_counts_below(round, *before);
	drop_findings(round + at_end);
	count_findings(before);
	figures_show(&sum);
	M.bounds |= sum.bounds & ~(u32)BOUNDS_STOPPING;
	if (at_end) {
		M.bounds |= BOUND_EXECUTIONS;
		return;
	}
	only = round;
	s->round(round, s->ctx);
	only = NO_ROUND;
}

/* The number of rounds of few executions, --executions in all. */
static u32 samples_rounds(void)
{
	u64 most = M.options->executions;

	return most && most / PART < NO_ROUND ? (u32)((most + PART - 1) / PART) : NO_ROUND;
}

u64 samples_size(u32 number)
{
	u64 most = M.options->executions, before = (u64)number * PART;

	return most && most - before < PART ? most - before : PART;
}

void samples_make(const struct samples *s)
{
	const struct figures before = figures_own();
	u32 jobs = (u32)M.options->jobs, round;

	if (jobs > 1 && s->rounds > 1 && need_memory(jobs, s) && start_samplers(s)) {
		watch_samplers(&before);
		collect();
		if (executions_end(&before, &round)) {
			end_within(round, s, &before);
			return;
		}
		count_findings(&before);
		count_rounds(&before);
		return;
	}
	for (u64 i = sample_shard(s); i < s->rounds && s->round(s->first + (u32)i, s->ctx);
		i += shards_of(s))
		;
}

void samples_make_all(bool (*round)(u32 number, const void *ctx), const void *ctx)
{
	const struct options *o = M.options;
	u32 rounds = samples_rounds();
	struct samples s = {(u32)o->first_round, rounds, round, ctx};

	if (o->rounds) {
		rounds = rounds > s.first ? rounds - s.first : 0;
		s.rounds = o->rounds < rounds ? (u32)o->rounds : rounds;
	}
	samples_make(&s);
	if ((o->shard || o->rounds) && o->executions && !bounds_stopped())
		M.bounds |= BOUND_EXECUTIONS; /* of all shards */
}
