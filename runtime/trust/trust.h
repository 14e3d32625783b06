/* SPDX-License-Identifier: ISC */
/*
 * trust.h - exhaustive exploration of execution graphs: TruSt.
 *
 * Every execution graph of the program that is consistent under the model is visited exactly once,
 * without storing visited graphs; with `rf`, one graph of those that differ in co only.
 * Kokologiannakis et al., POPL 2022; thesis 2023 (model/graph.h), chapter 6. trust.c lists the
 * differences.
 *
 *     struct trust x;
 *     trust_init(&x, memory, size, model, program);
 *     trust_run(&x);                         until complete, or stopped by program->leaf()
 */
#ifndef TRUST_TRUST_H
#define TRUST_TRUST_H

#include "trust/area.h"
#include "trust/cache.h"
#include "trust/program.h"
#include "model/co_solver.h"
#include "object/object.h"

#define CACHE_NODES 400000
#define WIDE_MAX    (1 << 16)
#define TRUST_ANY   (~(u64)0)

/* Omitted executions. */
enum trust_bound {
	TRUST_LONG = 1 << 0,  /* executions of more events than a graph holds */
	TRUST_DEPTH = 1 << 1, /* revisits: no room to save the graph */
	TRUST_RARE = 1 << 2,  /* more spurious failures than weak_cas */
	TRUST_ORDER = 1 << 3, /* rf: a reads-from without a co found in reasonable time */
	TRUST_ROOM = 1 << 4,  /* rf.h: no room to keep the other sources of reads */
	TRUST_HARD = 1 << 5,  /* rf.h: schedule problems that took too much memory */
	TRUST_POLLS = 1 << 6, /* waits with more than TRUST_DEBTS late iterations */
};

/* Intermediate writes of iterations that restore the state: trust_late.c. */
#define POLLS_MAX 64
struct polls {
	u32 n;
	bool begun; /* other processes have had leaves */
	bool late; /* such a write may be observed after the loop */
	struct {
		u64 addr;
		u32 size, site; /* of the iteration's first step; 0 = unknown */
		u8 thread;
		bool excl, ordered; /* struct trust_written, trust_is_ordered() */
	} poll[POLLS_MAX];
};

/* Conditions, and mutexes, whose waits are events like any other: trust_await.h. */
#define AWAITS_MAX  64
#define AWAIT_READS 16
struct awaits {
	u32 n;
	bool waits; /* some thread waits for a condition */
	bool all;   /* of any */
	bool time;  /* with --sleepers last, some thread sleeps or looks at a clock */
	u64 left_out[AWAITS_MAX]; /* addresses */
	u32 nmonitors;
	u64 monitor[AWAITS_MAX]; /* addresses of mutexes that threads wait with */
	u64 twins, different; /* threads that are twins of older ones; that never are */
};

struct trust {
	struct graph graph;
	struct cache cache;
	struct program *program;
	bool lenient;	 /* some races are ignored: accesses may race again */
	bool races; /* plain accesses that race end an execution; else the read sees the co-last */
	bool rf;	 /* reads-from equivalence: trust_class.c; before the first step */
	bool heap;	 /* a double free ends an execution, */
	bool heap_uses;	 /* and so does a use of unallocated memory; */
	bool heap_cause; /* judged by causes (po|rf), not by happens-before */
	bool no_cache;	 /* run the program every time (tests) */
	bool reduces;	 /* executions that differ in failed tests of conditions only are one */
	bool symmetric;	 /* executions that differ in the names of threads only are one */
	bool unrolls;	 /* iterations that restore the state are repeated (trust_again.c) */
	bool sleepers_last; /* time passes when nothing else can happen (trust_time.c) */
	bool clock;	    /* and the program looks at it */
	bool short_leaves;  /* complete graphs may lack reads after all other threads' ends */
	u32 order;	 /* permutes which thread is extended first (tests) */
	u64 weak_cas;	 /* maximum spurious failures per execution; TRUST_ANY: no bound */
	u64 complete, blocked, failing; /* executions so far */
	u64 restarts;
	bool over;	 /* everything was explored */
	u32 bounded;	 /* enum trust_bound: not complete though over */
	/* Levels, by number, that another worker has taken: the rest of them, and all below. */
	const u64 *given;
	u32 ngiven;
	struct cut *cut; /* trust_cut.h is at work; NULL: all is explored */
	struct estimate *estimate; /* of the number of executions; NULL: none is wanted */
	bool fixed;	 /* ANSWER_RESTART also ends trust_run() */
	struct polls *polls; /* of all workers */
	struct awaits *awaits; /* likewise */
	/* internal */
	bool reported;	 /* the current graph, a leaf, has been reported */
	u64 pushes;	 /* levels so far */
	enum answer answer; /* of the program, if not a label */
	struct co_solver coherence;
	struct places *places;
	void *graph_memory;
	bool halves;	    /* some RMW may be without its write */
	bool updates;	    /* there has been an RMW that writes */
	bool polled;	    /* some label has been one of trust_again.c */
	bool late;	    /* polls->late, by the beginning */
	struct polls own_polls;
	struct awaits own_awaits;
	bool awaiting, asleep; /* trust_await.h is at work; trust_sleep() */
	bool lockstep;	    /* at a leaf threads may wait for ever, or for others in lockstep */
	bool returns;	    /* a thread may return a value other than 0 */
	bool inits;	    /* objects are initialised that threads may wait at (OP_INIT) */
	struct symmetry *symmetry;
	u32 stamp;
	u32 depth;	 /* saved graphs */
	u32 base;	 /* events of a saved graph: not to be removed */
	struct area area; /* saved graphs: levels, and those set aside */
	size_t top;	 /* the last level there */
	struct aside *aside; /* the last graph that was set aside; NULL: none is */
	u8 *spare;	 /* for trust_forget(): room for the largest graph */
};

/* memory: zeroed, a multiple of pages, backed on demand; TRUST_MEMORY is always enough. */
#define TRUST_MEMORY ((size_t)2 << 30)
void trust_init(struct trust *x, void *memory, size_t size, enum model_id model, struct program *p);

/* Before each saved graph on the stack. */
struct saved_level {
	size_t below; /* position of the one below */
	size_t size;  /* with this */
	u64 number;   /* number of those pushed before */
	u64 leaves;   /* at that time */
	u32 base;
};

#define LEVEL_HEAD 64

static inline struct saved_level *trust_level_at(const struct trust *x, size_t at)
{
	return (struct saved_level *)(x->area.memory + at);
}

/* The last saved graph, when there is one. */
static inline struct saved_level *trust_level(const struct trust *x)
{
	return trust_level_at(x, x->top);
}

/* Save the graph on the stack; the last saved graph is the graph again. */
void trust_push(struct trust *x);
void trust_pop(struct trust *x);

/* A copy of a graph that another one temporarily replaces, with a head like a level's. */
struct aside {
	struct aside *below; /* set aside before; may be NULL */
	size_t size;	     /* with this */
};

/* Set the graph aside; NULL: no room. Meanwhile, other graphs may be set aside or pushed, and nodes
 * forgotten. / Restore the graph that was set aside last. */
struct aside *trust_put_aside(struct trust *x);
void trust_take_back(struct trust *x, struct aside *a);

/* The next choice of e, the last event; may push a level. False: none, or x->answer. */
bool trust_advance(struct trust *x, u32 e);

static inline u64 trust_leaves(const struct trust *x)
{
	return x->complete + x->blocked + x->failing;
}

/* Explore, or continue after a stop. Returns when over or stopped. */
void trust_run(struct trust *x);

/* Accesses may be of several locations: code without support for pieces is not used. */
void trust_know_pieces(struct trust *x);

/* Make room in the cache: keep the nodes of all graphs. Nodes are renumbered. */
void trust_forget(struct trust *x);

/* trust_again.c: does t wait until another thread reads its writes? */
bool trust_waits_again(const struct trust *x, u32 t);
/* The same, and the writes that it has read are newest: for incomplete searches. */
bool trust_polls_fruitlessly(const struct trust *x, u32 t);

/* Add an entry of struct awaits from a checkpoint, by location. False: no room. */
u16 trust_await_traits(const struct trust *x, u32 loc);
bool trust_await_learn(struct awaits *a, u64 addr, u16 traits);

/* At a leaf: threads at a futile lock take it, and wait for their conditions. Returns the number of
 * events before. / Undo that. */
u32 trust_sleep(struct trust *x);
void trust_awake(struct trust *x, u32 n);

/* trust_sound.c: the first invariant that the current graph violates between two steps of
 * trust_run(), or NULL. Labels in the cache are assumed to be correct. / trust_invariants.c: BUG if
 * there is one. */
const char *trust_wrong(struct trust *x);
void trust_check(struct trust *x);

/* Is it an initialisation that failure/init_graph.c has to check? */
static inline bool label_is_init(const struct label *l)
{
	return unlikely(l->type == LABEL_SYNC && object_op_has(l->op, OP_INIT));
}

/* Label of event e of g. */
static inline const struct label *trust_label(const struct trust *x, u32 e)
{
	return &x->cache.node[x->graph.event[e].node].label;
}

/* --- building a given graph, an event at a time ---------------------------------------------- */

/* An empty graph. */
void trust_clear(struct trust *x);

/* The next label of thread t, which exists. NULL: unknown for the reason in x->answer. */
const struct label *trust_next(struct trust *x, u32 t);

/* Execute it. choice: the source of a read; for a write, the one before it in co; for a
 * LABEL_CHOOSE the number. rare: a weak CAS fails spuriously. False: impossible, or x->answer.
 * Consistency is not checked. */
bool trust_add(struct trust *x, u32 t, u32 choice, bool rare);

/* With rf: choose the co of a sequentially consistent execution, if there is one; for leaf() to
 * call. At LEAF_STUCK this has been done. */
void trust_prefer_sc(struct trust *x);

/* A read, not of an RMW, of a write with this value that is added later: holes/holes.h. */
bool trust_add_early(struct trust *x, u32 t, u64 value);
/* The same for a label with pieces: a choice for each. */
bool trust_add_pieces(struct trust *x, u32 t, const u32 *choice, bool rare);

/* An event that the last event e races with, or 0; without races that the program ignores. */
u32 trust_race(const struct trust *x, u32 e);

/* The region (place.h) is divided: x->answer. */
void trust_refine(struct trust *x, u32 loc);

/* The same, or the event that makes e a heap error, which is e itself if it uses a value that was
 * never stored; *how: LEAF_RACE or LEAF_HEAP. */
u32 trust_fault(const struct trust *x, u32 e, enum leaf *how);

/* --- trust_time.c: --sleepers last ------------------------------------------------------------ */

/* Is thread t's sleep or timed wait, at l, over? */
bool trust_is_due(const struct trust *x, const struct label *l);
/* It ends: by now, or the time advances to its deadline. */
bool trust_wake(struct trust *x, u32 t);
/* No thread is enabled: does time pass? Then the first sleeper's sleep ends. */
bool trust_time_passes(struct trust *x);
/* How many numbers there are to choose from, at a LABEL_CHOOSE. */
u64 trust_choices(const struct trust *x, u32 e);

/* --- trust_try.c: a temporary graph, invisible to the search -------------------- */

/* Remove all events; knowledge of the program stays. */
void trust_empty(struct trust *x);
/* Is thread t enabled, if it reads the newest writes? Its end is an event only if it is joined. */
bool trust_ready(struct trust *x, u32 t);
/* trust_add() where coherence, atomicity and the model allow it. */
bool trust_add_consistent(struct trust *x, u32 t, u32 choice, bool rare);
/* No thread is enabled: the kind of leaf. Only if x->answer is still a label. */
enum leaf trust_leaf(struct trust *x);
/* Does the program ignore a race of these two? */
bool trust_passes(const struct trust *x, u32 e, u32 other);

#endif
