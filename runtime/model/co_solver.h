/* SPDX-License-Identifier: ISC */
/*
 * co_solver.h - is there a co with which a graph is consistent, for events and a reads-from that
 * are given?
 *
 * For counting executions by reads-from alone: co is then no more than a witness. The
 * graph always has one, and what is asked is whether it, or another one, still serves after
 * something was changed. The answer is exact, for every model.
 *
 *     co_solver_init(&c, memory);                        once
 *     ... a read of g gets another source ...
 *     if (co_solver_read(&c, g, read, 0)) ...            yes: co of g is a witness
 *                                                        no: co of g is what it was
 * Not thread-safe. Nothing is allocated. What is forced: writes-before, Kokologiannakis 2023
 * (graph.h), 4.3; the search, which makes it exact, is described in co_solver.c.
 */
#ifndef MODEL_CO_SOLVER_H
#define MODEL_CO_SOLVER_H

#include "model/graph.h"

struct co_solver_frame;

struct co_solver {
	u64 searches;  /* questions that the co at hand did not answer */
	u64 attempts;  /* orders that were tried for them */
	u64 budget;    /* attempts a question, at most */
	bool undecided; /* a question was given up, with the answer no */
	/* internal */
	struct graph *g;
	u16 (*decision)[2]; /* block of [0] before block of [1] */
	u16 (*pair)[2];	    /* of frames: what may be the other way round */
	struct co_solver_frame *frame;
	u16 *old;	    /* orders that have been changed, as they were */
	u64 *saved;	    /* [location]: the last question that saved its order */
	u64 *inside;	    /* [event]: the last move of a block that it was in */
	u64 question, move; /* numbers of theirs, which never come again */
	u16 *order;	    /* scratch: of a location, of a search */
	u16 *path, *before; /* of a search for a cycle; path: the cycle */
	u16 *edge;	    /* and what its path has still to follow, */
	u32 *edges;	    /* from where on, */
	u8 *state;	    /* and where it has been */
	u32 ndecisions, npairs, nframes, nold;
	bool full;	    /* a decision had no room: a no is no answer */
};

/* Bytes for co_solver_init(), of any content; most are never touched. */
size_t co_solver_memory(void);
void co_solver_init(struct co_solver *c, void *memory);

/*
 * The read e has a new source, or is new; no event comes after it, but perhaps the write of its
 * RMW. also: a write that is new, too, and has its place in co; or 0.
 */
bool co_solver_read(struct co_solver *c, struct graph *g, u32 e, u32 also);

/* The write of an RMW, in its place, is new. */
bool co_solver_write(struct co_solver *c, struct graph *g, u32 e);

/* Nothing is new: can the n writes be, each the last of its location, all at once? */
bool co_solver_last(struct co_solver *c, struct graph *g, const u16 *w, u32 n);

/* The same, in a co of SC, whatever the model (which is weaker, so co is a witness all the
 * same). */
bool co_solver_sc(struct co_solver *c, struct graph *g, const u16 *w, u32 n);

#endif
