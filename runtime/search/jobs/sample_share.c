/* SPDX-License-Identifier: ISC */
/* sample_share.c - see sample_share.h. */
#include "search/jobs/sample_share.h"
#include "machine/execution/clock.h"
#include "process/shared.h"
#include "process/stop.h"
#include "process/sys.h"
#include "search/limit/bound.h"
#include "search/jobs/worker.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

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
	struct part_found {
		u32 finding;	/* its index + 1; 0: none */
		u64 executions; /* of its process, before its part */
	} found;
	struct sampler sampler[JOBS_MAX];
} *all; /* in shared memory */

struct figures {
	u64 executions, blocked, failing, steps;
};

static struct figures at_begin; /* of the current part */
static struct figures *counted; /* of parts: [SAMPLES_PARTS + 1], in shared memory */
static volatile bool *taken;	/* part i, by some process: [SAMPLES_PARTS], there, too */

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
	if (!self || M.options->keep_going)
		return true;
	self->waits = true;
	worker_leave();
	for (;;) {
		u32 seen = all->bell;

		if (all->best < self->round || !is_preceded())
			break;
		shared_wait(&all->bell, seen, 20);
	}
	worker_enter();
	if (all->best < self->round)
		return false;
	if (is_unfinished_before())
		coverage_note(WORKER_LATE);
	all->found = (struct part_found){M.status->nfindings + 1, at_begin.executions};
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

static struct figures own_figures(void)
{
	const struct status *s = worker_own();

	return (struct figures){s->executions, s->blocked, s->failing, s->steps};
}

/* The part of a round is over. */
static void count_part(u32 round)
{
	struct figures now = own_figures(), *to;

	if (!all->parts || round == NO_ROUND)
		return;
	to = &counted[round - 1 < SAMPLES_PARTS ? round - 1 : SAMPLES_PARTS];
	to->executions += now.executions - at_begin.executions;
	to->blocked += now.blocked - at_begin.blocked;
	to->failing += now.failing - at_begin.failing;
	to->steps += now.steps - at_begin.steps;
	at_begin = now;
}

bool samples_take(u64 part)
{
	if (!self)
		return true;
	if (part < SAMPLES_PARTS ? __atomic_exchange_n(&taken[part], true, __ATOMIC_RELAXED)
				 : self != all->sampler)
		return false;
	count_part(self->round);
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
	count_part(self->round);
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
	if (!counted)
		counted = shared_pages((SAMPLES_PARTS + 1) * sizeof *counted);
	if (!taken)
		taken = shared_pages(SAMPLES_PARTS);
	if (!counted || !taken)
		return false;
	memset(counted, 0, (SAMPLES_PARTS + 1) * sizeof *counted);
	memset((void *)(uintptr_t)taken, 0, SAMPLES_PARTS);
	return true;
}

static bool need_memory(u32 n, bool parts)
{
	static struct status *pages;
	static u32 most;

	if (!all)
		all = shared_pages(sizeof *all);
	if (all && n > most) {
		pages = shared_pages(n * sizeof *pages);
		most = pages ? n : 0;
	}
	if (!all || !most || (parts && !need_parts()))
		return false;
	memset(all, 0, sizeof *all);
	all->best = NO_ROUND;
	all->n = n;
	all->parts = parts;
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
static void add_figures(const struct figures *before)
{
	struct status *s = M.status;

	s->executions = before->executions;
	s->blocked = before->blocked;
	s->failing = before->failing;
	s->steps = before->steps;
	for (u32 i = 0; i < all->n; i++) {
		const struct status *w = all->sampler[i].status;

		s->executions += w->executions;
		s->blocked += w->blocked;
		s->failing += w->failing;
		s->steps += w->steps;
	}
}

static bool is_bound_met(void)
{
	const struct options *o = M.options;

	if (clock_look())
		M.bounds |= clock_bound();
	else if (o->executions && M.status->executions + M.status->blocked >= o->executions)
		M.bounds |= BOUND_EXECUTIONS;
	else
		return all->stopped;
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

		add_figures(before);
		stop_some(is_bound_met(), &over);
		shared_wait(&all->bell, seen, 20);
	}
	add_figures(before);
}

static void add_pct(struct status_pct *to, const struct status_pct *from)
{
	for (u32 i = 0; i < STATUS_DEPTHS; i++)
		to->executions[i] += from->executions[i];
	to->agents = from->agents > to->agents ? from->agents : to->agents;
	to->steps = from->steps > to->steps ? from->steps : to->steps;
}

static void add_figures_of(struct figures *to, const struct figures *more)
{
	to->executions += more->executions;
	to->blocked += more->blocked;
	to->failing += more->failing;
	to->steps += more->steps;
}

/* The search ends with a finding: parts behind it do not count. */
static void count_until(struct figures sum)
{
	struct status_finding *f;

	if (!all->parts || M.options->keep_going || all->best == NO_ROUND ||
		all->found.finding != M.status->nfindings)
		return;
	for (u32 i = 0; i + 1 < all->best; i++)
		add_figures_of(&sum, &counted[i]);
	f = &M.status->findings[all->found.finding - 1];
	f->execution += sum.executions - all->found.executions;
	add_figures_of(&sum, &counted[all->best - 1]);
	M.status->executions = sum.executions;
	M.status->blocked = sum.blocked;
	M.status->failing = sum.failing;
}

static void collect(const struct figures *before)
{
	count_until(*before);
	for (u32 i = 0; i < all->n; i++) {
		const struct sampler *w = &all->sampler[i];
		const struct status *s = w->status;

		M.bounds |= w->asked ? w->bounds & ~(u32)BOUND_INTERRUPT : w->bounds;
		M.status->cut += s->cut;
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
	if (!M.options->keep_going && M.status->failing > 1)
		M.status->failing = 1; /* of the others there is no finding */
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
	const struct figures before = {M.status->executions, M.status->blocked,
		M.status->failing, M.status->steps};
	u32 jobs = (u32)M.options->jobs;

	if (jobs > 1 && s->rounds > 1 && need_memory(jobs, s->parts) && start_samplers(s)) {
		watch_samplers(&before);
		collect(&before);
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
