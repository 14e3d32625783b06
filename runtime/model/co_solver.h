/* SPDX-License-Identifier: ISC */
/*
 * co_solver.h - is there a co that makes a graph consistent, for given events and reads-from?
 *
 * For counting executions by reads-from alone: co is then only a witness. The graph always has one;
 * the question is whether it, or another one, is still a witness after a change. The answer is
 * exact, for every model.
 *
 *     co_solver_init(&c, memory);                        once
 *     ... a read of g gets another source ...
 *     if (co_solver_read(&c, g, read, 0)) ...            yes: co of g is a witness
 *                                                        no: co of g is unchanged
 * Not thread-safe. Nothing is allocated. Forced pairs: writes-before, Kokologiannakis 2023
 * (graph.h), 4.3; the search that makes it exact is described in co_solver.c.
 */
#ifndef MODEL_CO_SOLVER_H
#define MODEL_CO_SOLVER_H

#include "model/graph.h"

struct co_solver_frame;

struct co_solver {
	u64 searches;  /* questions that the current co did not answer */
	u64 attempts;  /* orders that were tried for them */
	u64 budget;    /* attempts a question, at most */
	bool undecided; /* a question was given up and answered no */
	/* internal */
	struct graph *g;
	u16 (*decision)[2]; /* block of [0] before block of [1] */
	u16 (*pair)[2];	    /* of frames: pairs that are candidates for reversal */
	struct co_solver_frame *frame;
	u16 *old;	    /* orders that have been changed, as they were */
	u64 *saved;	    /* [location]: the last question that saved its order */
	u64 *inside;	    /* [event]: the last move of a block that it was in */
	u64 question, move; /* their numbers, never reused */
	u16 *order;	    /* scratch: of a location, of a search */
	u16 *path, *before; /* of a search for a cycle; path: the cycle */
	u16 *edge;	    /* edges still to be followed, */
	u32 *edges;	    /* from where on, */
	u8 *state;	    /* and its visited events */
	u32 ndecisions, npairs, nframes, nold;
	bool full;	    /* a decision had no room: "no" is not an answer */
};

/* Bytes for co_solver_init(), of any content; most are never touched. */
size_t co_solver_memory(void);
void co_solver_init(struct co_solver *c, void *memory);

/*
 * The read e is new or has a new source; it is the last event, except perhaps for the write of its
 * RMW. also: another new write, in its place in co, or 0.
 */
bool co_solver_read(struct co_solver *c, struct graph *g, u32 e, u32 also);

/* The write of an RMW, in its place, is new. */
bool co_solver_write(struct co_solver *c, struct graph *g, u32 e);

/* With nothing new: can the n writes all be the last of their locations? */
bool co_solver_last(struct co_solver *c, struct graph *g, const u16 *w, u32 n);

/* The same, in a co of SC, for any model (which is weaker, so co is still a witness). */
bool co_solver_sc(struct co_solver *c, struct graph *g, const u16 *w, u32 n);

#endif
