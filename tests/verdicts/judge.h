/* SPDX-License-Identifier: ISC */
/* judge.h - explore a function, and compare the findings with the known errors (enum in
 * counted.h). */
#ifndef COUNT_JUDGE_H
#define COUNT_JUDGE_H

#include <stdbool.h>

/*
 * From the command line: MODEL [OPTIONS], these as of heddle_check(). With strategies that do not
 * explore all executions (random, pct, mixed; dfs, if there are too many), only false findings
 * count. False: unknown arguments.
 */
bool judge_begin(int argc, char **argv);
const char *judge_model(void);

/* False: there is another finding, which has been printed. Stops after ten of these. */
bool judge(const char *name, void (*run)(void *), unsigned expected);
bool judge_goes_on(void);

/* The next program has timed waits that are repeated: an execution is cut after `most` early
 * time-outs, and the rest is not judged. 0: it has none. */
void judge_timeouts(unsigned most);

/* The next program has executions without end: only errors in the first ones
 * count. */
void judge_endless(bool endless);

/* A line of TAP; the exit code. */
int judge_end(void);

#endif
