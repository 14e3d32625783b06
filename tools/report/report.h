/* SPDX-License-Identifier: ISC */
/*
 * report.h - one trace prepared for result.h and drawing.h, which read nothing else.
 *
 * report_open() gives every event a place in the source and a name for its memory, and determines
 * the reorderings. Nothing is freed but with the process.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "event/trace.h"
#include "source/expression.h"
#include "source/symbol.h"

/* The style of a text report. */
struct style {
	bool stacks;  /* of every step */
	bool all;     /* every step, however many */
	bool columns; /* one per thread, at any width */
	bool color;
	unsigned width; /* of the terminal */
};

/* One event, one row. */
struct row {
	const struct trace_event *ev;
	const struct frames *at; /* where in the program; NULL = nowhere */
	char *what;		 /* "store x = 1" */
	char *note;		 /* "-> into T1's store buffer"; "" = none */
	char *place;		 /* name of the memory or object; "" = none */
	struct leaf leaf;	 /* its type */
	u32 commit; /* of a buffered store: the step at which it reached memory, 0 = never */
	bool prompt; /* not shown: a commit directly after its store, as if there were no buffer;
		      * an access without effect */
	bool shown, key; /* key: on the cycle, or the failure */
	bool mentioned;	 /* in `why' of a race */
};

/* A later access of a thread that took effect before an earlier one of it. */
struct reordering {
	u32 store, later; /* steps; store: the earlier one, of any kind */
	char *text;	  /* one sentence, without a full stop */
};

/* A write read by another thread without synchronising with it (RA, RC11). */
struct missing_sync {
	u32 write, read; /* steps */
	char *text;
};

/* A fence that the cycle lacks: each cycle edge that the model may reorder needs one. */
struct missing_fence {
	u32 store, later; /* steps of the same thread */
	bool release;	  /* between two stores; else a full fence */
};

/* A stronger order that would forbid the execution, where its model has orders (RA, RC11). */
struct missing_order {
	u32 step;
	bool acquire; /* else release */
};

/* A sleep or a timed wait that ended while another thread could still move. */
struct timing {
	u32 step, other; /* step; thread */
	u64 ns;
	char *text; /* one sentence, without a full stop */
};

/* One of the two accesses of a data race. */
struct race_side {
	u32 step;
	u32 *locks; /* steps at which the thread took the locks that it holds */
	unsigned nlocks;
	char *held; /* their names, or "no lock" */
};

/* Type and name of a heap block. */
struct block_name {
	bool typed;
	bool is_raw;  /* allocated as bytes */
	unsigned fit; /* how well the type fits */
	struct leaf type;
	const char *variable; /* the variable that it was assigned to, NULL = unknown */
	u64 address; /* of the frame with that assignment, 0 = unknown */
	unsigned frame;
	char *name; /* node#1 */
};

struct report {
	const struct trace *t;
	struct symbols *symbols;
	const char *changed;	   /* a module that was changed or removed, or NULL */
	const char *path;	   /* of the replay file */
	struct row *rows;	   /* t->nevents */
	struct block_name *blocks; /* t->nblocks */
	const struct expression **uses, **place_uses; /* of an event, of a place; NULL = unknown */
	struct reordering *reorderings;
	unsigned nreorderings;
	struct missing_fence *fences;
	unsigned nfences;
	struct missing_order *orders;
	unsigned norders;
	struct missing_sync *syncs;
	unsigned nsyncs;
	struct timing *timings;
	unsigned ntimings;
	bool spurious_failures, spurious_wakes, interrupted_calls;
	bool has_race; /* the following fields are valid */
	struct race_side race[2]; /* the earlier one first */
	char *race_why;		  /* the missing synchronisation, in words */
	const char *race_note;	  /* NULL = nothing to add */
	const char *message;	  /* the finding in one line */
	char *file, *place; /* of the failure, NULL = unknown; file.c:12, or file.c:~12: near it */
	int line;
	const char *function; /* NULL = unknown */
};

/* `path` is where the trace was read from. */
struct report *report_open(const struct trace *t, const char *path);

/* Is its model one of memory orders (RA, RC11), not of store buffers? */
bool report_has_orders(const struct report *r);

/* Do two events touch the same bytes? */
bool events_overlap(const struct event *a, const struct event *b);

/* Select the rows to show: all, or of a long execution those that matter. */
void report_select(struct report *r, bool all);

/* Names of threads: "main", "T1"; a name given by the program is appended to the long one. */
const char *thread_label(const struct report *r, u32 id);
const char *thread_long_label(const struct report *r, u32 id);

/* The long one with the function that the thread starts in: "T1 writer_x". */
const char *thread_title(const struct report *r, u32 id);

/* "depends on timing and a spurious wake-up", or ""; and "; needs reordering: ..." with it. */
const char *report_depends(const struct report *r);
const char *report_qualities(const struct report *r);
const char *report_model(const struct report *r); /* its name, or that of the file */

/* "sb.c:10", "libx.so+0x123", "" */
char *frame_place(const struct frames *f, unsigned i);

/* Function and place of a step that is shown, "" = unknown; the column is named where two steps of
 * one line need it. */
const char *row_function(const struct report *r, const struct row *row);
char *row_place(const struct report *r, const struct row *row);

/* The same of a step; "step 3" if it is nowhere. */
/* ending.c: its result, if it has a notable one; begins with a blank or a colon. */
const char *result_suffix(const struct event *e);
char *step_place(const struct report *r, u32 step);

/* --- race.c ---------------------------------------------------------------------------------- */

/* Fill in the part of the report about a data race. */
void race_prepare(struct report *r);

/* "close": the operation behind an access of a descriptor, which is a variable to the race
 * detector; NULL: not one. */
const char *descriptor_verb(const struct row *row);
/* "T1 stores x = 1, not atomic" */
char *race_access(const struct report *r, unsigned i);

/* Races of the same two places in the source? One place in the source may have several code
 * addresses. */
bool race_is_same(const struct report *a, const struct report *b);

/* --- why.c ----------------------------------------------------------------------------------- */

/* Fill in the parts of the report about the cycle. */
void why_prepare(struct report *r);

/* The step of the store that a commit stands for; else the step itself. */
u32 store_of(const struct report *r, u32 step);

/* The reordering of two accesses of a thread; NULL: none. */
const struct reordering *reordering_of(const struct report *r, u32 first, u32 later);

/* "store"; "store to x (sb.c:30)" */
const char *access_noun(const struct event *e);
char *step_access(const struct report *r, u32 step);

/* --- text_why.c: the cycle, its reasons, and changes that forbid it; heading(page, word) begins a
 * paragraph */

void text_why(const struct report *r, void (*heading)(void *, const char *), void *page, FILE *out);

/* "release"; "the store to x (sb.c:30) release"; of a fence, "after sb.c:30". NULL: it was printed
 * before, or there are no more. */
const char *repair_order_name(const struct report *r, unsigned i);
char *repair_order_words(const struct report *r, unsigned i);
char *repair_fence_words(const struct report *r, unsigned i);

/* --- lock.c ---------------------------------------------------------------------------------- */

/* The locks that a thread holds before a step, as steps at which it took them. Returns their
 * number. */
unsigned locks_held(const struct report *r, u32 thread, u32 before, u32 **steps);

/* --- wait.c ---------------------------------------------------------------------------------- */

/* The message, where it is about the waits. */
void wait_prepare(struct report *r);

/* Do the threads of its waits wait for ever? Those of a lock order do not. */
bool waits_are_final(const struct report *r);

/* "waits to lock b, which T2 holds" */
char *wait_words(const struct report *r, const struct trace_wait *w);

/* The step that causes the wait: the one that took the lock, or the wake-up that came too early; 0:
 * none. */
u32 wait_cause(const struct report *r, const struct trace_wait *w);

/* All steps that explain the wait: its beginning, and its causes. Returns their number. */
#define WAIT_STEPS 11
unsigned wait_steps(const struct report *r, const struct trace_wait *w, u32 *steps);

/* "T1", "T1 and T2", "T1, T2 and 3 more" */
char *thread_list(const struct report *r, const u32 *ids, unsigned n);

/* "T2 has signalled it too early: ..."; NULL: unknown. */
char *wait_why(const struct report *r, const struct trace_wait *w);

/* The steps that can be repeated for ever; NULL: none. */
char *wait_repeats(const struct report *r);

/* --- timing.c -------------------------------------------------------------------------------- */

/* Does the failure need time to pass while threads could move? After rows, why and waits. */
void timing_prepare(struct report *r);
void spurious_prepare(struct report *r); /* likewise spurious failures and wake-ups (spurious.c) */
const char *spurious_suffix(const struct event *e); /* " spuriously", or "" */

char *time_words(u64 ns); /* "1000 s", "1.5 ms" */

/* --- names.c, value.c ------------------------------------------------------------------------ */

/* The name of a place, or of `size` bytes in it; its type into *leaf (may be NULL). */
char *name_of_place(const struct report *r, u32 place, u64 size, struct leaf *leaf);

/* The name of the target of a pointer to this type (NULL = unknown) at a place. */
char *name_of_pointee(const struct report *r, u32 place, Dwarf_Die *type);

/* The name of the place that an event accesses. */
char *name_of_access(const struct report *r, const struct trace_event *ev, struct leaf *leaf);

/* A value as its type shows it. */
char *name_of_value(const struct report *r, const struct leaf *leaf, const u64 *value, u64 size);

/* --- history.c ------------------------------------------------------------------------------- */

/* "deq() -> 2"; the operation of the failing history that begins or ends at a step, or NULL. */
char *operation_words(const struct trace_operation *o);
const struct trace_operation *operation_at(const struct report *r, u32 step);

/* The history, if the finding is about one; heading(page, word) begins a paragraph. */
void text_history(const struct report *r, void (*heading)(void *, const char *), void *page,
	unsigned width, FILE *out);

/* --- renderers ------------------------------------------------------------------------------- */

void text_report(const struct report *r, const struct style *style, FILE *out);

#endif
