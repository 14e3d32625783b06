/* SPDX-License-Identifier: ISC */
/*
 * generate.h - the operations of a concurrent structure, for `heddle generate'.
 *
 * A list is a C file or header that declares the structure and names its operations:
 *
 *     #include <heddle/generate.h>
 *     #include "queue.h"
 *
 *     static struct queue q;
 *
 *     static int64_t deq(void)
 *     {
 *             int v;
 *             return queue_take(&q, &v) ? v : HEDDLE_EMPTY;
 *     }
 *
 *     HEDDLE_SPECIFICATION(queue)
 *     HEDDLE_SETUP(queue_init(&q);)
 *     HEDDLE_THREADS(enq: queue_put(&q, new), deq())
 *     HEDDLE_AFTER(deq())
 *
 * Each client performs some of them in two or three threads. The compiler checks the file as any
 * other; the macros define static functions and nothing else. C only, once each but for
 * HEDDLE_THREAD and HEDDLE_THREADS.
 *
 * Form of an operation:  NAME(ARGUMENTS)  or  NAME: FUNCTION(ARGUMENTS)
 *
 * NAME is that of the specification's operation; without FUNCTION it is the function's, too. Its
 * result, an integer or nothing, is the operation's. Of the arguments
 *
 *     new     is a new value in each call: thread T, from 1 on, uses 10 T + 1, 10 T + 2, ...,
 *             main 1, 2, ...
 *     2..4    is each of these values: a client for each
 *     7       is this value
 *
 * and these are the arguments of the operation in its specification. Any other C expression is
 * passed as it is, with the new value for the word new, and the number of the thread (main's is 0)
 * for the word thread: enq: queue_put(&q, &node[new], new).
 */
#ifndef HEDDLE_GENERATE_H
#define HEDDLE_GENERATE_H

#include <heddle/lin.h>

/* The text for heddle generate, which reads it after the preprocessor. */
#define HEDDLE_LISTED(kind, text) _Static_assert(1, "heddle generate: " kind ": " text);

/* What the structure should be: heddle_spec_NAME, of heddle/lin.h or your own; and its parameter.
 * Without a specification operations are not judged: only races, failed assertions and the like
 * are found. */
#define HEDDLE_SPECIFICATION(name, ...) \
	static inline void heddle_generate_specify(void) \
	{ \
		heddle_specify(&heddle_spec_##name, __VA_ARGS__ + 0); \
	} \
	HEDDLE_LISTED("specification", #name)

/* Statements that main executes first. */
#define HEDDLE_SETUP(...) \
	static inline void heddle_generate_setup(void) \
	{ \
		__VA_ARGS__ \
	} \
	HEDDLE_LISTED("setup", "")

/* Operations of any number of threads. */
#define HEDDLE_THREADS(...) HEDDLE_LISTED("threads", #__VA_ARGS__)

/* Operations of one thread only: a producer, the owner of a deque. A thread has the operations of
 * one list. */
#define HEDDLE_THREAD(...) HEDDLE_LISTED("thread", #__VA_ARGS__)

/* Operations of main before the threads begin, in this order. */
#define HEDDLE_BEFORE(...) HEDDLE_LISTED("before", #__VA_ARGS__)

/* Operations of main when the threads have ended: one with `2..4' for each value; one without
 * arguments again and again, until it returns HEDDLE_EMPTY or the same result twice. */
#define HEDDLE_AFTER(...) HEDDLE_LISTED("after", #__VA_ARGS__)

/* --- what generated clients contain ---------------------------------------------------------- */

/* The result of a call, 0 if it has none. */
#define HEDDLE_RESULT(call) \
	__builtin_choose_expr( \
		__builtin_types_compatible_p(__typeof__(call), void), ((call), 0), (call))

/* Perform an operation with its arguments in the specification. Evaluates to its result. */
#define HEDDLE_PERFORM(name, a, b, call) \
	({ \
		int64_t heddle_result; \
		heddle_op_begin_on(NULL, name, a, b); \
		heddle_result = HEDDLE_RESULT(call); \
		heddle_op_end(heddle_result); \
		heddle_result; \
	})

#endif
