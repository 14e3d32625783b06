/* SPDX-License-Identifier: ISC */
/* summary.h - the results of a whole search, not of one execution: figures, outcomes,
 * comparison. */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include "base/option.h"
#include "event/status.h"
#include "report/report.h"

/* The results of the whole run; `report FILE` has only the trace. */
struct summary {
	const char *model, *strategy, *equivalence; /* the last of strategy graph only, else NULL */
	bool symmetric; /* executions that differ in the names of threads count as one */
	bool known; /* the figures below are */
	u64 executions, blocked, failing, steps;
	bool assumed; /* of `blocked': some by heddle_assume() */
	u64 cut; /* of `blocked': at a bound on the iterations of a loop */
	u64 suppressed; /* findings */
	u64 promoted; /* data races that are findings; the search continued past them, and counts no
			 execution for them */
	bool complete;
	bool races_unknown; /* of executions on store buffers: the detector is on, and sees none */
	u32 max_steps; /* of an execution, as in force */
	u32 delays; /* likewise, with fewer delays */
	u32 levels; /* all executions under sc with fewer preemptions are known */
	const struct status_pct *pct; /* samples; NULL: not known */
	u32 bounds; /* enum status_bound */
	u64 estimate; /* of the executions there are; 0 = not known */
	u64 states; /* strategy states: seen */
	bool loops; /* likewise: some executions do not end */
	bool boundless; /* likewise: the search with buffers without a bound has begun */
	const struct options *options;
	double seconds;
	const char *held; /* the program's progress if no execution has ended; NULL: unknown */
	const char *doubt; /* a finding that was not confirmed: exit code 70; NULL: none */
	unsigned ncoverage;
	const char *coverage[16];
	const struct reached *reached; /* --coverage (reached.h); NULL: not asked for */
	const struct status_outcomes *outcomes; /* NULL: unknown */
	const struct status_compare *compare; /* NULL: not asked for */
	const char *from; /* likewise: the model compared with */
	int exit_code;
};

/* The i-th bound of a set in words; false when there are no more. name: for JSON. */
bool bound_words(const struct summary *s, unsigned i, const char **name, char **words);

/* The guarantee of an incomplete search; NULL: none. */
const char *guarantee_words(const struct summary *s);

/* Outcomes if there are any, notes, and the last line: the extent of the search, and if incomplete,
 * the reasons. */
void text_summary(const struct summary *s, FILE *out);

/* --- chance.c -------------------------------------------------------------------------------- */

/* The least chance that samples by pct would have met a bug that needs so many ordering
 * constraints. */
double chance_of_depth(const struct summary *s, unsigned depth);

/* In words, for the largest depth with a good chance; NULL: there is none. */
const char *chance_words(const struct summary *s);

/* --- outcome.c ------------------------------------------------------------------------------- */

/* The table of outcomes, if there are any. */
void text_outcomes(const struct summary *s, FILE *out);

/* Of a row, under sc: "possible", "impossible", "unknown". */
const char *outcome_sc(const struct status_outcomes *o, u32 row);

/* --- compare.c ------------------------------------------------------------------------------- */

/* The result of `heddle compare`: new end states, and the verdict. r has names for globals; NULL:
 * none. */
void text_compare(const struct summary *s, const struct report *r, FILE *out);

/* "portable", "not portable", "unknown" */
const char *portable_name(u32 portable);

/* "head.next", "T1's result" */
char *item_name(const struct report *r, const struct status_item *item);

#endif
