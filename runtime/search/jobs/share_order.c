/* SPDX-License-Identifier: ISC */
/* share_order.c - findings and counts of workers, in the order of a search by one process
 * (succession.h). */
#include "search/jobs/share_priv.h"
#include "search/jobs/worker.h"
#include "process/shared.h"

/* The inherited task follows all that was counted. */
void share_order_begin(void)
{
	const struct options *o = M.options;
	struct record_of *r = &share->worker[0].record[0];
	const struct status *s = M.status;
	u64 most = o->keep_going ? o->max_findings - verdict_failures() : 1;

	succession_begin(&share->order,
		&(struct counted){s->executions, s->blocked, s->failing, s->steps}, r->place,
		(u32)most);
}

/* A finding ends the search, and all that precedes it has been explored. */
bool share_order_is_ended(void)
{
	u32 finding;
	bool open, ends;

	if (!share->order.ending)
		return false;
	shared_take(&share->x.lock);
	ends = succession_ends(&share->order, &finding, &open);
	shared_give(&share->x.lock);
	return ends && !open;
}

/* Which execution has each finding? If one ends the search, the counts are those up to it. */
void share_order_count(void)
{
	u32 finding[STATUS_FINDINGS], n = succession_findings(&share->order, finding), last;
	struct counted t;
	bool open;

	for (u32 i = 0; i < n; i++)
		if (succession_until(&share->order, finding[i], &t))
			M.status->findings[finding[i]].execution = t.executions;
	if (!succession_ends(&share->order, &last, &open))
		return;
	M.bounds |= BOUND_FINDING;
	if (open) {
		coverage_note(WORKER_LATE);
		return;
	}
	succession_until(&share->order, last, &t);
	M.status->executions = t.executions + 1;
	M.status->blocked = t.blocked;
	M.status->failing = t.failing + 1;
}

bool share_was_found(u32 finding)
{
	u32 all[STATUS_FINDINGS], n = succession_findings(&share->order, all);

	for (u32 i = 0; i < n; i++)
		if (all[i] == finding)
			return true;
	return false;
}

u32 share_findings(u32 *finding)
{
	u32 n = succession_findings(&share->order, finding), last;
	bool open;

	if (succession_ends(&share->order, &last, &open))
		for (u32 i = 0; i < n; i++)
			if (finding[i] == last)
				return i + 1;
	return n;
}
