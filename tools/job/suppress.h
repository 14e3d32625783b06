/* SPDX-License-Identifier: ISC */
/*
 * suppress.h - known findings: heddle.supp.
 *
 * One rule per line; # begins a comment, and the comment lines right above a rule are its reason:
 *
 *     # the counter is for statistics, see issue 12
 *     race function=count_* file=stats.c
 *     deadlock
 *
 * First the kind of finding (tools/help/findings.txt) or a glob of kinds, then, if
 * given, function= and file=, each a glob as of fnmatch(3): * ? [...]. Both must match the same
 * call. Compared are: for a race, the two accesses, with inlined functions; for a deadlock or
 * livelock, the stacks of all waiting threads; else the stack of the failure. A file matches with
 * its whole path as in the report, or with the last parts of it: stats.c matches src/stats.c.
 *
 * The file is ./heddle.supp if there is one, or the one given with --suppressions.
 */
#ifndef JOB_SUPPRESS_H
#define JOB_SUPPRESS_H

#include "document/result.h"

struct suppressions {
	const char *path; /* NULL: there is none */
	struct suppression *rule;
	unsigned n;
};

/*
 * Read the rules. path: as given with --suppressions; NULL: ./heddle.supp, if there is one. A
 * mistake is one line with file and line, and exit code 2.
 */
struct suppressions suppressions_read(const char *path);

/* The first rule that matches, or NULL. */
struct suppression *suppressions_match(const struct suppressions *s, const struct found *f);

/* Add the present findings to the count of each rule. */
void suppressions_count(struct suppressions *s, const struct found *findings, unsigned n);

/* The suppressed findings with their rules, and the unused rules; a line each. */
void suppressions_show(
	const struct suppressions *s, const struct found *findings, unsigned n, FILE *out);

#endif
