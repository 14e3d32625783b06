/* SPDX-License-Identifier: ISC */
/* file_text.h - a file as text in memory. */
#ifndef PROCESS_FILE_TEXT_H
#define PROCESS_FILE_TEXT_H

#include "base/base.h"

/* The contents of a regular file of at most `most` bytes, followed by a 0, in pages that stay; *n:
 * their number. NULL if it cannot be read; errno is not set for a file that is too long, or not
 * regular. Not for use while the program is explored. */
char *file_text(const char *path, size_t most, size_t *n);

#endif
