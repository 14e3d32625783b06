/* SPDX-License-Identifier: ISC */
/* trust_priv.h - shared by the files of trust.h: states of threads, effects of reads, revisits. */
#ifndef TRUST_TRUST_PRIV_H
#define TRUST_TRUST_PRIV_H

#include "trust/trust.h"
#include "trust/trust_heap.h"
#include "object/object.h"
#include "model/pieces.h"

/* The choices of an event that have been tried: gevent.state. */
enum {
	STATE_FRESH,
	STATE_RARE,	 /* weak CAS: its spurious failure with the current source */
	STATE_REVISITS,	 /* write: its places are done */
	STATE_PLACES,	 /* write that made a revisit: places only */
	STATE_WAIT_LEAF, /* E_WAIT: when no thread was enabled */
	STATE_WAIT_MARK, /* E_WAIT: left by a revisit */
	STATE_HANGS,	 /* read of an RMW of several pieces: its write is impossible unless a piece
			    gets another source */
};

enum thread_state {
	THREAD_ENDED,
	THREAD_READY,
	THREAD_AGAIN, /* ready for another iteration, which matters only if others act: goes last */
	THREAD_JOINING, /* a thread that has ended: ready, with the lowest priority */
	THREAD_WAITING, /* for another thread */
	THREAD_BLOCKED, /* for ever, unless a read is revisited */
	THREAD_FAILED,
};

/* --- states of threads: trust_thread.c ------------------------------------------------------ */

/* The label of thread t, or NULL if the exploration must stop or restart (x->answer). */
const struct label *trust_label_asked(struct trust *x, u32 t);

/* Is there no room in the graph for another event? */
static inline bool trust_is_long(struct trust *x)
{
	if (likely(x->graph.n + GRAPH_THREADS < x->graph.limit && x->graph.nsc + 2 < GRAPH_SC_MAX))
		return false;
	x->bounded |= TRUST_LONG;
	return true;
}

/* Is the time up? Then the exploration stops. */
static inline bool trust_enough(struct trust *x)
{
	if (likely(!program_enough(x->program)))
		return false;
	x->answer = ANSWER_STOP;
	return true;
}

static inline __attribute__((always_inline)) const struct label *label_of(struct trust *x, u32 t)
{
	const struct cache_node *n = &x->cache.node[x->graph.thread[t].node];

	if (likely(n->label.type != LABEL_UNKNOWN && !x->no_cache))
		return &n->label;
	return trust_label_asked(x, t);
}

/* Thread t has this result, and moves to the next node. */
static inline void step_to(struct trust *x, u32 t, u32 node, u64 key)
{
	x->graph.thread[t].node = cache_child(&x->cache, node, key);
	BUG_ON(!x->graph.thread[t].node);
}

/* The next label of thread t, now at l, after reading w. Unknown: x->answer, or it must write
 * first. */
const struct label *trust_label_after(struct trust *x, u32 t, const struct label *l, u32 w);

/* The effect of a value read on a label. */
struct effect {
	bool ready, excl, acquire;
	u64 key;
};

static inline struct effect effect_of(const struct label *l, u32 thread, u64 value, bool rare)
{
	struct effect f = {.ready = true, .key = value};
	struct object_step s;

	switch (l->type) {
	case LABEL_RMW:
		f.excl = true;
		break;
	case LABEL_CAS:
		f.excl = value == l->expected && !rare;
		if (rare)
			f.key = ~value; /* the same value, another result */
		break;
	case LABEL_SYNC:
		s = object_step(l->op, l->value, thread, value);
		f = (struct effect){s.ready, s.writes, s.acquire, s.result};
		if (unlikely(rare)) /* misuse, and no effect */
			f = (struct effect){.ready = true, .key = OBJECT_MISUSE};
		break;
	}
	return f;
}

/* The value that the RMW of this label writes when it has read `old`. */
static inline u64 written_value(const struct graph *g, const struct label *l, u32 thread, u64 old)
{
	return l->type == LABEL_CAS ? l->value
	       : l->type == LABEL_RMW
		       ? value_compute(g->places, l->size, old, l->value, l->op)
		       : object_step(l->op, l->value, thread, old).next;
}

/* Has another RMW taken this write as its source? */
static inline bool consumed(const struct graph *g, u32 w, u32 loc)
{
	u32 next = w ? g->event[w].co_next : g->place[loc].co_first;

	return next && g->event[next].flags & E_EXCL &&
	       g->event[graph_read_of(g, next)].rf == w;
}

static inline const u16 *clock_before(const struct graph *g, u32 e)
{
	return graph_hb(g, g->event[e].po_prev);
}

/* Were thread t's last reads without effect, by the label that it is at? Unknown: x->answer. */
bool trust_blocked_read(struct trust *x, u32 t);
void trust_set_read(struct trust *x, u32 e, u32 w, const struct label *l, struct effect f);
bool trust_read_from(struct trust *x, u32 e, u32 w, bool rare);
bool trust_waits_after(const struct graph *g, u32 t, u32 loc);
enum thread_state trust_thread_state(struct trust *x, u32 t);
/* The same, where an iteration that restores the state counts like any other. */
enum thread_state trust_plain_state(struct trust *x, u32 t);
bool trust_round_complete(const struct graph *g, u32 t, const struct label *l);
/* The ARRIVE e: have more threads arrived by now than the barrier is for? */
bool trust_barrier_overflow(const struct trust *x, u32 e);
bool trust_only_joins(struct trust *x, u32 t);
bool trust_is_joined(struct trust *x, u32 t);
bool trust_spins_for_ever(const struct trust *x, u32 t, u64 reads);
bool trust_waits_for_ever(struct trust *x, u32 t, const struct label *l);

/* Sets of threads that are not enabled. */
struct disabled {
	u64 joining, waiting, blocked;
};

/* The i-th thread in the order in which threads are tried. */
static inline u32 trust_nth_thread(const struct trust *x, u32 i)
{
	u32 n = x->graph.nthreads;

	return x->order == 0 ? i : x->order == 1 ? n - 1 - i : (i + x->order) % n;
}

/* --- trust_begin.c --------------------------------------------------------------------------- */

/* Begin with an empty graph. / Choose the reductions, by the facts that other processes found. */
void trust_begin(struct trust *x);
void trust_set_awaiting(struct trust *x);

/* --- trust_stuck.c --------------------------------------------------------------------------- */

/* No thread is enabled except those that join. False: go back. */
bool trust_step_stuck(struct trust *x, const struct disabled *s);

/* --- trust_forward.c ------------------------------------------------------------------------- */

/* Add the next event of thread t, which is ready. False: inconsistent, or the execution ends. */
bool trust_forward(struct trust *x, u32 t);
/* The next older source of e with which its thread makes progress, and which is consistent. */
bool trust_older_source(struct trust *x, u32 e);
/* The next choice of the read e: a spurious failure, or an older source. */
bool trust_next_source(struct trust *x, u32 e);

/* Let the weak CAS e, which could succeed, fail spuriously; `changed` is the new event. False: it
 * may not. */
bool trust_rare_failure(struct trust *x, u32 e, u32 changed);

/* Add the event of thread t's label l: a store, last in co, or an event that neither reads nor
 * writes. */
void trust_forward_write(struct trust *x, u32 t, const struct label *l);
void trust_forward_other(struct trust *x, u32 t, const struct label *l);
/* Add the write of an RMW whose read is the last event. False: only revisits by it count. */
bool trust_forward_excl(struct trust *x, u32 read);

/* Add the write of an RMW whose read is the last event of its thread, without a place in co yet. */
u32 trust_push_excl(struct trust *x, u32 read);

/* May one more weak CAS fail spuriously? */
bool trust_rare_allowed(struct trust *x);

/* --- trust.c --------------------------------------------------------------------------------- */

/* Make room in the cache for all events before the next call of this. */
void trust_make_room(struct trust *x);

/* --- trust_race.c ----------------------------------------------------------------------------- */

/* leaf() has requested a stop; the current graph has been reported. */
static inline void trust_stop(struct trust *x)
{
	x->answer = ANSWER_STOP;
	x->reported = true;
}

/* Report a race of e, or a heap error: the execution ends, unless the race is ignored. / The same
 * for all pieces of e's access. */
bool trust_races_at(struct trust *x, u32 e);
bool trust_races_pieces(struct trust *x, u32 e);

static inline bool trust_races(struct trust *x, u32 e)
{
	if (unlikely(x->graph.mixed))
		return trust_races_pieces(x, e);
	return trust_may_be_wrong(x, e) && trust_races_at(x, e);
}

/* --- trust_class.c: reads-from equivalence ---------------------------------------------------- */

/* The write that a new read of the location reads from first. In co, it is the last then. */
u32 class_last(struct trust *x, u32 loc);
/* Does the canonical continuation of the events before i and of the causes of the last event, a
 * write with this clock, add event i, which is of no object? */
bool class_canonical(struct trust *x, u32 i, const u16 *clock);
/* Is it consistent, with any of its events as the last one? */
bool class_canonical_perhaps(const struct graph *g, u32 i, const u16 *clock);
bool class_next_source(struct trust *x, u32 e);
bool class_next_plain(struct trust *x, u32 e);
bool class_forward_wait(struct trust *x, u32 t, const struct label *l);
bool class_revisit_read(struct trust *x, u32 r, u32 a);
bool class_stuck(struct trust *x);
/* The read e has another source, or is new; so is the write `also`, if not 0. / The write e of an
 * RMW is new. Does some co make the graph consistent? */
bool class_read(struct trust *x, u32 e, u32 also);
bool class_write(struct trust *x, u32 e);

/* The first source that a new read at this label tries. */
static inline u32 first_source(struct trust *x, const struct label *l)
{
	if (unlikely(x->rf) && l->type != LABEL_SYNC && !(l->flags & LABEL_HEAP))
		return class_last(x, l->loc);
	return x->graph.place[l->loc].co_last;
}

/* The read e has another source, or is new; so is the write `also`, if not 0. Is the graph
 * consistent? */
static inline bool consistent(struct trust *x, u32 e, u32 also)
{
	if (unlikely(x->rf))
		return class_read(x, e, also);
	return graph_consistent(&x->graph, also ? also : e, also ? e : 0);
}

/* --- trust_revisit.c -------------------------------------------------------------------------- */

bool trust_revisit_read(struct trust *x, u32 r, u32 a);
bool trust_earlier_place(const struct graph *g, u32 e, u32 *before);
bool trust_taken_blocked(struct trust *x, u32 e, u32 w);
bool trust_move_earlier(struct trust *x, u32 e);
bool trust_next_revisit(struct trust *x, u32 a);

#include "trust/trust_again.h"
#include "trust/trust_await.h"

/* No thread is enabled until time has passed up to the deadline of thread t. False: it does not. */
bool trust_time_reaches(struct trust *x, u32 t);
#endif
