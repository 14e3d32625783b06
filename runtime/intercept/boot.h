/* SPDX-License-Identifier: ISC */
/* boot.h - what the process was started with. */
#ifndef INTERCEPT_BOOT_H
#define INTERCEPT_BOOT_H

#include "base/option.h"

/* Set what the environment variable HEDDLE_OPTIONS asks for. False: it is wrong, and a line on
 * stderr said so. */
bool boot_options(struct options *o);

/* Add the program's arguments and environment to the next snapshot. */
void boot_save_environment(void);

#endif
