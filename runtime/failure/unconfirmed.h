/* SPDX-License-Identifier: ISC */
/*
 * unconfirmed.h - failures of execution graphs that the program does not repeat.
 *
 * A failure of a graph is confirmed before it is a finding: under SC, TSO and PSO on the
 * store-buffer machine; under RA and RC11, and where store buffers cannot do it, by the native
 * threads along the graph. A failure that is not confirmed is an error of Heddle or, where the same
 * graph leads to different behaviour, the program's: it is not deterministic. An error of Heddle is
 * reported in one line, with a file that has the data for a bug report.
 */
#ifndef FAILURE_UNCONFIRMED_H
#define FAILURE_UNCONFIRMED_H

#include "failure/failure.h"

/*
 * The program does not follow the graph: find the cause. Stops with EXECUTE_DIVERGED if the program
 * behaves differently along the same graph, with EXECUTE_UNSUPPORTED if code that is not
 * instrumented may be the reason. True: neither, and the search can continue.
 */
bool unconfirmed_is_ours(struct trust *x);

/* Follow the graph once more: has this shown a new fact about the program, with which the search
 * begins again? */
bool unconfirmed_changes(struct trust *x);

/* Note the error on the status page, which is locked, and write the file. f: the finding; x: its
 * graph; either may be NULL. */
void unconfirmed_note(const struct trust *x, const struct finding *f, const char *why);

#endif
