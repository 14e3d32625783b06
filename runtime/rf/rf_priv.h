/* SPDX-License-Identifier: ISC */
/* rf_priv.h - shared by the files of rf.h: events by name, recipes of executions, sets of
 * recipes. */
#ifndef RF_RF_PRIV_H
#define RF_RF_PRIV_H

#include "trust/trust_priv.h"
#include "rf/rf.h"
#include "verify/verify.h"

/* gevent.state */
enum {
	RF_MARKED = 1 << 0, /* a read (or choice) that keeps its source from here on */
	RF_NEW = 1 << 1,    /* new, or with a new value, in this execution */
};

/* The name of an event in all executions: thread << 16 | index; 0: the initial write. */
static inline u32 rf_name(const struct graph *g, u32 e)
{
	return e ? (u32)g->event[e].thread << 16 | g->event[e].index : 0;
}

/* The change of an execution against an earlier one, at a read or choice r. */
enum rf_kind {
	RF_SOURCE,  /* r reads another write */
	RF_REVERSE, /* another RMW reads r's source, and r reads its write */
	RF_TAKE,    /* another operation on an object takes r's source; r comes later */
	RF_WAIT,    /* r waits for a newer write: the execution continues without its thread */
	RF_CHOOSE,  /* r chooses another number */
};

/* A kept event after r: its thread, and its source or choice. */
struct rf_item {
	u32 thread; /* | ITEM_... */
	u32 source; /* name */
};

#define ITEM_RARE (1u << 8) /* a weak CAS fails spuriously */
#define ITEM_NEW  (1u << 9) /* its write is a new source for older reads */

/* A recipe: the events from r on, up to the free part of the execution. */
struct rf_recipe {
	u32 kind;   /* enum rf_kind */
	u32 rare;
	u32 source; /* of r: name; CHOOSE: the number */
	u32 nitems, nco;
	u64 value;  /* that r reads */
	/* struct rf_item item[nitems]; u32 co[nco]: names of writes, of each location in co */
};

static inline struct rf_item *rf_items(struct rf_recipe *p)
{
	return (struct rf_item *)(p + 1);
}

static inline u32 *rf_co(struct rf_recipe *p)
{
	return (u32 *)(rf_items(p) + p->nitems);
}

/* A proposal made for a read: not repeated. */
struct rf_entry {
	u64 key[2];
	u32 next;   /* of its set */
	u32 chain;  /* of its bucket */
	u32 more;   /* to be explored, of its set */
	u32 recipe; /* 0: explored, or not possible */
};

/* Of the event r, as long as the events before it stay. */
struct rf_set {
	u32 first;   /* entries */
	u32 pending; /* those to be explored */
	u8 thread;   /* of r */
	bool waits;  /* RF_WAIT has been proposed */
};

#define RF_BUCKETS TINY(1 << 1, 1 << 16)
#define RF_SEEN	   (1 << 16)
#define RF_CLASSES 22 /* sizes in the arena: 16 << class */

struct rf_priv {
	struct verify verify;
	u32 common;	    /* events that the questions of rf_instance_before() begin with: mark */
	struct verify_mark mark;
	struct rf_set *set; /* [GRAPH_EVENTS + 1] by event */
	u16 *alive;	    /* [GRAPH_EVENTS + 1] events that have one */
	u32 nalive;
	u16 (*id)[GRAPH_EVENTS + 1]; /* [GRAPH_THREADS] event by name */
	u32 *bucket;	    /* [RF_BUCKETS] of entries */
	u8 *arena;
	u32 arena_used, arena_size; /* in units of 16 bytes; 0 is none */
	u32 spare[RF_CLASSES];
	u8 *access;	    /* [PLACES_MAX] ACCESS_... of locations */
	u16 *kept;	    /* [GRAPH_EVENTS + 1] scratch: events of a proposal */
	u16 *pushed;	    /* [GRAPH_EVENTS + 1] scratch: their numbers in verify */
	u32 *order;	    /* [GRAPH_EVENTS + 1] scratch: names of writes */
	u32 *name;	    /* [2 * GRAPH_EVENTS] scratch: names by number in verify, of writes */
	u64 (*seen)[2]; /* [RF_SEEN] with rf.check: reads-from functions that have been explored */
	u32 nseen;
	u16 changed[4];	    /* new events that are not an extension; 0: none */
};

/* The kinds of accesses of a location. Plain ones are ordered by other events, or race; they need
 * no position in a schedule, and have no choice, unless the location also has atomic ones. */
enum { ACCESS_PLAIN = 1, ACCESS_ATOMIC = 2, ACCESS_MIXED = 3 };

/* Can e have a choice? */
static inline bool rf_decides(const struct gevent *e)
{
	return e->flags & E_READ || e->type == LABEL_CHOOSE;
}

/* For sums of parts in any order. */
static inline u64 rf_mix(u64 v)
{
	v = (v ^ v >> 32) * 0xd6e8feb86659fd93u;
	v = (v ^ v >> 32) * 0xd6e8feb86659fd93u;
	return v ^ v >> 32;
}

static inline void *rf_at(const struct rf_priv *p, u32 where)
{
	return p->arena + (size_t)where * 16;
}

/* --- sets: rf_set.c --------------------------------------------------------------------------- */

void rf_sets_clear(struct rf *x);
void rf_set_open(struct rf *x, u32 r, bool waits);
/* The last set; false: there is none. */
bool rf_set_last(const struct rf *x, u32 *r);
void rf_set_close(struct rf *x);

/* Has this been proposed for r? */
bool rf_known(const struct rf *x, u32 r, const u64 key[2]);
/* Impossible, or undecided. No room to record it: x->trust->bounded. */
void rf_refuse(struct rf *x, u32 r, const u64 key[2]);
/* Possible: room for its recipe. NULL: none, x->trust->bounded. */
struct rf_recipe *rf_keep(struct rf *x, u32 r, const u64 key[2], u32 nitems, u32 nco);
/* A recipe of r to explore: valid until the next call of a function here. NULL: none. */
struct rf_recipe *rf_take(struct rf *x, u32 r);
/* Its memory. */
void rf_done(struct rf *x, struct rf_recipe *recipe);

/* --- questions: rf_instance.c ----------------------------------------------------------------- */

void rf_note_accesses(struct rf *x);
/* Begin a question: no events. */
void rf_instance(struct rf *x);
/* Further questions, with all events before r unchanged; r does not decrease from one to the
 * next. */
void rf_instance_before(struct rf *x, u32 r);
/* Does the event have a place in schedules? (rf_note_accesses) */
bool rf_is_scheduled(const struct rf_priv *p, const struct gevent *e);
/* Push event e, if so; its number is then pushed[e]. */
void rf_push(struct rf *x, u32 e);
/* Push a read (and its write) that differs from the graph's. Returns its number; the write's is the
 * next. */
u32 rf_push_changed(struct rf *x, const struct label *l, u32 thread, u32 index, struct effect f);
/* Set the source or predecessor of e, after all events were pushed. */
void rf_connect(struct rf *x, u32 e);
/* The answer: names of writes in the order in which they reach memory, and their number. co may be
 * NULL. */
u32 rf_witness_order(const struct rf *x, u32 *co);
/* Writes without a place in schedules, among the events before r and the first of kept[], in their
 * order. */
u32 rf_plain_order(const struct rf *x, u32 r, u32 nkept, u32 *co);

/* --- the graph: rf.c -------------------------------------------------------------------------- */

/* Put all writes into this order: names, of each location in co. */
void rf_put_co(struct rf *x, const u32 *co, u32 n);

/* --- threads that wait: rf_stuck.c ------------------------------------------------------------ */

/* No thread is enabled. Is there a schedule after which this is so for ever? The graph gets its
 * co. */
bool rf_is_stuck(struct rf *x);

/* --- proposals: rf_propose.c ------------------------------------------------------------------ */

/* All new proposals of the current execution, for all its reads; or x->trust->answer. */
void rf_propose(struct rf *x);
/* Propose that r waits. */
void rf_propose_wait(struct rf *x, u32 r);

#endif
