/* SPDX-License-Identifier: ISC */
/*
 * standard.h - standard input, output and error, in whose place the program puts another
 * descriptor: a test that captures its own output, or feeds itself.
 *
 * While the program does not, its standard streams are no business of other threads, and their uses
 * no steps. That it does is learnt (LEARNT_STANDARD). In place of the stream of one of ours, which
 * libc would write to the kernel's, calls use another one (pipe_stream.h).
 */
#ifndef INTERCEPT_FILE_STANDARD_H
#define INTERCEPT_FILE_STANDARD_H

#include <stdbool.h>
#include <stdio.h>

/* Another descriptor is put in the place of fd: the first time this ends the execution. */
void standard_changes(int fd);
/* A use of fd: a step, ordered with such changes and other uses. */
void standard_step(int fd);

/* One of ours comes in the place of the kernel's / one of the kernel's again, so that ours is
 * closed there: what the stream's buffer has goes with it. */
void standard_leaves(int fd);
void standard_returns(int fd);

/* The program has closed fd. / *fd: the lowest one that it has closed. */
void standard_closed(int fd);
bool standard_is_closed(int *fd);

/* The stream to use for f; another one if it is a standard stream, and one of ours is in its
 * place. / The reverse. */
FILE *standard_stream(FILE *f);
FILE *standard_original(FILE *f);
bool standard_is_replaced(const FILE *f); /* is f one of these other streams? */
/* After a call on such a stream: its end of file, or error, is that of the original. */
void standard_note_end(FILE *f);

#endif
