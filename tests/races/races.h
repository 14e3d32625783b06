/* SPDX-License-Identifier: ISC */
/*
 * races.h - a corpus of small racy and clean programs: one CASE each, some fifty in a file.
 *
 * The comment above each CASE has the exact findings that Heddle must report:
 *
 *     clean                         nothing, under any model
 *     race VARIABLE @TAG @TAG       a race of the lines of this file with these comments, by this
 *                                   name in the report; a line for each pair
 *     race MODEL,MODEL: ...         the same, under these models only (of rc11, tso, pso, sc)
 *     finds KIND                    a finding of another kind
 *
 * An execution ends at its first race: one that is met only after another one does not count. The
 * order of plain accesses alone makes no two executions: there, the first thread comes first.
 *
 * run.sh reads this, runs races.c, and compares. Memory is the same at the beginning of each case,
 * so cases share variables, and threads where they can.
 */
#ifndef RACES_H
#define RACES_H

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include <heddle/heddle.h>

struct race_case {
	const char *name;
	void (*run)(void *);
};

#define CASE(case_name)                                                                            \
	static void case_name(void *);                                                             \
	static const struct race_case case_name##_case                                             \
		__attribute__((used, section("race_cases"))) = {#case_name, case_name};            \
	static void case_name(void *unused)

/* The function of a thread. */
typedef void body(void);

static inline void *run_body(void *arg)
{
	((body *)arg)();
	return NULL;
}

static inline pthread_t start(body *b)
{
	pthread_t t;

	pthread_create(&t, NULL, run_body, (void *)b);
	return t;
}

static inline void end(pthread_t t)
{
	pthread_join(t, NULL);
}

/* Both in threads of their own, to their ends. */
static inline void together(body *a, body *b)
{
	pthread_t ta = start(a), tb = start(b);

	end(ta);
	end(tb);
}

static inline void three(body *a, body *b, body *c)
{
	pthread_t ta = start(a), tb = start(b), tc = start(c);

	end(ta);
	end(tb);
	end(tc);
}

#define LOAD(x, order)	   atomic_load_explicit(&(x), memory_order_##order)
#define STORE(x, v, order) atomic_store_explicit(&(x), v, memory_order_##order)
#define ADD(x, v, order)   atomic_fetch_add_explicit(&(x), v, memory_order_##order)
#define XCHG(x, v, order)  atomic_exchange_explicit(&(x), v, memory_order_##order)
#define FENCE(order)	   atomic_thread_fence(memory_order_##order)

/* Read, and make the compiler assume that the value is used. */
#define USE(x)	__asm__ volatile("" : : "g"((x) + 0))

/* Keep the target of p from being optimised away. */
#define KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")

#endif
