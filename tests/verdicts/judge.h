/* SPDX-License-Identifier: ISC */
/* judge.h - explore a function, and compare what is found with what there is (enum in
 * counted.h). */
#ifndef COUNT_JUDGE_H
#define COUNT_JUDGE_H

#include <stdbool.h>

/*
 * From the command line: MODEL [OPTIONS], these as of heddle_check(). With strategies that do not
 * see all executions (random, pct, mixed; dfs, if there are too many), only what should not be
 * found is looked for. False: what is that?
 */
bool judge_begin(int argc, char **argv);
const char *judge_model(void);

/* False: something else is found, and has been printed. Stops to be of use after ten of these. */
bool judge(const char *name, void (*run)(void *), unsigned expected);
bool judge_goes_on(void);

/* The next program has timed waits that are repeated: what comes after `most` early time-outs of an
 * execution is left out, and that is as much of it as can be seen. 0: it has none. */
void judge_timeouts(unsigned most);

/* The next program has executions without end: what is wrong in the first ones counts, and no
 * more. */
void judge_endless(bool endless);

/* A line of TAP; the exit code. */
int judge_end(void);

#endif
