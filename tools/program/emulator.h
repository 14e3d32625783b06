/* SPDX-License-Identifier: ISC */
/*
 * emulator.h - programs for another processor are run by the command in HEDDLE_EMULATOR, as
 * `qemu-aarch64 -L /usr/aarch64-linux-gnu'.
 */
#ifndef PROGRAM_EMULATOR_H
#define PROGRAM_EMULATOR_H

#include <stdbool.h>

/* Is there such a command? */
bool emulator_is_set(void);

/* The words to execute for a program and its arguments: argv itself, if the program is for this
 * machine's processor; else the command, split at blanks, before argv. Ends with NULL. */
char **emulator_words(char **argv);

#endif
