/* SPDX-License-Identifier: ISC */
/* trace_input.h - an input as a replay file. */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include "event/trace.h"

/* The bytes, with a last record if there is none. */
char *trace_sealed(const u8 *data, size_t size, size_t *n);

/* The trace read from them; NULL: refused. */
const struct trace *trace_input(const u8 *data, size_t size);

#endif
