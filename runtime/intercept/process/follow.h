/* SPDX-License-Identifier: ISC */
/*
 * follow.h - a suite whose runner forks a process for each test: `heddle run --suite`, for
 * frameworks that Heddle does not know.
 *
 * The program's main runs natively, and so do the processes that it forks, except the one to
 * explore: for that one, fork() returns 0 in this process in every execution, and the test ends
 * where the child would have ended.
 */
#ifndef INTERCEPT_PROCESS_FOLLOW_H
#define INTERCEPT_PROCESS_FOLLOW_H

#include <sys/types.h>

struct options;

/* Run main() natively, on the stack that the main thread of executions has. Returns its result. */
int follow_main(const struct options *o, int (*main)(int, char **, char **), int argc, char **argv,
	char **envp);

/* fork(), natively; in the process to explore it returns 0 in each execution. */
pid_t follow_fork(void);

#endif
