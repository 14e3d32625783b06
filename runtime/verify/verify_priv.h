/* SPDX-License-Identifier: ISC */
/*
 * verify_priv.h - shared by the files of verify.h: an instance in normal form, and the state of a
 * search.
 *
 * Normal form. A thread is a list of *ops*. Buffers are empty where an op needs it: a fence
 * precedes it if there was a store since the last one. A store with a full barrier on
 * both sides, an RMW, and every store of SC is carried out at once (PUT, RMW); other stores
 * (WRITE) have a separate step, the commit. A store fence is no op: it starts a new
 * *epoch* of its thread's stores.
 *
 * Lines. Steps that are totally ordered in themselves are a line: the ops of a thread; the commits
 * of a thread (TSO) or of a thread's stores to one location (PSO). A state is the progress of each
 * line, and "step i of line l is done" is progress[l] >= i. A need of a step, for another to be
 * done before it, is a pair (line, count).
 */
#ifndef VERIFY_VERIFY_PRIV_H
#define VERIFY_VERIFY_PRIV_H

#include "base/arena.h"
#include "verify/verify.h"

struct vevent { /* as pushed */
	u32 source;
	u32 next, prev; /* in its thread, 0 = none */
	u32 op;	  /* 0 = none */
	u16 flags, loc;
	u8 thread;
};

struct vorder {
	u32 before, after;
};

enum op_kind {
	OP_NONE,
	OP_READ,  /* from memory */
	OP_OWN,	  /* its own last store */
	OP_WRITE, /* into the buffer */
	OP_PUT,	  /* into memory */
	OP_RMW,
	OP_FENCE, /* the buffer is empty; only where it may not be */
};

struct op {
	u32 event;  /* its event, or (silent) the next one */
	i32 source; /* READ, OWN, RMW: op of the write, or verify_initial(var) */
	u32 run_needs, commit_needs; /* lists; PUT and RMW have both */
	u32 node;   /* WRITE: its commit's row in the closure */
	u32 reader; /* reads that are `last`: another one of the source */
	u16 var;    /* its location, numbered in this instance */
	u16 line, at; /* writes: its commit is item `at` (1 first) of the line */
	u16 queue, slot; /* writes: which one of the queue, 0 first */
	u16 before; /* WRITE, PSO: commits of its thread that must be done */
	u16 epoch;
	u8 kind;
	u8 thread;
	bool silent;
	bool last;  /* a read, and its thread's last one of the source */
	bool taken; /* a write that an RMW reads from */
};

/* The initial write of a location: below all ops, so that arrays of sources can be indexed by
 * it. */
static inline i32 verify_initial(u32 var)
{
	return -1 - (i32)var;
}

/* Writes of one thread to one location, in their order: which is co, too. */
struct write_queue {
	u32 start, n; /* in qop[] */
	u32 next;     /* of the same location; 0 = none */
	u16 var;
	u16 nlines;   /* WRITEs */
	u8 thread;
};

struct vvar {
	u32 queues;	/* the last queue made; 0 = none */
	u32 own;	/* of the current thread: last write */
	i32 seen;	/* and the oldest value that memory may have for it */
	u32 last_read;	/* its last read, 0 if a write came after */
	u16 thread;	/* 1 + that thread */
	bool init_taken;
};

/* A step that another one needs. */
struct needed_step {
	u16 line, count;
	u32 next;
};

struct verify_frame {
	u32 mark;     /* length of the trail */
	u32 next;     /* verify_naive.c: the line to be tried next */
	u64 threads;  /* not yet tried */
	u64 advances; /* PSO: threads whose epoch has not been ended as a choice */
};

#define STEP_COMMIT 0x80000000u

struct verify_priv {
	enum buffers buffers;
	u32 max_events, max_threads, max_locs, max_orders, max_needs;
	bool overflow;	 /* too much was pushed */
	struct vevent *in;
	u32 n;
	u32 nthreads;
	u32 *in_first, *in_last; /* [threads] */
	struct vorder *order;
	u32 norders;

	/* The instance. Index 0 of op, queue, need is none. */
	u32 stamp;	/* of var_of */
	struct { u32 stamp, var; } *var_of; /* [locs] */
	struct vvar *var;
	u32 nvars, nstores;
	struct op *op;
	u32 nops;
	u32 *first;	/* [threads + 1] op of a thread; those of t: first[t] .. first[t + 1) */
	struct write_queue *queue;
	u32 nqueues;
	u32 *qop;	/* ops of queues */
	u32 *store;	/* WRITEs, thread by thread */
	u32 *first_store; /* [threads + 1] */
	u32 *by_line;	/* PSO: WRITEs, line by line */
	const u32 *lop;	/* that, or store */
	u32 *line_start; /* [lines] commits of a line in lop[]; 0 for threads */
	u32 nlines;
	struct needed_step *need;
	u32 nneeds;
	u32 *last_fence; /* [threads] op of the last fence, 0 = none */
	bool epochs;	/* PSO: some thread has more than one */
	i32 *readers;	/* [by source] `last` reads */

	/* The state. */
	u16 *progress;	/* [lines] */
	u16 *issued;	/* [lines] WRITEs of the line that are done */
	u16 *stored, *committed; /* [threads] WRITEs, commits that are done */
	u64 *busy;	/* lines - threads, with stores that are not committed */
	u32 nbusy;	/* words */
	i32 *mem;	/* [vars] */
	u16 *unread;	/* [by source] reads that are not done */
	u32 left;	/* ops that are not done */
	u32 puts_left;	/* PUTs and RMWs that are not done */
	u32 *step;	/* the trail: ops, STEP_COMMIT */
	i32 *was;	/* mem before */
	u32 nsteps;
	struct verify_frame *frame;
	u32 nframes;

	struct arena rest; /* closure; visited states */
	u32 *table;	/* of visited states: offset in rest / 4, 0 = empty */
	u32 table_size, table_used;
	u16 *key;	/* room for one */
};

static inline bool is_pso(const struct verify_priv *p)
{
	return p->buffers == BUFFERS_BY_LOCATION;
}

/* --- parts ----------------------------------------------------------------------------------- */

/* verify_instance.c: make ops of the pushed events. False: some thread's sources are impossible by
 * themselves. */
bool verify_instance(struct verify_priv *p);
/* Item `count` of the line must be done before the commit of op w (or op w itself). False: no
 * room. */
bool verify_need(struct verify_priv *p, u32 *list, u32 line, u32 count);

/* verify_closure.c: false: a cycle. Adds needs to commits. */
bool verify_closure(struct verify *v);

/* verify_search.c. probe: give up (VERIFY_NO, then meaningless) instead of backtracking. */
enum verify_answer verify_search(struct verify *v, bool probe);
void verify_reset(struct verify_priv *p);

/* verify_tso.c, verify_pso.c: threads with a choice; take one's choice, or end its epoch; the key
 * of the state. */
u64 verify_tso_choices(struct verify_priv *p, bool plain);
bool verify_tso_take(struct verify_priv *p, u32 t);
u32 verify_tso_key(struct verify_priv *p, u16 *key);
u64 verify_pso_choices(struct verify_priv *p, bool plain, u64 *advances);
bool verify_pso_take(struct verify_priv *p, u32 t);
bool verify_pso_advance(struct verify_priv *p, u32 t);
u32 verify_pso_key(struct verify_priv *p, u16 *key);

/* verify_seen.c: has the key been added before? */
enum key_seen { SEEN_NEW, SEEN_OLD, SEEN_FULL };
void verify_seen_clear(struct verify_priv *p);
enum key_seen verify_seen(struct verify_priv *p, const u16 *key, u32 n);

/* verify_naive.c */
enum verify_answer verify_naive(struct verify *v);

#endif
