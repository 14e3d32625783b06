/* SPDX-License-Identifier: ISC */
/*
 * output.h - output of the explored program, printed once, not in every execution.
 *
 * Descriptors 1 and 2 are discarded while exploring. The output of the first execution, and of a
 * recorded one, goes to a file in memory.
 */
#ifndef PROCESS_OUTPUT_H
#define PROCESS_OUTPUT_H

#include "base/base.h"

void output_begin(void);
void output_capture(void); /* keep the output of the next execution */
void output_forked(void);  /* in a new process: captured on its own */
void output_end(void);	   /* an execution has ended */

/* The program is about to put another descriptor in the place of fd 1 or 2, in this execution. */
void output_redirect(int fd);

/* Output of the captured execution on fd 1 or 2; valid until the next capture. */
const char *output_text(int fd, size_t *n);

/* Restore the descriptors; show_first: print the output of the first execution. */
void output_restore(bool show_first);

#endif
