/* SPDX-License-Identifier: ISC */
/* compiler.h - heddle-cc, as it is beside heddle. */
#ifndef PROGRAM_COMPILER_H
#define PROGRAM_COMPILER_H

#include <stdbool.h>

/* Run it with the words of both, which end with NULL; the standard output goes to a file, NULL:
 * is as ours. False: it fails, and has said why. */
bool compiler_run(const char *const *first, char *const *rest, const char *out);

#endif
