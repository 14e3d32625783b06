/* SPDX-License-Identifier: ISC */
/* locks.h - the effects of operations on locks, for run.c and enumerate.c. */
#ifndef AGREE_LOCKS_H
#define AGREE_LOCKS_H

#include "graph_program.h"

/* The value of a lock is 0, or 1 + its thread, or: */
enum {
	READER = 16,   /* of a read-write lock, for each reader */
	OWNER_DIED = 60, /* of a robust mutex */
	GONE,
	ONCE_BEGUN = 1, /* of a once flag */
	ONCE_OVER
};

static inline bool is_free(enum gp_kind kind, int old)
{
	switch (kind) {
	case GP_RDLOCK:
	case GP_TRYRDLOCK: return !old || old >= READER;
	case GP_SEM_WAIT:
	case GP_TRYWAIT: return old > 0;
	default: return !old || old == OWNER_DIED;
	}
}

static inline bool tries(enum gp_kind kind)
{
	return kind == GP_TRYLOCK || kind == GP_TRYRDLOCK || kind == GP_TRYWRLOCK ||
	       kind == GP_TRYWAIT;
}

/* Does the operation wait until it is free? */
static inline bool may_wait(enum gp_kind kind)
{
	return kind == GP_LOCK || kind == GP_RDLOCK || kind == GP_WRLOCK || kind == GP_SEM_WAIT ||
	       kind == GP_ONCE;
}

static inline bool releases(enum gp_kind kind)
{
	return kind == GP_UNLOCK || kind == GP_RWUNLOCK || kind == GP_SEM_POST ||
	       kind == GP_ONCE_DONE || kind == GP_DIE;
}

static inline bool is_of_lock(enum gp_kind kind)
{
	return may_wait(kind) || releases(kind) || tries(kind) || kind == GP_SEM_VALUE;
}

/* Does it leave an object of this value as it is, and go on? */
static inline bool only_looks(enum gp_kind kind, int old)
{
	switch (kind) {
	case GP_SEM_VALUE: return true;
	case GP_ONCE: return old == ONCE_OVER;
	case GP_LOCK: return old == GONE;
	default: return tries(kind) && !is_free(kind, old);
	}
}

/* What it has learned then; and when it has changed the object. */
static inline int looked(enum gp_kind kind, int old)
{
	return kind == GP_SEM_VALUE ? old
	       : old == GONE && gp_object_of(kind) == GP_MUTEX ? GP_NOT_RECOVERABLE
								 : 0;
}

static inline int took(enum gp_kind kind, int old)
{
	return old == OWNER_DIED && (kind == GP_LOCK || kind == GP_TRYLOCK) ? GP_OWNER_DIED : 1;
}

/* The value of a lock after the operation; -1: impossible. */
static inline int locked(const struct gp_op *o, int t, int old)
{
	switch (o->kind) {
	case GP_UNLOCK: return old != t + 1 ? -1 : o->value ? GONE : 0;
	case GP_DIE: return old == t + 1 ? OWNER_DIED : -1;
	case GP_ONCE: return ONCE_BEGUN;
	case GP_ONCE_DONE: return ONCE_OVER;
	case GP_TRYWAIT: return old - 1;
	case GP_TRYRDLOCK: return old + READER;
	case GP_RWUNLOCK: return old >= READER ? old - READER : old == t + 1 ? 0 : -1;
	case GP_SEM_POST: return old + 1;
	case GP_SEM_WAIT: return old - 1;
	case GP_RDLOCK: return old + READER;
	default: return t + 1;
	}
}

#endif
