/* SPDX-License-Identifier: ISC */
/* verdict.h - the effect of a finding on the search: new, duplicate, or suppressed. */
#ifndef SEARCH_VERDICT_H
#define SEARCH_VERDICT_H

#include "event/status.h"

enum search_verdict {
	SEARCH_STOPS,
	SEARCH_GOES_ON,
	SEARCH_IGNORES, /* suppressed, or not confirmed: not counted, the search continues */
};

/* For a finding just recorded. Asks the tool whether it is suppressed, and waits for the answer. */
enum search_verdict verdict_on_new(struct status_finding *f);

/* For a finding that is already on the status page. */
enum search_verdict verdict_on_known(const struct status_finding *f);

bool verdict_is_same(const struct finding *a, const struct finding *b);

/* The number of findings that are not suppressed. */
u32 verdict_failures(void);

#endif
