/* SPDX-License-Identifier: ISC */
/*
 * ordinary.h - ordinary programs, whose verdicts are known by construction.
 *
 * A program is a *frame* (frame.c: how its threads come and go, and how it ends), a few background
 * threads that still exist at its end (daemons.c), and *parts*. A part is an idiom (locks.c,
 * rounds.c, waits.c, mixed.c) with memory of its own. All threads go through the parts in the same
 * order. So no part can be stuck because of a later one, and no other part orders two
 * steps inside this one: an error in a part is found in any context, and the verdict
 * of a program is that of the part, or of the frame, in which one thing has been
 * weakened.
 */
#ifndef ORDINARY_H
#define ORDINARY_H

#include "graph_program.h"

#include <heddle/heddle.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define WORKERS 3 /* at most */
#define PARTS	3
#define DAEMONS 2
#define MODELS	GP_MODELS

/* As in counted.h. A race may cause any other error, even one that judge.c does not name. */
enum { RACE = 0x87, FAILURE = 2, STUCK = 4 };

struct part {
	uint8_t idiom, weak;   /* the number of its weakness; 0: none */
	uint8_t users;	       /* threads that take part */
	uint8_t role[WORKERS]; /* each worker's role: 0 to users - 1; more: none */
	uint8_t rounds;
	uint8_t pick[6]; /* choices between correct variants */
};

enum start { START_MAIN, START_CHAIN, START_NEST, START_MAIN_WORKS, STARTS };
enum finish { FINISH_JOIN, FINISH_SEMAPHORE, FINISH_CONDITION, FINISH_COUNTER, FINISHES };
enum ending { END_RETURN, END_EXIT, END_ATEXIT, END_BY_THREAD, END_LAST, ENDINGS };

struct plan {
	uint64_t seed;
	uint8_t workers, parts, daemons, weak; /* weak: of the frame */
	uint8_t start, finish, ending, pick[6];
	uint8_t daemon[DAEMONS];
	struct part part[PARTS];
	uint8_t verdict[MODELS];
};

struct weakness {
	const char *name;
	uint8_t verdict[MODELS];
};

#define ALL_MODELS(v) \
	{ \
		v, v, v, v, v, v \
	}
#define NO_RELEASE(v) \
	{ \
		0, 0, v, 0, 0, v \
	} /* a store may overtake earlier ones; sra and ra have no relaxed ones */
#define NO_ACQUIRE(v) \
	{ \
		0, 0, 0, 0, 0, v \
	}
#define NO_FENCE(v) \
	{ \
		0, v, v, v, v, v \
	}
#define WEAKNESSES 6

/* Only the pass recognises, and only in optimised code, that a loop's variable only counts its
 * iterations. */
#if defined __OPTIMIZE__ && defined __clang__
#define COUNTS_ARE_SEEN true
#else
#define COUNTS_ARE_SEEN false
#endif

struct idiom {
	const char *name;
	uint8_t least, most; /* users */
	bool joined;	     /* works only with threads that are joined */
	bool stays;	     /* leaves a running thread */
	bool single;	     /* at most one in a program */
	uint16_t costs[3];   /* about so many executions alone: two users; in two rounds; three
				users */
	bool (*retries)(
		const struct part *); /* its time-outs may repeat; may be NULL */
	bool (*endless)(const struct part *); /* its executions have no end; may be NULL */
	const char *const
		*ways; /* names of values of pick[0], which it takes modulo nways; may be NULL */
	unsigned nways;
	void (*shape)(struct part *); /* makes choices for its weakness; may be NULL */
	void (*begin)(const struct part *, void *); /* before there are threads; may be NULL */
	void (*work)(const struct part *, void *, int me);
	void (*end)(const struct part *, void *); /* after all have worked */
	uint8_t without_sc;			  /* its verdict under sra and ra */
	struct weakness weakness[WEAKNESSES + 1]; /* from 1 on */
};

#define STATE 1024 /* bytes that a part has; zero at the beginning */

extern const struct idiom *const idioms[];
extern const unsigned nidioms;
extern const struct weakness frame_weakness[];
extern const unsigned frame_weaknesses, daemon_kinds;
extern const char *const daemon_name[];

extern const struct idiom lock_idiom, trylock_idiom, rwlock_idiom, recursive_idiom, robust_idiom,
	tsd_idiom;
extern const struct idiom barrier_idiom, buffer_idiom, queue_idiom, pool_idiom;
extern const struct idiom message_idiom, gate_idiom, post_idiom, once_idiom, checked_idiom,
	cas_idiom, stack_idiom, seqlock_idiom, claims_idiom;
extern const struct idiom pointer_idiom, bytes_idiom, byte_lock_idiom, halves_idiom;

/* Idioms, their variants, daemons and endings excluded from programs:
 * "robust,message:count,spins,...". */
void plan_without(const char *names);

/* The program of this seed; with `weaken`, one thing of it is. */
void plan_make(struct plan *p, uint64_t seed, bool weaken);

/* Some thread waits anew after a time-out: time-outs have to have a bound. */
bool plan_retries(const struct plan *p);

/* A count of iterations is kept: the number of executions is unbounded, and the errors found by
 * then count. */
bool plan_endless(const struct plan *p);

void plan_print(const struct plan *p);

/* Runs it; may not return. */
void frame_run(const struct plan *p);
void daemons_begin(const struct plan *p);

/* --- words for all idioms
 * -------------------------------------------------------------------------- */

#define check heddle_assert

/* The compiler moves no access past this: the subject of weakened programs is the machine. */
#define KEEP() __asm__ volatile("" : : : "memory")

static inline int look(atomic_int *a, memory_order order)
{
	int v;

	KEEP();
	v = order == memory_order_relaxed   ? atomic_load_explicit(a, memory_order_relaxed)
	    : order == memory_order_acquire ? atomic_load_explicit(a, memory_order_acquire)
					    : atomic_load(a);
	KEEP();
	return v;
}

static inline void put(atomic_int *a, int v, memory_order order)
{
	KEEP();
	if (order == memory_order_relaxed)
		atomic_store_explicit(a, v, memory_order_relaxed);
	else if (order == memory_order_release)
		atomic_store_explicit(a, v, memory_order_release);
	else
		atomic_store(a, v);
	KEEP();
}

static inline int add(atomic_int *a, int v, memory_order order)
{
	KEEP();
	v = order == memory_order_relaxed   ? atomic_fetch_add_explicit(a, v, memory_order_relaxed)
	    : order == memory_order_acq_rel ? atomic_fetch_add_explicit(a, v, memory_order_acq_rel)
					    : atomic_fetch_add(a, v);
	KEEP();
	return v;
}

/* True: changed. Else *from is the current value. */
static inline bool change(atomic_int *a, int *from, int to, memory_order order, bool weak)
{
	bool done;

	KEEP();
	if (weak)
		done = order == memory_order_relaxed
			       ? atomic_compare_exchange_weak_explicit(
					 a, from, to, memory_order_relaxed, memory_order_relaxed)
			       : atomic_compare_exchange_weak_explicit(
					 a, from, to, memory_order_acq_rel, memory_order_acquire);
	else
		done = order == memory_order_relaxed
			       ? atomic_compare_exchange_strong_explicit(
					 a, from, to, memory_order_relaxed, memory_order_relaxed)
			       : atomic_compare_exchange_strong(a, from, to);
	KEEP();
	return done;
}

/* Acquire or seq_cst; release or seq_cst; relaxed if that is the weakness. */
#define NEVER 255 /* no weakness */

static inline memory_order acquire_or(const struct part *p, int weakness)
{
	return p->weak == weakness ? memory_order_relaxed
	       : p->pick[5] & 1	   ? memory_order_seq_cst
				   : memory_order_acquire;
}

static inline memory_order release_or(const struct part *p, int weakness)
{
	return p->weak == weakness ? memory_order_relaxed
	       : p->pick[5] & 2	   ? memory_order_seq_cst
				   : memory_order_release;
}

static inline memory_order both_or(const struct part *p, int weakness)
{
	return p->weak == weakness ? memory_order_relaxed
	       : p->pick[5] & 4	   ? memory_order_seq_cst
				   : memory_order_acq_rel;
}

static inline struct timespec in(clockid_t clock, long ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

#endif
