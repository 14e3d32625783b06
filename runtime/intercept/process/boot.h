/* SPDX-License-Identifier: ISC */
/* boot.h - options, arguments and environment of the process. */
#ifndef INTERCEPT_PROCESS_BOOT_H
#define INTERCEPT_PROCESS_BOOT_H

#include "base/option.h"

/* Set the options of the environment variable HEDDLE_OPTIONS. False: it is invalid, with a line on
 * stderr. */
bool boot_options(struct options *o);

/* Add the program's arguments and environment to the next snapshot. */
void boot_save_environment(void);

/* The exploration ended because the program opens a library (library.c): now it is there, and an
 * exploration from the beginning finds it. */
bool library_opens(void);

#endif
