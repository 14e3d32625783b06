/* SPDX-License-Identifier: ISC */
/* finding.c - the names of the kinds of findings, as in replay files and JSON; which are equal. */
#include "event/finding.h"
#include "base/text.h"

const char *finding_name(enum finding_kind k)
{
	static const char *const names[FINDING_KINDS] = {
		[FINDING_ASSERTION] = "assertion",
		[FINDING_CRASH] = "crash",
		[FINDING_EXIT] = "exit",
		[FINDING_DEADLOCK] = "deadlock",
		[FINDING_LIVELOCK] = "livelock",
		[FINDING_LOOP] = "loop",
		[FINDING_MISUSE] = "misuse",
		[FINDING_MEMORY] = "memory",
		[FINDING_HEAP] = "heap",
		[FINDING_RACE] = "race",
		[FINDING_LEAK] = "leak",
		[FINDING_LOCK_ORDER] = "lock-order",
		[FINDING_THREADS] = "threads",
		[FINDING_UNINIT] = "uninit",
		[FINDING_STACK] = "stack",
		[FINDING_LINEARIZABILITY] = "linearizability",
		[FINDING_STARVATION] = "starvation",
		[FINDING_PORTABILITY] = "portability",
		[FINDING_SIGNAL] = "signal",
		[FINDING_FLAG] = "flag",
	};

	BUG_ON(k >= FINDING_KINDS);
	return names[k];
}

bool finding_same_place(const struct finding *a, const struct finding *b)
{
	return a->kind == b->kind && a->line == b->line && a->signal == b->signal &&
	       text_equal(a->file, b->file);
}

bool finding_same(const struct finding *a, const struct finding *b)
{
	return finding_same_place(a, b) && text_equal(a->message, b->message);
}
