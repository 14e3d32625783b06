/* SPDX-License-Identifier: ISC */
/*
 * history.h - the operations of an execution (include/heddle/lin.h), and whether some order
 * explains them (detect/lin.h).
 *
 * On store buffers an execution keeps its operations, with times: a count of beginnings and ends.
 * An operation begins with its thread's first step in it, as the code before that is invisible to
 * other threads; it ends with its last step. A history with an order for these times has one for
 * happens-before, which is weaker; an execution without is run again and recorded. In an execution
 * graph a beginning and an end are events without a choice (LABEL_CHOOSE of one number), so a graph
 * has its history without being run: label.op distinguishes them; for a beginning, label.other is
 * the number of the call; for an end, label.expected is the result. Precedence is happens-before.
 *
 * Judged histories are recorded by their hash: executions are many, histories few.
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "event/finding.h"
#include "event/trace.h"
#include "heddle/lin.h"

struct cache;
struct graph;
struct thread;

/* Before an exploration. */
void history_begin(void);

/* Has any operation been called in this exploration? */
bool history_wanted(void);

/* Calls of the running thread. */
void history_specify(const void *object, const struct heddle_spec *spec, i64 parameter);
void history_op_begin(const void *object, const char *name, i64 a, i64 b);
void history_op_end(i64 ret);

/* In schedule(), before and after other threads may have moved; t has begun an operation
 * (t->op_begun). */
void history_before_step(struct thread *t);
void history_after_step(struct thread *t);

/* An execution is over. True: no order explains it; *f is the finding. A history without an order
 * that extends the order of steps is only suspected: a recording shows whether it also fails by
 * happens-before. */
bool history_fails(struct finding *f);
bool history_suspected(void);
bool history_fails_graph(const struct graph *g, const struct cache *cache, struct finding *f);

/* The native threads have passed the graph that failed last: complete *f. */
void history_record(struct finding *f);

/* Write the failing history to a replay file. */
void history_put(struct trace_writer *w);

#endif
