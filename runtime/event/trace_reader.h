/* SPDX-License-Identifier: ISC */
/* trace_reader.h - the reader of a replay file: its position, and mistakes reported there. */
#ifndef EVENT_TRACE_READER_H
#define EVENT_TRACE_READER_H

#include "event/trace_priv.h"

struct trace_reader {
	struct trace *t;
	struct trace_err *err;
	const struct trace_memory *memory;
	const char *bytes, *end; /* the file */
	const char *line, *stop; /* the line being read: [line, stop), without its newline */
	u32 number;		 /* of the line, 1 first */
	char *strings;		 /* the rest of the memory for strings */
	u64 *frames;		 /* the same, for the frames of stacks */
	u32 seen[RECORDS];
};

/* A key=value of a record. */
struct trace_pair {
	const char *key, *value;
	size_t nkey, nvalue;
};

/* Report a mistake at this position of the current line. Always false, so that a caller can return
 * it. */
bool reader_fail(struct trace_reader *r, const char *at, const char *message);
/* "<message> `<n bytes at at>'" */
bool reader_fail_word(struct trace_reader *r, const char *message, const char *at, size_t n);

/* --- trace_field.c --------------------------------------------------------------------------- */

/* Decode the value of the pair into its field of item. */
bool reader_set_field(
	struct trace_reader *r, const struct field *f, const struct trace_pair *p, char *item);

#endif
