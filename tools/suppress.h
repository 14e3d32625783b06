/* SPDX-License-Identifier: ISC */
/*
 * suppress.h - known findings that are not to count: heddle.supp.
 *
 * One rule a line; # begins a comment, and the comment lines right above a rule are its reason:
 *
 *     # the counter is for statistics, see issue 12
 *     race function=count_* file=stats.c
 *     deadlock
 *
 * First the kind of finding (tools/help/findings.txt) or a glob of kinds, then, if
 * given, function= and file=, each a glob as of fnmatch(3): * ? [...]. Both must hold for the same
 * call. Looked at are, of a race, the two accesses, with what is inlined there; of a deadlock or
 * livelock, the stacks of all that wait; else the stack of what failed. A file matches with its
 * whole path as in the report, or with the last parts of it: stats.c matches src/stats.c.
 *
 * The file is ./heddle.supp if there is one, or what --suppressions names.
 */
#ifndef TOOLS_SUPPRESS_H
#define TOOLS_SUPPRESS_H

#include "report/result.h"

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

/* Set how many findings each rule took, from the findings as they are now; adds to what it was. */
void suppressions_count(struct suppressions *s, const struct found *findings, unsigned n);

/* What was suppressed and by which rule, and the rules that took nothing; a line each. */
void suppressions_show(
	const struct suppressions *s, const struct found *findings, unsigned n, FILE *out);

#endif
