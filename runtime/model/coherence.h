/* SPDX-License-Identifier: ISC */
/*
 * coherence.h - is there a co with which a graph is consistent, for events and a reads-from that
 * are given?
 *
 * For whoever counts executions by their reads-from alone: co is then no more than a witness. The
 * graph always has one, and what is asked is whether it, or another one, still serves after
 * something was changed. The answer is exact, for every model.
 *
 *     coherence_init(&c, memory);                        once
 *     ... a read of g gets another source ...
 *     if (coherence_read(&c, g, read, 0)) ...            yes: co of g is a witness
 *                                                        no: co of g is what it was
 * Not thread-safe. Nothing is allocated. What is forced: writes-before, Kokologiannakis 2023, 4.3
 * (theory/graphs.md 2.6.5); the search, which makes it exact, is described in coherence.c.
 */
#ifndef MODEL_COHERENCE_H
#define MODEL_COHERENCE_H

#include "model/graph.h"

struct coherence_frame;

struct coherence {
	u64 searches;  /* questions that the co at hand did not answer */
	u64 attempts;  /* orders that were tried for them */
	u64 budget;    /* attempts a question, at most */
	bool undecided; /* a question was given up, with the answer no */
	/* internal */
	struct graph *g;
	u16 (*decision)[2]; /* block of [0] before block of [1] */
	u16 (*pair)[2];	    /* of frames: what may be the other way round */
	struct coherence_frame *frame;
	u16 *old;	    /* orders that have been changed, as they were */
	u32 *saved;	    /* [location]: in this question */
	u32 *inside;	    /* [event]: of the blocks being moved */
	u16 *order, *edge, *path, *before;
	u32 *edges;
	u8 *state;
	u32 ndecisions, npairs, nframes, nold, question, move;
};

/* Bytes for coherence_init(), of any content; most are never touched. */
size_t coherence_memory(void);
void coherence_init(struct coherence *c, void *memory);

/*
 * The read e has a new source, or is new; no event comes after it, but perhaps the write of its
 * RMW. also: a write that is new, too, and has its place in co; or 0.
 */
bool coherence_read(struct coherence *c, struct graph *g, u32 e, u32 also);

/* The write of an RMW, in its place, is new. */
bool coherence_write(struct coherence *c, struct graph *g, u32 e);

/* Nothing is new: can the n writes be, each the last of its location, all at once? */
bool coherence_last(struct coherence *c, struct graph *g, const u16 *w, u32 n);

/* The same, in a co of SC, whatever the model (which is weaker, so co is a witness all the
 * same). */
bool coherence_sc(struct coherence *c, struct graph *g, const u16 *w, u32 n);

#endif
