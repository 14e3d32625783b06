/* SPDX-License-Identifier: ISC */
/*
 * output.h - what the program prints while it is explored is shown once, not a thousand times.
 *
 * Descriptors 1 and 2 lead nowhere while exploring. The output of the first execution, and of a
 * recorded one, goes to a file in memory.
 */
#ifndef PROCESS_OUTPUT_H
#define PROCESS_OUTPUT_H

#include "base/base.h"

void output_begin(void);
void output_capture(void); /* keep what the next execution prints */
void output_forked(void);  /* in a new process: captured on its own */
void output_end(void);	   /* an execution has ended */

/* What the captured execution printed on fd 1 or 2; valid until the next capture. */
const char *output_text(int fd, size_t *n);

/* Descriptors as they were; show_first: print what the first execution printed. */
void output_restore(bool show_first);

#endif
