/* SPDX-License-Identifier: ISC */
/* api.h - what boot.c and api.c share. */
#ifndef INTERCEPT_API_H
#define INTERCEPT_API_H

#include "base/option.h"

/* Set what the environment variable HEDDLE_OPTIONS asks for. False: it is wrong, and a line said so. */
bool boot_options(struct options *o);

/* Say what an exploration without `heddle run` has found. */
void api_report(void);

/* Add the program's arguments and environment to the next snapshot. */
void boot_save_environment(void);

#endif
