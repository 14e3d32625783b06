/* SPDX-License-Identifier: ISC */
/* locks.h - the effects of operations on locks, for enumerate.c. */
#ifndef AGREE_LOCKS_H
#define AGREE_LOCKS_H

#include "graph_program.h"

#define READER \
	16 /* the value of a read-write lock, a reader: this; others: the holder, from 1 on */

static inline bool is_free(enum gp_kind kind, int old)
{
	switch (kind) {
	case GP_RDLOCK: return !old || old >= READER;
	case GP_SEM_WAIT: return old > 0;
	default: return !old;
	}
}

/* Does the operation wait until it is free? */
static inline bool may_wait(enum gp_kind kind)
{
	return kind == GP_LOCK || kind == GP_RDLOCK || kind == GP_WRLOCK || kind == GP_SEM_WAIT;
}

static inline bool releases(enum gp_kind kind)
{
	return kind == GP_UNLOCK || kind == GP_RWUNLOCK || kind == GP_SEM_POST;
}

static inline bool is_of_lock(enum gp_kind kind)
{
	return may_wait(kind) || releases(kind) || kind == GP_TRYLOCK;
}

/* The value of a lock after the operation; -1: impossible. */
static inline int locked(enum gp_kind kind, int t, int old)
{
	switch (kind) {
	case GP_UNLOCK: return old == t + 1 ? 0 : -1;
	case GP_RWUNLOCK: return old >= READER ? old - READER : old == t + 1 ? 0 : -1;
	case GP_SEM_POST: return old + 1;
	case GP_SEM_WAIT: return old - 1;
	case GP_RDLOCK: return old + READER;
	default: return t + 1;
	}
}

#endif
