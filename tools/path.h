/* SPDX-License-Identifier: ISC */
/* path.h - paths and words as users read and type them. */
#ifndef TOOLS_PATH_H
#define TOOLS_PATH_H

#include <stdbool.h>

/* The current directory, determined once; "/" if unknown. */
const char *current_folder(void);

/* A path as typed in the current folder: without "./" and that folder. */
const char *path_here(const char *path);

/* The last part of a path. */
const char *path_base(const char *path);

/* Does a glob match a path as typed in the current folder, or the last parts of it? stats.c matches
 * src/stats.c. */
bool path_matches(const char *glob, const char *path);

/* A word of a command line, quoted for a shell if need be. */
const char *shell_word(const char *s);

/* Open a file to read it; -1 with errno, also if it is not a regular file, as a pipe could
 * block. */
int path_open(const char *path);

#endif
