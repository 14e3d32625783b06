/* SPDX-License-Identifier: ISC */
/* execute_priv.h - shared by the files of execute.h: the native threads and their progress in the
 * graph. */
#ifndef GRAPH_EXECUTE_PRIV_H
#define GRAPH_EXECUTE_PRIV_H

#include "graph/execute.h"
#include "graph/loop_state.h"
#include "graph/region.h"
#include "model/pieces.h"

#define FINDINGS 256

/* A native thread. */
struct follower {
	bool yielded; /* after its last event, at `label` */
	bool dead;     /* it cannot be switched to: has crashed, or ended */
	u32 passed;    /* events; index of the last one */
	struct label label;
	u16 again; /* label.again of its next label */
	bool skips; /* label.skips, likewise */
	struct loop_states loops;
	u64 counts;  /* its next store here stores what it has loaded, changed; 0: none */
	u64 used;    /* the block of its last event of use, */
	u32 used_at; /* when it had passed so many */
	u32 marks;   /* among these */
	u32 ordinal; /* of its last event, without marks; of an RMW: its read */
	u32 steps;   /* passed, without failed attempts */
	u32 looked;  /* reads of a clock, after so many events */
	bool ticked; /* more of them since */
	struct regions regions;
	u64 dead_low, dead_high; /* the range of shared variables of functions that have returned */
	u64 foreign_sp;	      /* its stack at its last call of code that is not instrumented, */
	u32 foreign_site;     /* the place of that call, 0: it is back; */
	u32 foreign_stack;    /* there, while recording; */
	bool foreign_part;    /* of a module that is instrumented in part; */
	bool foreign_inside;  /* at its last event it was in that code, */
	bool foreign_leaf;   /* which calls nothing of the program; */
	bool foreign_asks;    /* which has read since what others wrote before that event; */
	u16 foreign_events;   /* its events there, */
	u16 foreign_writes;   /* and the writes of that code that are not yet in the graph */
};

/* `thread` has to pass its event `index`; then `waiter` continues (NULL: the explorer). */
struct need {
	struct thread *waiter;
	u16 thread;
	u32 index;
};

/* An event that a thread has passed; node 0: a mark, which does not matter. */
struct passed {
	u64 value;
	u32 node;
	u32 stamp;  /* of a write */
	u32 source; /* of a read: thread << 16 | index */
	u16 flags;
};

struct execute_state {
	struct follower *f; /* [GRAPH_THREADS] */
	u64 alive;	    /* threads that exist in the native execution */
	u16 (*map)[GRAPH_EVENTS + 1];	/* by thread and index: event of g */
	struct passed (*passed)[GRAPH_EVENTS + 1];
	u32 (*record)[GRAPH_EVENTS + 1]; /* when it was recorded */
	u32 failure; /* an event that is itself the failure: a race's second access; 0: none */
	u64 *written; /* [PLACES_MAX] the write in memory: run << 32 | thread << 16 | index */
	bool *promoted; /* [PLACES_MAX] */
	bool *unseen;	/* [PLACES_MAX] known from another process only: initial value unknown */
	const struct graph *g;
	const struct cache *cache;
	struct places *places;
	u32 target;
	enum answer answer;
	bool answered;
	bool open;    /* a native execution exists, */
	bool running; /* and can continue */
	bool unbalanced; /* some thread has ended with a heap_balance() that is not 0 */
	bool begun;   /* accesses are events */
	bool shown; /* a debugger is to stop in each continued thread (execute_show) */
	bool again; /* the explorer has yet to restart */
	bool unwinds;	/* the unwinder is needed (execute_frame.c) */
	bool variables; /* all variables of the program are shared */
	u32 run;      /* native executions so far */
	u32 generation; /* of the cache, when this one began */
	struct execute_use use; /* the access behind the current event of use (recorder) */
	u32 nneeds;
	struct need need[GRAPH_THREADS * 2];
	enum execute_stop stopped;
	char words[EXECUTE_WORDS];
	struct finding finding[FINDINGS];
	u32 nfindings;
};

extern struct execute_state X;

static inline bool execute_is_alive(u32 slot)
{
	return X.alive >> slot & 1;
}

static inline u32 passed_source(const struct graph *g, const struct gevent *e)
{
	return e->rf && !(e->flags & E_WRITE)
		       ? (u32)g->event[e->rf].thread << 16 | g->event[e->rf].index
		       : 0;
}

/* --- execute.c ------------------------------------------------------------------------------- */

/* The next event of the thread that is not a mark; 0 = none. */
u32 execute_next_event(u32 slot);

/* The event that must be passed before `slot` can pass `index`; for a thread that does not exist
 * yet, its creation. */
struct need execute_first_need(struct thread *waiter, u32 slot, u32 index);

/* t does not reach an event that it has in the graph: the explorer has to stop. */
void execute_stop_divergence(const struct thread *t);

/* The running thread does not continue: the explorer has to stop or to restart. */
_Noreturn void execute_leave(enum execute_stop why);

/* The running thread stops at l for ever: it may have crashed, and cannot be resumed. */
_Noreturn void execute_stand_dead(struct thread *t, const struct label *l);

/* --- execute_time.c -------------------------------------------------------------------------- */

/* The sleep or timed wait of t, at l, is over by its deadline. */
void execute_time_passed(struct thread *t, const struct label *l, u64 now);

/* --- execute_loop.c -------------------------------------------------------------------------- */

/* An exploration begins: some locations may no longer be tallies. */
void execute_know_tallies(void);

/* --- execute_operation.c --------------------------------------------------------------------- */

/* The signals and requests that may interrupt the running thread's wait at l. */
void execute_note_interrupts(struct label *l);

/* --- execute_memory.c ------------------------------------------------------------------------ */

/* Write id was passed: update real memory, if it is the co-last of the passed ones. */
void execute_write(u32 id);

/* Is the location a piece of the label's? / Is it that, or the label's location? */
bool execute_is_piece(const struct label *l, u32 loc);
static inline bool execute_is_of(const struct label *l, u32 loc)
{
	return likely(!label_has_pieces(l)) ? l->loc == loc : execute_is_piece(l, loc);
}

/* The location of these bytes, which are one; its initial value is in memory. */
u32 execute_intern(u64 addr, u32 size);

/* The write that real memory holds at loc, 0 = none of this execution. */
u32 execute_held_write(u32 loc);

/* --- execute_foreign.c ----------------------------------------------------------------------- */

/* The thread, which has called code that is not instrumented, is at its next event: find the
 * writes of that code. */
void execute_foreign_begin(struct follower *f);

/* The contents of memory, or, if the thread has called such code since its last event, those before
 * the call. */
void execute_foreign_before(u64 addr, u32 size, u64 v[2]);

/* After the event l of a thread with a foreign_site. */
void execute_foreign_resume(struct follower *f, const struct label *l);

/* Has such code written, also to a location that l reads? Then *write is the label of a write, to
 * come before l; or LABEL_CALLED, if there is a foreign_site. Called if there is one, or l reads
 * memory. */
bool execute_foreign_write(struct follower *f, const struct label *l, struct label *write);

/* Is e, which the thread is to pass before l, a write of the code that it has called? That code has
 * to write the same again. */
bool execute_foreign_passes(struct follower *f, const struct label *l, const struct gevent *e);

/* The graph has another event there: the first read finds the code's writes. */
void execute_foreign_leave(struct follower *f);

/* --- execute_record.c ------------------------------------------------------------------------ */

/* The running thread has behaved differently with the same values. */
_Noreturn void execute_diverge(
	const struct thread *t, const struct label *was, const struct label *is);

/* Record that it has passed e, and `write` if e is an RMW. */
void execute_record(struct thread *t, const struct label *l, const struct gevent *e,
	const struct gevent *write);

/* --- execute_frame.c ------------------------------------------------------------------------- */

/* Does the location stand for a thread's stack? */
bool execute_is_frame(u32 loc);

/* A native execution begins. / Before the event l of f, the running thread: part of its stack may
 * be in use again. */
void execute_frames_begin(void);
void execute_frames_alive(const struct label *l);

static inline void execute_frames_step(const struct follower *f, const struct label *l)
{
	if (unlikely(f->dead_high))
		execute_frames_alive(l);
}

#endif
