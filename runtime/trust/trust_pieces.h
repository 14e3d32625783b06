/* SPDX-License-Identifier: ISC */
/* trust_pieces.h - labels and events of several locations in the exploration (trust_priv.h). */
#ifndef TRUST_TRUST_PIECES_H
#define TRUST_TRUST_PIECES_H

#include "trust/trust_priv.h"

bool pieces_forward(struct trust *x, u32 t, const struct label *l);
bool pieces_forward_wait(struct trust *x, u32 t, const struct label *l);
bool pieces_forward_excl(struct trust *x, u32 read);
/* Would thread t, at label l, make progress by reading the co-last writes? / Its next label
 * then. */
bool pieces_ready(struct trust *x, u32 t, const struct label *l);
const struct label *pieces_label_after(struct trust *x, u32 t, const struct label *l);
/* Were pieces of e's access, a read, cut? / Thread t is after such a read: add them again. */
bool pieces_partial(const struct trust *x, u32 e);
bool pieces_complete(struct trust *x, u32 t);
/* Remove the last event, and the pieces added with it. True: a read hangs now, and the others
 * continue. */
bool pieces_pop(struct trust *x);
bool pieces_advance(struct trust *x, u32 e);
/* Is e one, or a write that has revisited one? */
static inline bool pieces_are_of(const struct graph *g, u32 e)
{
	const struct gevent *ev = &g->event[e];

	return ev->flags & E_PIECE || (ev->flags & E_WRITE && ev->state == STATE_PLACES &&
					      g->event[ev->cursor].flags & E_PIECE);
}

/* --- trust_pieces_hang.c --------------------------------------------------------------------- */

/* Does thread t hang, at its last read? Does any thread? */
static inline bool pieces_hang(const struct graph *g, u32 t)
{
	const struct gevent *e = &g->event[g->thread[t].last];

	return e->flags & E_PIECE && e->flags & E_READ && e->state == STATE_HANGS;
}
bool pieces_any_hang(const struct graph *g);
/* Does e's read hang because of its memory order? */
static inline bool pieces_hung_by_order(const struct graph *g, u32 e)
{
	const struct gevent *last = &g->event[graph_half_last(g, e)];

	return last->state == STATE_HANGS && !(last->flags & E_EXCL);
}
/* The graph has been cut: hanging reads keep that state. / e, the last event, is about to change:
 * reads that hang because of it no longer do. */
void pieces_hang_on(struct graph *g);
void pieces_changes(struct graph *g, u32 e);
/* Its access is not consistent with these sources because of its order: does it hang? `changed':
 * the new event. */
bool pieces_hang_by_order(struct trust *x, u32 e, u32 changed);

/* --- trust_pieces_revisit.c ------------------------------------------------------------------ */

/* Is the piece i, of a read, that of the canonical continuation (trust_revisit.c)? */
bool pieces_canonical(struct trust *x, u32 i, const u16 *clock);
/* The write i of an RMW: would it exist, or would its read hang? */
bool pieces_could_write(struct trust *x, u32 i);
/* May the write a, the last event, revisit the read i, as far as locations and RMWs go? */
bool pieces_revisitable(const struct graph *g, u32 i, u32 a, const u16 *clock);
/* The graph has been cut; one of the two has pieces. */
bool pieces_revisit(struct trust *x, u32 r, u32 a);
/* The next combination of places with which a revisits r. */
bool pieces_next_fitting(struct trust *x, u32 r, u32 a);

/* --- of trust_pieces.c, for these ------------------------------------------------------------- */

/* As trust_read_from(), with the sources that the pieces have. */
bool pieces_take_value(struct trust *x, u32 e, bool rare);
/* Some pieces of e's access have been cut or removed: its effect is unknown. Where a CAS has
 * different memory orders for success and failure, it gets their common part. */
void pieces_set_partial(struct trust *x, u32 e);
/* Is e's access consistent with these sources, as far as they exist? */
bool pieces_could_read(struct trust *x, u32 e);
/* Is e's access consistent with its sources and some choice for the pieces after the last event e?
 * There always is one, unless the memory order depends on the value. */
bool pieces_could_complete(struct trust *x, u32 e);
/* The thread waits, with an access that has its current sources. */
void pieces_wait_there(struct trust *x, u32 e, u8 state);
/* The thread of e, the last piece, makes no progress. Does it wait until a later write revisits
 * that piece, while the others keep their sources? */
bool pieces_waits_for_last(struct trust *x, u32 e);
/* The weak CAS could succeed, and fails spuriously; `changed`: the new event. */
bool pieces_fail_rarely(struct trust *x, u32 e, u32 changed);
/* Do all pieces of e's half read the co-last write? */
bool pieces_all_co_last(const struct graph *g, u32 e);
/* The next combination of places for the access's writes up to `last`; coherence allows each by
 * itself. */
bool pieces_turn_places(struct trust *x, u32 last);

/* Is the write w one of those of the last event's access? */
static inline bool is_last_write(const struct graph *g, u32 w)
{
	return w == g->n ||
	       (unlikely(g->event[w].flags & E_PIECE) && g->event[g->n].flags & E_PIECE &&
		       w >= graph_half_first(g, g->n));
}

#endif
