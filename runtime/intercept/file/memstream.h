/* SPDX-License-Identifier: ISC */
/* memstream.h - streams of open_memstream(), while exploring. */
#ifndef INTERCEPT_FILE_MEMSTREAM_H
#define INTERCEPT_FILE_MEMSTREAM_H

#include <stdbool.h>
#include <stdio.h>

/* The calling thread has flushed this stream: store the text and its length for the program. Does
 * nothing if the stream is of another kind, or NULL. */
void memstream_flushed(FILE *f);

/* Flush and close it; false: the stream is of another kind. */
bool memstream_closed(FILE *f);

#endif
