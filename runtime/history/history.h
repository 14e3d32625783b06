/* SPDX-License-Identifier: ISC */
/*
 * history.h - the operations of an execution (include/heddle/lin.h), and whether some order
 * explains them (detect/lin.h).
 *
 * On store buffers an execution keeps its operations, with times: a count of beginnings and ends.
 * An operation begins when its thread takes its first step in it, as late as it may, since the code
 * before that concerns no other thread; it ends with its last step. A history that has an order
 * with these times has one with happens-before, which orders less; one that has not is run again
 * and recorded. In an execution graph a beginning and an end are events without a choice
 * (LABEL_CHOOSE of one number), so a graph has its history even when it is not run: label.op says
 * which of both; of a beginning, label.other is a number of what is called; of an end,
 * label.expected is the result. One is before the other if it happens before it.
 *
 * What has been judged is remembered by its hash: executions are many, histories few.
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

/* The running thread says. */
void history_specify(const void *object, const struct heddle_spec *spec, i64 parameter);
void history_op_begin(const void *object, const char *name, i64 a, i64 b);
void history_op_end(i64 ret);

/* In schedule(), before and after others may have moved: t has begun an operation (t->op_begun). */
void history_before_step(struct thread *t);
void history_after_step(struct thread *t);

/* An execution is over. True: no order explains it; *f says so. What no order explains that extends
 * the order of steps is suspected only: whether happens-before makes it fail is known when it has
 * been recorded. */
bool history_fails(struct finding *f);
bool history_suspected(void);
bool history_fails_graph(const struct graph *g, const struct cache *cache, struct finding *f);

/* The native threads have passed all of the graph that has failed last: complete *f. */
void history_record(struct finding *f);

/* The failing history into a replay file. */
void history_put(struct trace_writer *w);

#endif
