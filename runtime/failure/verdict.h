/* SPDX-License-Identifier: ISC */
/* verdict.h - the effect of a finding on the search: new, duplicate, or suppressed. */
#ifndef FAILURE_VERDICT_H
#define FAILURE_VERDICT_H

#include "event/status.h"

enum search_verdict {
	SEARCH_STOPS,
	SEARCH_GOES_ON,
	SEARCH_IGNORES, /* suppressed, or not confirmed: not counted, the search continues */
};

/* A finding in the first free place of the status page has been confirmed, and counts; once
 * withdrawn, it does not. */
void verdict_publish(const struct status_finding *f);
void verdict_withdraw(const struct status_finding *f);

/* For a finding just published. Asks the tool whether it is suppressed, and waits. */
enum search_verdict verdict_on_new(struct status_finding *f);

/* For a finding that is already on the status page. */
enum search_verdict verdict_on_known(const struct status_finding *f);

bool verdict_is_same(const struct finding *a, const struct finding *b);

/* The number of findings that are not suppressed. */
u32 verdict_failures(void);

/* The search is over. A process that was abandoned has not counted its failing execution;
 * one that belongs to another shard is counted there. */
void verdict_settle(void);

#endif
