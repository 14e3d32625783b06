/* SPDX-License-Identifier: ISC */
/* verdict.c - see verdict.h. */
#include "failure/verdict.h"
#include "machine/core.h"
#include "process/sys.h"

#include <time.h>

#define ASK_NS 500000 /* between two checks for the tool's answer */

static bool is_suppressed(const struct status_finding *f)
{
	return f->verdict == VERDICT_SUPPRESSED;
}

/* With option `judged`, the tool or this process's test framework decides. */
static void ask_tool(struct status_finding *f)
{
	struct timespec nap = {0, ASK_NS};

	if (!M.options->judged)
		return;
	if (machine_hooks.known) {
		f->verdict = f->replay[0] && machine_hooks.known(f->replay) ? VERDICT_SUPPRESSED
									    : VERDICT_COUNTS;
		return;
	}
	__atomic_store_n(&f->verdict, VERDICT_ASKED, __ATOMIC_RELEASE);
	while (__atomic_load_n(&f->verdict, __ATOMIC_ACQUIRE) == VERDICT_ASKED)
		sys_call4(SYS_nanosleep, (long)&nap, 0, 0, 0);
}

void verdict_publish(const struct status_finding *f)
{
	M.status->nfindings = (u32)(f - M.status->findings) + 1;
}

void verdict_withdraw(const struct status_finding *f)
{
	M.status->nfindings = (u32)(f - M.status->findings);
}

enum search_verdict verdict_on_new(struct status_finding *f)
{
	ask_tool(f);
	if (is_suppressed(f))
		return SEARCH_IGNORES;
	return M.options->keep_going && verdict_failures() < M.options->max_findings
		       ? SEARCH_GOES_ON
		       : SEARCH_STOPS;
}

enum search_verdict verdict_on_known(const struct status_finding *f)
{
	if (is_suppressed(f))
		return SEARCH_IGNORES;
	return M.options->keep_going ? SEARCH_GOES_ON : SEARCH_STOPS;
}

bool verdict_is_same(const struct finding *a, const struct finding *b)
{
	return finding_same(a, b) && (!M.options->judged || a->site == b->site);
}

u32 verdict_failures(void)
{
	u32 n = 0;

	for (u32 i = 0; i < M.status->nfindings; i++)
		n += !is_suppressed(&M.status->findings[i]);
	return n;
}

void verdict_settle(void)
{
	if (M.status->failing || !verdict_failures() || M.options->shard)
		return;
	M.status->executions++;
	M.status->failing++;
}
