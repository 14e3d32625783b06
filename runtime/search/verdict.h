/* SPDX-License-Identifier: ISC */
/* verdict.h - the effect of a finding on the search: duplicates, suppressed findings. */
#ifndef SEARCH_VERDICT_H
#define SEARCH_VERDICT_H

#include "event/status.h"

enum search_verdict {
	SEARCH_STOPS,
	SEARCH_GOES_ON,
	SEARCH_IGNORES, /* suppressed, or not confirmed: not counted, the search continues */
};

/* Of a finding just recorded. Asks the tool whether it is suppressed, and waits. */
enum search_verdict verdict_on_new(struct status_finding *f);

/* Of a finding already on the status page, found again. */
enum search_verdict verdict_on_known(const struct status_finding *f);

bool verdict_is_same(const struct finding *a, const struct finding *b);

/* The findings that are not suppressed. */
u32 verdict_failures(void);

#endif
