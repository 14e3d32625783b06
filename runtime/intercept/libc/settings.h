/* SPDX-License-Identifier: ISC */
/* settings.h - settings of the process, in libc or the kernel: undone at an execution's end. */
#ifndef INTERCEPT_LIBC_SETTINGS_H
#define INTERCEPT_LIBC_SETTINGS_H

#include "base/base.h"

/* Add libc's exported variables to the next snapshot. */
void settings_add_to_snapshot(void);

/* The same for the variables of getopt() (getopt.c). */
void getopt_add_to_snapshot(void);

/* A call that reads or changes the setting, identified by any address: the order of such calls is
 * a choice. */
void settings_step(const void *setting);

/* Call undo(which, before) at the end of the execution. Returns where to store `before`; NULL if
 * the execution has called this with the same undo and which already: the first value counts. */
long *settings_undo(void (*undo)(long which, long before), long which);

/* The current directory is about to change. */
void settings_keep_directory(void);

/* fcntl(fd, command) is about to change a descriptor that is not the execution's own; command is
 * F_SETFL or F_SETFD. */
void settings_keep_flags(int fd, int command);

/* The execution is over. */
void settings_execution_ends(void);

#endif
