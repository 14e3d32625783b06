/* SPDX-License-Identifier: ISC */
/* api.h - what boot.c and api.c share. */
#ifndef INTERCEPT_API_H
#define INTERCEPT_API_H

#include "base/option.h"

/* Set what the environment variable HEDDLE_OPTIONS asks for. False: it is wrong, and a line said so. */
bool boot_options(struct options *o);

/* Say what an exploration without `heddle run` has found. */
void api_report(void);

/* Threads of the process that can run: those that are parked for us cannot. */
unsigned check_threads(void);

/* Explore fn for a test of that name, in the calling function, whose frame ends at `frame`: the
 * memory of its callers is part of the program's. Returns the exit code. */
int check_explore(int (*fn)(void *), const char *name, struct options *o, void *frame);

/* Add the program's arguments and environment to the next snapshot. */
void boot_save_environment(void);

#endif
