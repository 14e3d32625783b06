/* SPDX-License-Identifier: ISC */
/*
 * input.h - every execution reads standard input from the position of the first one.
 *
 * A file can be read again, a pipe or a terminal cannot: input consumed by one execution is lost
 * for the next.
 */
#ifndef PROCESS_INPUT_H
#define PROCESS_INPUT_H

#include "base/base.h"

/* Before the first execution. */
void input_begin(void);

/* Descriptor 0 is about to be read directly. False: the input cannot be read again. */
bool input_is_read(void);

/* The program is about to put another descriptor in its place, in this execution. */
void input_redirect(void);

/* In a new process: a separate file position. */
void input_forked(void);

/* An execution has ended. No system call unless it has read something. */
void input_end(void);

#endif
