/* SPDX-License-Identifier: ISC */
/* pipe_stream.h - streams over descriptors that the program's threads share, while exploring. */
#ifndef INTERCEPT_FILE_PIPE_STREAM_H
#define INTERCEPT_FILE_PIPE_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/* fdopen() of a descriptor of kernel/descriptor.h, or for standard.h. NULL and errno: it failed. */
FILE *pipe_stream_open(int fd, const char *mode);

bool pipe_stream_is(const FILE *f);

/* fclose() of such a stream: its buffer is written, then the descriptor is closed. */
int pipe_stream_close(FILE *f);

#endif
