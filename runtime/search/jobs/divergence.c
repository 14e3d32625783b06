/* SPDX-License-Identifier: ISC */
/* divergence.c - see divergence.h. */
#include "search/jobs/divergence.h"
#include "failure/unconfirmed.h"
#include "graph/execute.h"
#include "search/jobs/worker.h"

#include <stdio.h>

void divergence_end(struct trust *x)
{
	static char words[EXECUTE_WORDS];

	if (execute_stopped() != EXECUTE_DIVERGED)
		return;
	snprintf(words, sizeof words, "%s", execute_words());
	if (!unconfirmed_is_ours(x))
		return;
	execute_stop_as(EXECUTE_UNCONFIRMED, words);
	worker_enter();
	unconfirmed_note(x, NULL, words);
	worker_leave();
}
