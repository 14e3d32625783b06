/* SPDX-License-Identifier: ISC */
/* manual.h - the manual page and the completion of command lines, from the same tables as
 * --help. */
#ifndef HELP_MANUAL_H
#define HELP_MANUAL_H

#include <stdio.h>

/* heddle(1), for man. */
void manual_page(FILE *out);

/* Code for bash or zsh that completes commands, options and their values. Dies for other shells. */
void manual_complete(const char *shell, FILE *out);

#endif
