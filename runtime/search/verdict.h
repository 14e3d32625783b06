/* SPDX-License-Identifier: ISC */
/* verdict.h - what a finding means for the search: which are the same, which count. */
#ifndef SEARCH_VERDICT_H
#define SEARCH_VERDICT_H

#include "event/status.h"

enum search_verdict {
	SEARCH_STOPS,
	SEARCH_GOES_ON,
	SEARCH_IGNORES, /* suppressed, or not confirmed: not counted, and the search goes on */
};

/* Of a finding that has just been recorded. Asks the tool whether it is suppressed, and waits. */
enum search_verdict verdict_on_new(struct status_finding *f);

/* Of one that is on the status page already, found again. */
enum search_verdict verdict_on_known(const struct status_finding *f);

bool verdict_is_same(const struct finding *a, const struct finding *b);

/* The findings that are not suppressed. */
u32 verdict_failures(void);

#endif
