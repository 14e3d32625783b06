/* SPDX-License-Identifier: ISC */
/*
 * unconfirmed.h - what an execution graph says and the program, carried out once more, does not.
 *
 * A failure of a graph is confirmed before it is a finding: under SC, TSO and PSO on the
 * store-buffer machine; under RA and RC11, and where store buffers cannot do it, by the native
 * threads along the graph. A failure that is not confirmed is an error of Heddle or, where the same
 * graph makes the program do different things, the program's: it is not deterministic. An error of
 * Heddle is said in one line, and a file has what is needed to look into it.
 */
#ifndef SEARCH_UNCONFIRMED_H
#define SEARCH_UNCONFIRMED_H

#include "search/failure.h"

/*
 * The program does not do what the graph says. Whose fault is it? It has stopped as
 * EXECUTE_DIVERGED if it does different things along one graph; as EXECUTE_UNSUPPORTED if code that
 * is not instrumented may be the reason. True: neither, it can go on.
 */
bool unconfirmed_is_ours(struct trust *x);

/* The same where it has stopped as EXECUTE_DIVERGED, if it has. If it is ours it remains stopped,
 * as EXECUTE_UNCONFIRMED, and is noted. */
void unconfirmed_divergence(struct trust *x);

/* Note this on the status page, which is locked, and write the file. f: what was found; x: in a
 * graph; or NULL. */
void unconfirmed_note(const struct trust *x, const struct finding *f, const char *why);

#endif
