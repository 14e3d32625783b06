/* SPDX-License-Identifier: ISC */
/* follow.h - the program of a replay file, run once more: options, arguments, the new trace. */
#ifndef REPLAY_FOLLOW_H
#define REPLAY_FOLLOW_H

#include "child/child.h"
#include "report/report.h"

/* Set the options of the recorded exploration, for following the file; dies if it cannot be
 * followed. */
void follow_options(struct options *o, const struct trace *t, const char *path);

/* The program and its arguments. */
char **follow_arguments(const struct trace *t);

/* The new trace, NULL: there is none; its file and directory are removed at once. */
const struct trace *follow_take(const struct status *st, const char *dir);

/* The passing execution that is closest to a failing one (failure/passing.h); the program is run
 * for it, at most PASSING_NS. input: its standard input, NULL = /dev/null. NULL: none was found,
 * or the program is not there any more. */
#define PASSING_NS 5000000000ull
const struct report *follow_passing(const struct report *failed, const char *input);

#endif
