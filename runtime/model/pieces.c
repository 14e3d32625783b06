/* SPDX-License-Identifier: ISC */
/*
 * pieces.c - accesses of several locations under RA and RC11, which order less than a machine with
 * one memory.
 *
 * An access is atomic: rf between threads, co and fr have no cycle when each access is one node, so
 * that all threads see it as a whole, and wide stores are totally ordered. And events that happen
 * before an access happen before all of its pieces: no piece reads a value hidden by a write that
 * another piece has read. Loads may combine values of their own thread's stores and of memory, as
 * on processors.
 *
 * S. Flur et al., Mixed-size concurrency: ARM, POWER, C/C++11, and SC, POPL 2017.
 */
#include "model/acyclic.h"

static void no_po(struct acyclic_walk *w, u32 e)
{
}

/* Does a piece of e's access, which has this clock, read a write that is hidden by another one that
 * happens before the access? */
static bool reads_hidden(const struct graph *g, u32 e, const u16 *clock)
{
	u32 end = graph_after_half(g, e), w;

	for (u32 i = graph_half_first(g, e); i != end && g->event[i].flags & E_READ;
		i = g->event[i].po_next) {
		w = g->event[i].rf ? g->event[g->event[i].rf].co_next
				   : g->place[g->event[i].loc].co_first;
		for (; w; w = g->event[w].co_next) {
			if (graph_known(g, clock, g->event[i].loc, w))
				return true;
		}
	}
	return false;
}

/* The same for e's access. A store of several pieces orders all of them, whichever is read. */
static bool access_reads_hidden(const struct graph *g, u32 e)
{
	u32 r = g->event[e].flags & E_WRITE ? graph_read_of(g, e) : e;

	return r && g->event[r].flags & E_READ && reads_hidden(g, r, graph_hb(g, r));
}

bool pieces_consistent(struct graph *g, u32 e, u32 r)
{
	if (likely(!g->mixed))
		return true;
	if (access_reads_hidden(g, e) || (r && access_reads_hidden(g, r)))
		return false;
	return walk_acyclic(g, e, r, WALK_FR, no_po);
}

bool pieces_atomic(const struct graph *g)
{
	struct graph *scratch = (struct graph *)(uintptr_t)g; /* marks */

	for (u32 e = 1; g->mixed && e <= g->n; e++) {
		if (!(g->event[e].flags & E_PIECE) || graph_first(g, e) != e ||
			g->event[e].flags & E_WAIT)
			continue;
		if (reads_hidden(g, e, graph_cause(g, e)) ||
			walk_returns(scratch, e, WALK_FR, no_po))
			return false;
	}
	return true;
}
