/* SPDX-License-Identifier: ISC */
/* compare.c - see compare.h. */
#include "search/outcome/compare.h"
#include "machine/core.h"
#include "machine/execution/execution.h"
#include "search/outcome/outcome.h"
#include "failure/search_state.h"
#include "machine/execution/clock.h"
#include "process/shared.h"
#include "search/outcome/state.h"
#include "detect/port.h"

#include <stdio.h>
#include <string.h>

static bool marking, seeking;
static bool unknown;	/* marking was not exhaustive */
static char kept[offsetof(struct status, choices)];
static bool again; /* another exploration uses the status page, which is in `kept' */
static bool incomplete; /* nor was the compared one: a race ended an execution */

void compare_begin(void)
{
	marking = seeking = unknown = incomplete = again = false;
	state_begin(compare_on() && M.options->level != LEVEL_FINDINGS &&
		    M.options->level != LEVEL_OUTCOMES);
}

void compare_clear(void)
{
	state_clear();
	if (!marking && !seeking)
		M.status->compare.executions = 0;
}

bool compare_on(void)
{
	return M.options->from != MODEL_AUTO && !M.options->replay[0];
}

bool compare_marking(void)
{
	return marking;
}

bool compare_seeking(void)
{
	return seeking;
}

void compare_unknown(void)
{
	if (marking)
		unknown = true;
	else
		incomplete = true;
}

bool compare_allows(const struct graph *g)
{
	void *memory;
	struct plan *p;

	if (g->holes) { /* with load buffering: only its own exploration knows */
		incomplete |= model_is_hardware(M.options->from);
		return false;
	}
	p = failure_plan(g, &memory);
	return port_allows(g, M.options->from, memory, p);
}

/* --- findings -------------------------------------------------------------------------------- */

void compare_found(const struct failure *w, struct status_finding *f)
{
	if (marking) {
		f->in_from = 1;
		return;
	}
	if (failure_is_pair(w))
		incomplete = true;
	if (f->in_from ||
		(failure_is_pair(w) && !port_races(&w->trust->graph, w->thread, w->other)))
		return;
	f->in_from = compare_allows(&w->trust->graph);
}

static u32 new_findings(void)
{
	u32 n = 0;

	for (u32 i = 0; i < M.status->nfindings; i++) {
		const struct status_finding *f = &M.status->findings[i];

		n += !f->in_from && f->verdict != VERDICT_SUPPRESSED &&
		     f->finding.kind != FINDING_PORTABILITY;
	}
	return n;
}

/* --- executions ------------------------------------------------------------------------------ */

/* The level at which executions are compared. */
static enum compare_level level(void)
{
	if (M.options->level != LEVEL_AUTO)
		return M.options->level;
	return outcome_wanted() ? LEVEL_OUTCOMES : LEVEL_STATE;
}

static bool is_new(const struct trust *x, struct finding *f)
{
	const char *file = strrchr(M.options->cat, '/');
	const char *from = !model_is_file(M.options->from) ? model_name(M.options->from)
			   : file			? file + 1
							: M.options->cat;

	switch (level()) {
	case LEVEL_OUTCOMES:
		return outcome_is_new(&x->graph, &x->cache, f->message, sizeof f->message, from);
	case LEVEL_STATE:
		snprintf(f->message, sizeof f->message, "an end state that is impossible under %s",
			from);
		return state_is_new(x);
	case LEVEL_EXECUTIONS:
		snprintf(f->message, sizeof f->message, "an execution that is impossible under %s",
			from);
		return !compare_allows(&x->graph);
	default: return false;
	}
}

bool compare_fails(const struct trust *x, struct finding *f)
{
	bool by_execution = level() == LEVEL_EXECUTIONS;

	*f = (struct finding){.kind = FINDING_PORTABILITY};
	if (seeking)
		return is_new(x, f);
	if (by_execution && !marking && is_new(x, f)) {
		shared_lock();
		M.status->compare.executions++;
		shared_unlock();
		return true;
	}
	if (!by_execution)
		state_count(x);
	return false;
}

/* --- other explorations ---------------------------------------------------------------------- */

/* Restore the status page, with the present findings. */
static void put_back(void)
{
	memcpy(kept + offsetof(struct status, findings), M.status->findings,
		sizeof M.status->findings);
	memcpy(kept + offsetof(struct status, nfindings), &M.status->nfindings,
		sizeof M.status->nfindings);
	memcpy(M.status, kept, sizeof kept);
	again = false;
}

/* Explore graphs of a model once more; afterwards the status page, except for findings, and the
 * options are as before. */
static bool explore_again(enum model_id m, u64 budget, compare_search search_graphs)
{
	static struct options o;
	struct search_state search;
	enum outcome outcome = M.outcome;
	const char *why;
	bool all = false;

	search_push(&search);
	memcpy(kept, M.status, sizeof kept);
	again = true;
	o = *M.options;
	o.jobs = o.keep_going = 1;
	o.executions = o.shard = 0;
	o.checkpoint[0] = o.resume[0] = 0;
	M.options = &o;
	machine_set_model(m);
	M.bounds = 0;
	M.max_preemptions = PREEMPTIONS_ANY;
	clock_phase(budget);
	all = search_graphs(&why, &all) && all && !M.bounds && M.status->state == STATUS_EXPLORING;
	put_back();
	search_pop(&search);
	M.outcome = outcome;
	return all;
}

bool compare_mark(enum model_id m, u64 budget, compare_search by)
{
	bool all;

	marking = true;
	unknown = false;
	all = explore_again(m, budget, by) && !unknown;
	marking = false;
	return all;
}

static void seek(u64 budget, compare_search by)
{
	seeking = true;
	explore_again(M.model, budget, by);
	seeking = false;
}

/* --- the verdict ----------------------------------------------------------------------------- */

static void sum_compared(struct status_compare *c)
{
	c->level = level();
	c->nfindings = new_findings();
	if (c->level == LEVEL_OUTCOMES)
		c->new_outcomes = outcome_new(&c->outcomes, &c->more);
	if (c->level == LEVEL_STATE)
		state_put(c);
}

static bool any_new(const struct status_compare *c)
{
	return c->nfindings || c->new_outcomes || c->new_states || c->executions;
}

void compare_left(void)
{
	if (again)
		put_back();
	marking = seeking = false;
	if (!compare_on())
		return;
	sum_compared(&M.status->compare);
	M.status->compare.portable = PORTABLE_UNKNOWN;
}

int compare_end(u64 budget, compare_search by)
{
	struct status_compare *c = &M.status->compare;
	bool known = !incomplete && port_includes(M.model, M.options->from);

	sum_compared(c);
	if (any_new(c) && c->level != LEVEL_EXECUTIONS && (!known || !M.status->complete)) {
		c->by_itself = 1;
		known = compare_mark(M.options->from, budget, by);
		sum_compared(c);
	}
	if (any_new(c))
		c->portable = known ? PORTABLE_NOT : PORTABLE_UNKNOWN;
	else
		c->portable = M.status->complete && !c->more ? PORTABLE : PORTABLE_UNKNOWN;
	if (c->portable == PORTABLE_NOT && (c->new_outcomes || c->new_states))
		seek(budget, by);
	return c->portable == PORTABLE ? 0 : c->portable == PORTABLE_NOT ? 1 : 3;
}
