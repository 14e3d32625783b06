/* SPDX-License-Identifier: ISC */
/* trace_priv.h - the records of a replay file as tables, for its writer and its reader. */
#ifndef EVENT_TRACE_PRIV_H
#define EVENT_TRACE_PRIV_H

#include "event/trace.h"

enum field_type {
	FIELD_NUMBER, /* unsigned, 1, 2, 4 or 8 bytes wide */
	FIELD_SIGNED, /* i32 */
	FIELD_HEX,    /* u64 */
	FIELD_WIDE,   /* u64[2] */
	FIELD_TEXT,   /* const char * */
	FIELD_CHARS,  /* char[size]; the reader cuts longer ones */
	FIELD_BYTES,  /* struct trace_output: n bytes of text */
	FIELD_LOC,    /* u64: a code or data address */
	FIELD_NAME,   /* a number with a word from `name` */
	FIELD_FLAGS,  /* u16 of enum event_flag */
	FIELD_BUILD,  /* struct trace_build_id */
	FIELD_FRAMES, /* struct trace_stack: nframes locations */
};

/* The kind of record that a field refers to. 0 refers to none, except for a thread. */
enum field_ref {
	REF_NONE,
	REF_THREAD,
	REF_STACK,
	REF_BLOCK,
	REF_PLACE,
	REF_EARLIER, /* a step before this event's */
	REF_STEP,
};

struct field {
	const char *key;
	u8 type; /* enum field_type */
	u8 ref;	 /* enum field_ref */
	bool needed;
	u16 offset, size;
	const char *(*name)(unsigned);
};

enum record_kind {
	RECORD_HEAD,
	RECORD_PROGRAM,
	RECORD_ARG,
	RECORD_OPTION,
	RECORD_MODULE,
	RECORD_THREAD,
	RECORD_STACK,
	RECORD_BLOCK,
	RECORD_PLACE,
	RECORD_EVENT,
	RECORD_CHOICE,
	RECORD_FINDING,
	RECORD_MINIMISED,
	RECORD_WAIT,
	RECORD_EDGE,
	RECORD_AXIOM,
	RECORD_LINK,
	RECORD_HISTORY,
	RECORD_OPERATION,
	RECORD_SITE,
	RECORD_VISIBLE,
	RECORD_OUTPUT,
	RECORD_END,
	RECORDS
};

struct trace_record {
	const char *keyword;
	const struct field *fields;
	u16 nfields;
	u16 size;      /* of the struct */
	u16 at, count; /* in struct trace: pointer to the array, its length; count 0: `at` is it */
	u8 first_id;   /* of records with a growing id, the least one */
	bool has_id;   /* the first u32 of the struct is an id or a step */
	bool gapless;  /* ids count 1, 2, 3, ... */
};

struct trace_head {
	u32 version;
	const char *tool;
};

struct trace_tail {
	u32 records, crc;
};

extern const struct trace_record trace_records[RECORDS];

#endif
