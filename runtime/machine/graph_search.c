/* SPDX-License-Identifier: ISC */
/*
 * graph_search.c - the search of --strategy graph: TruSt over the native program, findings, bounds.
 */
#include "machine/execute.h"
#include "machine/record.h"
#include "machine/search.h"
#include "machine/signal.h"
#include "explore/graph.h"
#include "detect/stuck.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static struct trust *trust;
static void *memory;

static bool same_finding(const struct finding *a, const struct finding *b)
{
	return a->kind == b->kind && a->line == b->line && !strcmp(a->file, b->file) &&
	       !strcmp(a->message, b->message);
}

/* Keep a finding if it is new. Returns whether the search goes on. */
static bool found(const struct graph *g, u32 t, const struct finding *finding)
{
	struct status *s = M.status;
	struct status_finding *f;

	s->failing++;
	for (u32 i = 0; i < s->nfindings; i++)
		if (same_finding(&s->findings[i].finding, finding))
			return M.options->keep_going;
	if (s->nfindings == STATUS_FINDINGS)
		return false;
	f = &s->findings[s->nfindings++];
	memset(f, 0, sizeof *f);
	f->execution = trust->complete + trust->failing;
	f->reorder = -1;
	f->finding = *finding;
	if (M.options->keep_going && s->nfindings < M.options->max_findings)
		return true;
	M.bounds |= BOUND_FINDING;
	return false;
}

static const struct label *stands_at(const struct graph *g, u32 t)
{
	return &trust->cache.node[g->thread[t].node].label;
}

static bool found_race(const struct graph *g, u32 t, u32 other)
{
	const struct gevent *a = &g->event[g->thread[t].last], *b = &g->event[other];
	const struct place *p = &g->places->place[b->loc];
	struct finding f = {.kind = FINDING_RACE, .thread = (u16)t};

	snprintf(f.message, sizeof f.message, "data race on %u bytes at 0x%llx: T%u and T%u", p->size,
		(unsigned long long)p->addr, a->thread, b->thread);
	return found(g, t, &f);
}

/* --- nobody can move ------------------------------------------------------------------------- */

static enum event_kind wait_kind(const struct label *l)
{
	switch (l->type) {
	case LABEL_SPIN: return EV_READ;
	case LABEL_JOIN: return EV_JOIN;
	case LABEL_LEAVE: return EV_BARRIER_LEAVE;
	}
	return EV_LOCK;
}

static bool found_stuck(const struct graph *g)
{
	static struct wait w[GRAPH_THREADS];
	struct finding f = {.kind = FINDING_DEADLOCK};
	u32 n = 0;

	if (g->thread[0].ended) { /* the process has ended, whatever the others wait for */
		M.status->executions++;
		return true;
	}
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = stands_at(g, t);

		if ((t && !g->thread[t].create) || g->thread[t].ended)
			continue;
		if (l->flags & LABEL_TIMED) {
			M.status->blocked++;
			return true;
		}
		w[n++] = (struct wait){
			.thread = t,
			.name = "",
			.kind = wait_kind(l),
			.object = l->loc ? g->places->place[l->loc].addr : 0,
			.holder = l->type == LABEL_JOIN ? l->other : -1,
		};
	}
	stuck_describe(w, n, &f);
	if (f.kind == FINDING_LIVELOCK && !M.options->livelock) {
		M.status->blocked++;
		return true;
	}
	M.status->executions++;
	return found(g, f.thread, &f);
}

/* --- an execution is over -------------------------------------------------------------------- */

static bool bound_met(void)
{
	u64 all = M.status->executions + M.status->blocked;

	if (M.options->executions && all >= M.options->executions)
		M.bounds |= BOUND_EXECUTIONS;
	else if (signals_time_up)
		M.bounds |= BOUND_TIME;
	else if (M.status->stop)
		M.bounds |= BOUND_INTERRUPT;
	else
		return false;
	return true;
}

static bool leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	bool goes_on = true;

	switch (how) {
	case LEAF_COMPLETE:
		M.status->executions++;
		break;
	case LEAF_BLOCKED:
		M.status->blocked++;
		break;
	case LEAF_STUCK:
		goes_on = found_stuck(g);
		break;
	case LEAF_FAIL:
		M.status->executions++;
		goes_on = found(g, t, execute_finding(stands_at(g, t)));
		break;
	case LEAF_RACE:
		if (M.options->races == RACES_PROMOTE) {
			execute_promote(g->event[other].loc);
			trust->answer = ANSWER_RESTART;
			break;
		}
		M.status->executions++;
		goes_on = found_race(g, t, other);
		break;
	}
	return goes_on && !bound_met();
}

/* --- the search ------------------------------------------------------------------------------ */

bool graph_search(const char **why, bool *all)
{
	static struct trust state;
	struct program program = {.next = execute_next, .leaf = leaf};

	trust = &state;
	if (!memory) {
		memory = mmap(NULL, TRUST_MEMORY, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (memory == MAP_FAILED)
			memory = NULL;
	} else {
		madvise(memory, TRUST_MEMORY, MADV_DONTNEED);
	}
	*all = false;
	*why = "not enough memory for execution graphs";
	if (!memory)
		return false;
	memset(trust, 0, sizeof *trust);
	trust_init(trust, memory, TRUST_MEMORY, M.options->model, &program);
	trust->weak_cas = M.options->weak_cas;
	trust->races = M.options->races != RACES_IGNORE;
	trust->equivalence = M.options->equivalence;
	if (!execute_init(trust->graph.places, &trust->cache))
		return false;
	M.graph = machine_graph = true;
	M.sampling = false;
	M.status->strategy = STRATEGY_GRAPH;
	trust_run(trust);
	execute_finish();
	M.graph = machine_graph = false;
	*all = trust->over && !trust->bounded;
	switch (execute_stopped()) {
	case EXECUTE_UNSUPPORTED:
		*why = execute_words();
		return false;
	case EXECUTE_DIVERGED:
		snprintf(M.status->note, sizeof M.status->note, "%s", execute_words());
		M.status->state = STATUS_DIVERGED;
		break;
	case EXECUTE_REFUSED:
		M.outcome = OUTCOME_REFUSE;
		break;
	case EXECUTE_STOPPED:
		bound_met();
		break;
	case EXECUTE_GOES_ON:
		break;
	}
	return true;
}
