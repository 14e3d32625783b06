/* SPDX-License-Identifier: ISC */
/* graph_finding.c - see graph_finding.h. */
#include "search/graph/graph_finding.h"
#include "failure/minimise.h"
#include "failure/unconfirmed.h"
#include "graph/execute.h"
#include "machine/learnt.h"
#include "machine/wait/foreign.h"
#include "process/shared.h"
#include "search/graph/finding_order.h"
#include "search/jobs/sample_share.h"
#include "search/jobs/share.h"
#include "search/jobs/worker.h"
#include "search/outcome/compare.h"

#include <stdio.h>
#include <string.h>

static struct finding_key *key; /* [STATUS_FINDINGS] of those on the status page */

static bool same_key(const struct finding_key *a, const struct finding_key *b)
{
	if (a->finding.kind == FINDING_FLAG)
		return finding_same(&a->finding, &b->finding) && a->finding.site == b->finding.site;
	if (a->finding.kind == b->finding.kind && a->site[0] && b->site[0])
		return a->site[0] == b->site[0] && a->site[1] == b->site[1];
	return verdict_is_same(&a->finding, &b->finding);
}

static struct status_finding *find_finding(const struct finding_key *k)
{
	for (u32 i = 0; i < M.status->nfindings; i++)
		if (same_key(&key[i], k))
			return &M.status->findings[i];
	return NULL;
}

/* Failures that were not confirmed, of all processes. */
static struct doubts {
	u32 n;
	struct finding_key key[STATUS_FINDINGS];
} *doubts;

bool graph_finding_is_doubted(const struct finding_key *k)
{
	for (u32 i = 0; i < doubts->n; i++)
		if (same_key(&doubts->key[i], k))
			return true;
	return false;
}

/* The program does not repeat the finding. */
static enum search_verdict not_confirmed(const struct failure *w, const struct finding_key *k,
	struct status_finding *f, const char *why)
{
	char words[EXECUTE_WORDS];

	if (foreign_may_be_steps())
		learnt_note(LEARNT_FOREIGN, 1);
	/* Or the search begins again, with new facts about the program. */
	if (execute_again() || learnt_changed) {
		w->trust->answer = ANSWER_RESTART;
		return SEARCH_GOES_ON;
	}
	snprintf(words, sizeof words, "%s", why);
	if (!unconfirmed_is_ours(w->trust)) {
		w->trust->answer = ANSWER_STOP;
		return SEARCH_GOES_ON;
	}
	unconfirmed_note(w->trust, &f->finding, words);
	if (doubts->n < STATUS_FINDINGS)
		doubts->key[doubts->n++] = *k;
	return SEARCH_IGNORES;
}

/* The search ends before the finding could be confirmed: it is not claimed. */
static enum search_verdict no_time(const struct failure *w)
{
	coverage_note("the time was up before a failing execution graph could be confirmed: "
		      "with more of it there may be a finding");
	w->trust->answer = ANSWER_STOP;
	return SEARCH_GOES_ON;
}

/* Record the finding, and a simpler one: trial executions, of which other processes must not
 * learn. */
static enum recorded record(const struct failure *w, struct status_finding *f, const char **why)
{
	enum recorded answer;

	minimise_graph_allow(share_be_alone());
	answer = failure_record(w, f, why);
	share_be_together();
	return answer;
}

/* A known finding, which one process would have found here first: show this execution. */
static enum search_verdict replace_finding(
	const struct failure *w, struct status_finding *f, enum search_verdict verdict)
{
	struct status *s = M.status;
	struct status_finding *last = &s->findings[s->nfindings];
	const char *why;
	u32 n = s->nfindings;

	if (n == STATUS_FINDINGS)
		return verdict;
	*last = (struct status_finding){.finding = f->finding, .reorder = -1};
	if (record(w, last, &why) == RECORDED && last->replay[0] && f->replay[0] &&
		rename(last->replay, f->replay) == 0) {
		memcpy(last->replay, f->replay, sizeof last->replay);
		last->execution = f->execution;
		last->in_from = f->in_from;
		*f = *last;
		s->nfindings = n;
		verdict_on_new(f);
		verdict = share_found((u32)(f - s->findings), verdict);
	}
	s->nfindings = n;
	return verdict;
}

static enum search_verdict found_known(const struct failure *w, struct status_finding *f)
{
	enum search_verdict verdict = verdict_on_known(f);

	if (compare_on())
		compare_found(w, f);
	else if (share_precedes((u32)(f - M.status->findings)))
		verdict = replace_finding(w, f, verdict);
	return verdict;
}

/* Add a finding. */
static enum search_verdict found_new(const struct failure *w, const struct finding_key *k)
{
	struct status *s = M.status;
	struct status_finding *f = &s->findings[s->nfindings];
	enum search_verdict verdict;
	const char *why = "";

	if (s->nfindings == STATUS_FINDINGS)
		return SEARCH_STOPS;
	key[s->nfindings] = *k;
	*f = (struct status_finding){.finding = k->finding, .reorder = -1};
	f->execution = worker_own()->executions;
	if (compare_on())
		compare_found(w, f);
	switch (record(w, f, &why)) {
	case RECORDED:
		verdict = verdict_on_new(f);
		return share_found((u32)(f - s->findings), verdict);
	case RECORDED_NOT: return not_confirmed(w, k, f, why);
	case RECORDED_NO_TIME: break;
	}
	return no_time(w);
}

void graph_finding_order(void)
{
	finding_order(key, sizeof *key);
}

enum search_verdict graph_finding_add(const struct failure *w, const struct finding_key *k)
{
	struct status_finding *f;

	if (graph_finding_is_doubted(k))
		return SEARCH_IGNORES;
	f = find_finding(k);
	if (f)
		return found_known(w, f);
	if (!samples_turn())
		return SEARCH_STOPS;
	f = find_finding(k); /* by another process, meanwhile */
	return f ? found_known(w, f) : found_new(w, k);
}

void graph_finding_mark(const struct failure *w, const struct finding_key *k)
{
	struct status_finding *f = find_finding(k);

	if (f && compare_marking())
		compare_found(w, f);
}

bool graph_finding_begin(void)
{
	if (!key)
		key = shared_pages(sizeof *key * STATUS_FINDINGS);
	if (!doubts)
		doubts = shared_pages(sizeof *doubts);
	if (!key || !doubts)
		return false;
	doubts->n = 0;
	return true;
}
