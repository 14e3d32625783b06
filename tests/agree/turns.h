/* SPDX-License-Identifier: ISC */
/*
 * turns.h - loops for turns.c: each is a function that some thread runs while others write.
 *
 * A loop's result is the outcome. An iteration with an effect that is used later must not count as
 * fruitless.
 */
#ifndef AGREE_TURNS_H
#define AGREE_TURNS_H

#include <heddle/heddle.h>

#include <stdatomic.h>

#define TURNS_VARIABLES 3
#define TURNS_THREADS	3

typedef int turns_body(void);

struct turns_case {
	const char *name;
	turns_body *body[TURNS_THREADS]; /* NULL: no such thread */
};

extern const struct turns_case turns_cases[];
extern const int turns_ncases;

extern atomic_int turns_variable[TURNS_VARIABLES];

#define X turns_variable[0]
#define Y turns_variable[1]
#define Z turns_variable[2]

/* For loops that only other threads end: executions with more iterations do not count. */
extern int turns_bounded;

static inline void turn(int *n)
{
	if (turns_bounded && ++*n > turns_bounded)
		heddle_assume(0);
}

static inline int get(atomic_int *p)
{
	return atomic_load_explicit(p, memory_order_relaxed);
}

static inline void put(atomic_int *p, int v)
{
	atomic_store_explicit(p, v, memory_order_relaxed);
}

static inline _Bool change(atomic_int *p, int from, int to)
{
	return atomic_compare_exchange_strong(p, &from, to);
}

#endif
