/* SPDX-License-Identifier: ISC */
/* execute_priv.h - what the files of execute.h share: the native threads and how far they are
 * in the graph. */
#ifndef GRAPH_EXECUTE_PRIV_H
#define GRAPH_EXECUTE_PRIV_H

#include "graph/execute.h"
#include "graph/loop_state.h"
#include "model/pieces.h"

#define FINDINGS 256

/* A native thread. */
struct follower {
	bool alive;
	bool standing; /* behind its last event, at `label` */
	bool dead;     /* it cannot be switched to: has crashed, or ended */
	u32 passed;    /* events; index of the last one */
	struct label label;
	u16 again; /* label.again of what it does next */
	struct turn turn;
	u64 used;    /* the block of its last event of use, */
	u32 used_at; /* when it had passed so many */
	u32 steps;   /* passed, without failed looks */
};

/* `thread` has to pass its event `index`; then `who` goes on (NULL: the explorer). */
struct need {
	struct thread *who;
	u16 thread;
	u32 index;
};

/* What a thread has passed; node 0: a failed look, that does not matter. */
struct passed {
	u64 value;
	u32 node;
	u32 stamp;  /* of a write */
	u32 source; /* of a read: thread << 16 | index */
	u16 flags;
};

struct execute_state {
	struct follower *f; /* [GRAPH_THREADS] */
	u16 (*map)[GRAPH_EVENTS + 1];	/* by thread and index: event of g */
	struct passed (*passed)[GRAPH_EVENTS + 1];
	u32 (*record)[GRAPH_EVENTS + 1]; /* when it was recorded */
	u32 failure; /* the event that fails by being there: the second access of a race; 0: none */
	u64 *written; /* [PLACES_MAX] what memory holds: run << 32 | thread << 16 | index */
	bool *promoted; /* [PLACES_MAX] */
	bool *unseen;	/* [PLACES_MAX] known from elsewhere: its initial value is yet to be seen */
	const struct graph *g;
	const struct cache *cache;
	struct places *places;
	u32 target;
	enum answer answer;
	bool answered;
	bool open;    /* there is a native execution, */
	bool running; /* which can go on */
	bool unbalanced; /* some thread has ended with a heap_balance() */
	bool begun;   /* accesses are events */
	bool shown; /* a debugger is to stop in each thread that goes on (execute_show) */
	bool again; /* the explorer has to begin again, and has not yet */
	bool variables; /* all of the program are known to be shared */
	u32 run;      /* native executions so far */
	u32 generation; /* of the cache, when this one began */
	struct execute_use use; /* what the event of use being made stands for (recorder) */
	u32 nneeds;
	struct need need[GRAPH_THREADS * 2];
	enum execute_stop stopped;
	char words[EXECUTE_WORDS];
	struct finding finding[FINDINGS];
	u32 nfindings;
};

extern struct execute_state X;

/* --- execute.c ------------------------------------------------------------------------------- */

/* The next event of the thread that is not just a failed look; 0 = none. */
u32 execute_next_event(u32 slot);

/* The running thread leaves for good: the explorer is to stop, or to begin again. */
_Noreturn void execute_leave(enum execute_stop why);
_Noreturn void execute_begin_again(void);

/* It stands at l for ever: it cannot be switched to any more, it may have crashed. */
_Noreturn void execute_stand_dead(struct thread *t, const struct label *l);

/* --- execute_memory.c ------------------------------------------------------------------------ */

/* Write id has been passed: real memory gets it, if it is the last in co of those. */
void execute_write(u32 id);

/* Is the location the label's, or one of its pieces? */
bool execute_is_of(const struct label *l, u32 loc);

/* Has code that is not instrumented written to a location that the label reads? Then that is a
 * write before it. */
bool execute_foreign_write(const struct label *l, struct label *write);

/* --- execute_record.c ------------------------------------------------------------------------ */

/* The running thread has done another thing than it did before with the same values. */
_Noreturn void execute_diverge(
	const struct thread *t, const struct label *was, const struct label *is);

/* It has passed e, and `write` if e is an RMW: record that. */
void execute_record(struct thread *t, const struct label *l, const struct gevent *e,
	const struct gevent *write);

#endif
