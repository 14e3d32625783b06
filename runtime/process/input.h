/* SPDX-License-Identifier: ISC */
/*
 * input.h - every execution reads standard input from where the first one began.
 *
 * A file can be read again, a pipe or a terminal cannot: what one execution takes from those, the
 * next one does not find.
 */
#ifndef PROCESS_INPUT_H
#define PROCESS_INPUT_H

#include "base/base.h"

/* Before the first execution. */
void input_begin(void);

/* Something reads descriptor 0, not through stdin. False: it will not be there again. */
bool input_is_read(void);

/* In a new process: a file position of its own. */
void input_forked(void);

/* An execution has ended. No system call unless it has read something. */
void input_end(void);

#endif
