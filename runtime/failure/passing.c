/* SPDX-License-Identifier: ISC */
/* passing.c - see passing.h: on store buffers. */
#include "failure/passing.h"
#include "buffers/buffers.h"
#include "machine/core.h"
#include "machine/execution/execution.h"
#include "machine/record/record.h"
#include "process/pages.h"
#include "process/sys.h"
#include "failure/replay.h"
#include "failure/repeat.h"

#include <string.h>

static struct {
	u64 until; /* cpu_ns() */
	u32 tries;
} P;

void passing_begin(void)
{
	P.until = cpu_ns() + PASSING_MS * 1000000ull;
	P.tries = 0;
}

bool passing_may_go_on(void)
{
	return P.tries++ < PASSING_TRIES && cpu_ns() < P.until;
}

struct status_finding *passing_finding(void)
{
	struct status_finding *f = &M.status->findings[0];

	memset(f, 0, sizeof *f);
	f->finding.kind = FINDING_EXIT;
	f->reorder = -1;
	f->execution = M.status->executions = M.status->nfindings = 1;
	return f;
}

/* The choices before k, at k another one, and on. Does it pass? */
static bool try_other_choice(const u32 *choices, u32 k, u32 taken)
{
	static u32 *log;
	static volatile u32 nlog;

	if (!log)
		log = pages_need(STATUS_CHOICES * sizeof *log);
	memcpy(log, choices, k * sizeof *log);
	log[k] = taken | (choices[k] & 0xffff0000u);
	explore_start(&M.explore, &strategy_near, M.options, log, STATUS_CHOICES, &nlog);
	M.explore.prefix = k + 1;
	explore_next(&M.explore);
	repeat_record(true); /* as in the replay: with M.fine, each store is a step only then */
	run_execution();
	repeat_record(false);
	return M.outcome == OUTCOME_EXIT && !M.explore.diverged;
}

static bool find_passing(const struct trace *failed, const u32 *choices, u32 n)
{
	for (u32 k = n; k-- > 0;) {
		if (failed->choices[k].why == WHY_CHOOSE) /* the test's input */
			continue;
		for (u32 taken = 0; taken < choices[k] >> 16; taken++) {
			if (taken == (choices[k] & 0xffff))
				continue;
			if (!passing_may_go_on())
				return false;
			if (try_other_choice(choices, k, taken))
				return true;
		}
	}
	return false;
}

int passing_search(const struct trace *failed, const u32 *choices, u32 n)
{
	u32 most = 4 * failed->nevents + 1000;
	bool found;

	passing_begin();
	M.max_steps = most < M.max_steps ? most : M.max_steps;
	record.lean = record.bare = true;
	found = find_passing(failed, choices, n);
	record.lean = record.bare = false;
	if (!found)
		return 3;
	repeat_execution(M.explore.log, M.explore.nlog, true);
	if (M.explore.diverged || M.outcome != OUTCOME_EXIT)
		return 3;
	replay_write(passing_finding());
	return 0;
}
