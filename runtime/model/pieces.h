/* SPDX-License-Identifier: ISC */
/*
 * pieces.h - accesses of several locations in an execution graph.
 *
 * An atomic access of several locations (place.h) is an event for each, E_PIECE, one after the
 * other in po, all with the same node: reads, then if it is an RMW the writes, in the order of the
 * locations. Together they are one step: the events of each half have the same clocks, which count
 * all of them, and the models' orders have one node for the access (acyclic.h). Writes are added
 * and removed together, with consecutive numbers.
 */
#ifndef MODEL_PIECES_H
#define MODEL_PIECES_H

#include "model/graph.h"

/* Two events of a thread, one directly after the other: pieces of the same half of an access?
 * Marks may precede it. */
static inline bool gevent_same_half(const struct gevent *a, const struct gevent *b)
{
	return a->flags & b->flags & E_PIECE && a->node == b->node &&
	       !((a->flags ^ b->flags) & (E_WRITE | E_WAIT));
}

/* The first and the last event of the half of an access that e is a piece of; e, if it is none. */
static inline u32 graph_half_first(const struct graph *g, u32 e)
{
	while (unlikely(g->event[e].flags & E_PIECE) &&
		gevent_same_half(&g->event[g->event[e].po_prev], &g->event[e]))
		e = g->event[e].po_prev;
	return e;
}

static inline u32 graph_half_last(const struct graph *g, u32 e)
{
	while (unlikely(g->event[e].flags & E_PIECE) &&
		gevent_same_half(&g->event[e], &g->event[g->event[e].po_next]))
		e = g->event[e].po_next;
	return e;
}

/* The po successor of that half; 0: none. */
static inline u32 graph_after_half(const struct graph *g, u32 e)
{
	return g->event[graph_half_last(g, e)].po_next;
}

/* The same of the whole access. */
static inline u32 graph_first(const struct graph *g, u32 e)
{
	u32 first = graph_half_first(g, e);
	u16 writes = E_PIECE | E_EXCL | E_WRITE;

	return unlikely((g->event[e].flags & writes) == writes)
		       ? graph_half_first(g, g->event[first].po_prev)
		       : first;
}

static inline u32 graph_last(const struct graph *g, u32 e)
{
	u32 last = graph_half_last(g, e), next = g->event[last].po_next;
	u16 reads = E_PIECE | E_EXCL | E_READ;

	if (likely((g->event[e].flags & reads) != reads) || !next)
		return last;
	return graph_half_last(g, next);
}

/* The read of an RMW's write; 0: not an RMW. / The write of an RMW's read; 0: not there. */
u32 graph_read_of_piece(const struct graph *g, u32 w);
u32 graph_write_of_piece(const struct graph *g, u32 r);

static inline u32 graph_read_of(const struct graph *g, u32 w)
{
	if (!(g->event[w].flags & E_EXCL))
		return 0;
	return likely(!(g->event[w].flags & E_PIECE)) ? g->event[w].po_prev
						      : graph_read_of_piece(g, w);
}

static inline u32 graph_write_of(const struct graph *g, u32 r)
{
	if (!(g->event[r].flags & E_EXCL))
		return 0;
	return likely(!(g->event[r].flags & E_PIECE)) ? g->event[r].po_next
						      : graph_write_of_piece(g, r);
}

/* The value of the access's half that e is a piece of. */
u64 graph_access_value(const struct graph *g, u32 e, u32 range);

/* Do all pieces of the access read from one access? */
bool graph_reads_one(const struct graph *g, u32 r);

/* Is each access whole, in models weaker than a single memory? As struct model's function. */
bool pieces_consistent(struct graph *g, u32 e, u32 r);
bool pieces_atomic(const struct graph *g); /* all of them, under RA */

#endif
