/* SPDX-License-Identifier: ISC */
/* pace.c - see pace.h. */
#include "job/pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child/status_page.h"
#include "clock.h"
#include "die.h"
#include "replay/read_replay.h"

#define TIME_MIN 1000000 /* microseconds: with less left, nothing is searched for */

static bool depends(const struct found *f)
{
	return f->report && f->report->ntimings && f->status->replay[0] && !f->suppressed;
}

/* The options of the second search; false: there is no time for it. */
static bool pace_options(const struct job *j, const char *folder, struct options *o)
{
	u64 spent = (clock_now() - j->started) / 1000, bound = spent + PACE_MICROSECONDS;

	*o = j->s.explore;
	if (o->sleepers == SLEEPERS_LAST || (o->time && spent + TIME_MIN > o->time) ||
		strlen(folder) >= sizeof(o->replay_dir))
		return false;
	o->sleepers = SLEEPERS_LAST;
	o->executions = PACE_EXECUTIONS;
	o->time = o->time && o->time - spent < bound ? o->time - spent : bound;
	o->keep_going = true;
	o->judged = false;
	o->checkpoint[0] = o->resume[0] = 0;
	strcpy(o->replay_dir, folder);
	return true;
}

/* The execution of `by` replaces that of the finding. */
static void replace(struct job *j, struct found *f, const struct status_finding *by)
{
	struct status_finding *to = (struct status_finding *)f->status;
	struct status_finding old = *to;
	const struct trace *t;
	struct report *r;

	if (rename(by->replay, to->replay) != 0)
		return;
	*to = *by;
	to->verdict = old.verdict;
	to->execution = old.execution;
	strcpy(to->replay, old.replay);
	t = load_trace_or_warn(to->replay);
	r = t ? report_open(t, to->replay) : NULL;
	if (!r)
		return;
	report_select(r, j->s.style.all);
	f->report = r;
}

static void take_pace_replays(struct job *j, struct status *found)
{
	for (unsigned i = 0; i < j->result.nfindings; i++)
		for (unsigned k = 0; k < found->nfindings && k < STATUS_FINDINGS; k++)
			if (depends(&j->findings[i]) && found->findings[k].replay[0] &&
				finding_same(&j->findings[i].status->finding,
					&found->findings[k].finding))
				replace(j, &j->findings[i], &found->findings[k]);
	for (unsigned k = 0; k < found->nfindings && k < STATUS_FINDINGS; k++)
		if (found->findings[k].replay[0])
			unlink(found->findings[k].replay);
}

static void search_last(struct job *j, const char *folder)
{
	struct child_setup setup = j->setup;
	struct child_watch watch = {NULL, NULL, 100};
	struct child child = {0};
	struct options o;

	if (!pace_options(j, folder, &o))
		return;
	setup.no_out = true;
	child_start(&child, &o, &setup);
	close(child.fd);
	child_wait(&child, &watch);
	if (page_is_whole(child.status))
		take_pace_replays(j, child.status);
}

void pace_findings(struct job *j)
{
	bool any = false;
	char *folder;

	for (unsigned i = 0; i < j->result.nfindings; i++)
		any |= depends(&j->findings[i]);
	if (!any || j->child.interrupted || j->child.killed)
		return;
	folder = xprintf("%s/.heddle-XXXXXX", j->s.explore.replay_dir);
	if (!mkdtemp(folder))
		return;
	search_last(j, folder);
	rmdir(folder);
}
