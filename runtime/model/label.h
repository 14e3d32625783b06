/* SPDX-License-Identifier: ISC */
/*
 * label.h - the next step of a thread, as the graph explorer sees it.
 *
 * A thread is a deterministic function of the values that its reads return; a *label* is one step
 * of it: an access of one location, a fence, an operation on a synchronisation object. Labels come
 * from running the program (graph/execute.c) and are kept in the cache (trust/cache.h).
 */
#ifndef MODEL_LABEL_H
#define MODEL_LABEL_H

#include "base/base.h"
#include "event/order.h"

enum label_type {
	LABEL_UNKNOWN, /* the program has to run to it */
	LABEL_READ,    /* atomic load */
	LABEL_WRITE,   /* atomic store of `value` */
	LABEL_RMW,     /* atomic: old -> value_compute(size, old, value, op) */
	LABEL_CAS,     /* atomic: if old == expected, old -> value; else a read of order `fail` */
	LABEL_FENCE,
	LABEL_PLAIN_READ, /* not atomic: reads the write that happens before it, else a race */
	LABEL_PLAIN_WRITE,
	LABEL_SYNC,   /* operation `op` (enum object_op) on the object `loc`: object.h */
	LABEL_ARRIVE, /* at the barrier `loc` of `value` threads, of initialisation `expected` */
	LABEL_LEAVE,  /* leaves the barrier; possible when its round is complete */
	LABEL_CREATE, /* creates thread `other` */
	LABEL_START,  /* first event of a thread */
	LABEL_JOIN,   /* thread `other`; possible when it has ended */
	LABEL_END,    /* of the thread */
	LABEL_CHOOSE, /* one of `value` numbers: heddle_choose(); of one: heddle_observe() */
	LABEL_BLOCK,  /* heddle_assume(false): this execution does not count */
	LABEL_SPIN,   /* in the same state as `value` reads ago: it would spin for ever */
	LABEL_FAIL,   /* a finding, kept by the machine */
	LABEL_TIME,   /* --sleepers last: a sleep until `value'; the event of a timed wait whose
		       * time is over, too */
	LABEL_CLOCK,  /* reads the clock: `value', or later */
	LABEL_TYPES
};

/* The kinds of a CHOOSE, most of them of one number: label.op. */
enum label_choice {
	LABEL_OBSERVED, /* or of no particular kind */
	LABEL_OP_BEGIN, /* history/history.h */
	LABEL_OP_END,
	LABEL_CALLED, /* calls code that is not instrumented (trust/trust_past.h) */
	LABEL_CAME, /* of two: have signals interrupted a call (0), or come before it (1)? The
		     * call's number is `expected', and the argument of its looks for signals */
};

/* The kinds of a BLOCK: label.op. */
enum label_block {
	LABEL_ASSUMED,
	LABEL_CUT, /* at a bound on the iterations of a loop */
};

/* label.fail of a READ or WRITE. */
enum label_access {
	LABEL_ATOMIC,
	LABEL_PROMOTED, /* plain, of a location that counts as atomic (--races promote) */
	LABEL_FUTEX, /* by the kernel, of a futex */
};

/* label.op of a READ, WRITE or CAS of a lock of the Linux kernel (HEDDLE_LOCK); of others: 0. */
#define LABEL_OF_LOCK 1

/* label.again: the thread has waited for a condition, and is where it was when it took the mutex
 * before (trust/trust_await.c). */
#define LABEL_WAITED 0x7fff

enum label_flag {
	LABEL_WEAK = 1 << 0,	 /* CAS: may fail spuriously */
	LABEL_VOLATILE = 1 << 1, /* not atomic, but volatile or assembly: for reports */
	LABEL_TIMED = 1 << 2,	 /* SYNC, JOIN, SPIN: a timed wait, so no deadlock */
	LABEL_EXIT = 1 << 3,	 /* END: also of the process: the thread is never joined */
	LABEL_PIECES = 1 << 4,	 /* READ, WRITE, RMW, CAS: `loc` is a range of several locations
				  * (place.h) */
	LABEL_HEAP = 1 << 5,	 /* PLAIN_WRITE: `loc`, a block of the heap, is allocated (value:
				  * its size + 1) or freed (0); PLAIN_READ: the thread uses memory
				  * of it that no other thread does */
	LABEL_REPORTED = 1 << 6, /* FAIL: already reported, the other threads continue */
	LABEL_EITHER = 1 << 7,	 /* SYNC: the thread waits at one of two objects, by choice;
				  * `other` is the location of the other one */
	LABEL_VIRTUAL = 1 << 8,	 /* FENCE: from an orders file, not the program */
	LABEL_FOREIGN = 1 << 9,	 /* PLAIN_WRITE: by code that is not instrumented */
	LABEL_NO_RESULT = 1 << 10, /* RMW, CAS: by an instruction without a result */
	LABEL_INTERRUPT = 1 << 11, /* SYNC, JOIN, SPIN, TIME: of a call that may be interrupted
				    * (machine/wait/interrupt.h) */
	LABEL_UNINIT = 1 << 12,	   /* of a read: uses its value, and no value was stored initially
				    * (heap/uninit.h) */
	LABEL_FLAGS = (1 << 13) - 1
};

struct label {
	u8 type;  /* enum label_type */
	u8 order; /* C11 memory order 0..5 (consume counts as acquire) */
	u8 fail;  /* CAS: order when it fails; PLAIN: label_bytes(); READ, WRITE: enum
		   * label_access */
	u8 op;	  /* RMW: HEDDLE_ADD ...; SYNC: enum object_op; CHOOSE: enum label_choice; BLOCK:
		   * enum label_block; PLAIN: likewise */
	u8 size;  /* bytes of the location, 0 = an object */
	u16 other; /* CREATE, JOIN: thread; CHOOSE: the observation, or call; of an access to the
		    * heap, or SYNC: the location that stands for its block, but LABEL_EITHER */
	u16 loc;  /* index of the location, see place.h */
	u16 skips : 1;	/* a loop before it repeats a load up to a limit: graph/loop_state.h */
	u16 again : 15; /* not 0: an iteration of a loop, the last so many steps, has restored the
			 * state; the thread continues only when another one has read one of its
			 * intermediate writes (trust/trust_again.c) */
	u32 site; /* code address (for messages about divergence); 0 = unknown */
	u16 deps; /* its dependencies, a record of dependency.h */
	u16 flags; /* enum label_flag */
	u64 value, expected; /* 16-byte values are numbers of the wide table, place.h; in
			      * `expected`, CHOOSE: the value; END: failure/leak_graph.h;
			      * SYNC: label_deadline(); CLOCK: how much later than others */
};

/* A plain access that counts as atomic? */
static inline bool label_is_promoted(const struct label *l)
{
	return (l->type == LABEL_READ || l->type == LABEL_WRITE) && l->fail == LABEL_PROMOTED;
}

static inline bool label_reads(const struct label *l)
{
	return l->type == LABEL_READ || l->type == LABEL_RMW || l->type == LABEL_CAS ||
	       l->type == LABEL_PLAIN_READ || l->type == LABEL_SYNC;
}

/* Does its thread stop there for ever, independently of others? */
static inline bool label_is_last(const struct label *l)
{
	return l->type == LABEL_BLOCK || l->type == LABEL_FAIL;
}

static inline bool label_is_timed(const struct label *l)
{
	return (l->type == LABEL_SYNC || l->type == LABEL_SPIN) && l->flags & LABEL_TIMED;
}

/* --sleepers last: when the sleep or timed wait is over; 0: not a timed operation. */
static inline u64 label_deadline(const struct label *l)
{
	return l->type == LABEL_TIME ? l->value : label_is_timed(l) ? l->expected : 0;
}

/* --sleepers last: does the label depend on the time, or let it pass? */
static inline bool label_has_time(const struct label *l)
{
	return l->type == LABEL_TIME || l->type == LABEL_CLOCK || label_is_timed(l);
}

/* Were its thread's last reads without effect: an iteration of a spin loop, a failed assumption?
 * (Iterations before a bound have effects.) */
static inline bool label_blocked_read(const struct label *l)
{
	return l->type == LABEL_SPIN || (l->type == LABEL_BLOCK && l->op != LABEL_CUT);
}

/* The bytes of an atomic location that a plain access covers: bit i, byte i; 0: all. */
static inline u32 label_bytes(const struct label *l)
{
	return l->type == LABEL_PLAIN_READ || l->type == LABEL_PLAIN_WRITE ? l->fail | l->op << 8
									   : 0;
}

/* Have two accesses of a location no byte in common? Then they do not conflict. */
static inline bool label_apart(const struct label *a, const struct label *b)
{
	u32 of_a = label_bytes(a), of_b = label_bytes(b);

	return of_a && of_b && !(of_a & of_b);
}

/* Is it a memory access? */
static inline bool label_is_access(const struct label *l)
{
	switch (l->type) {
	case LABEL_READ:
	case LABEL_WRITE:
	case LABEL_RMW:
	case LABEL_CAS:
	case LABEL_PLAIN_READ:
	case LABEL_PLAIN_WRITE: return true;
	}
	return false;
}

/* Is it one atomic access of several locations? */
static inline bool label_has_pieces(const struct label *l)
{
	return l->flags & LABEL_PIECES;
}

/* A second location of an access, or of an operation on an object; 0: none. */
static inline u32 label_second(const struct label *l)
{
	if (!label_is_access(l) && l->type != LABEL_SYNC)
		return 0;
	return l->flags & LABEL_HEAP ? l->loc : l->other;
}

/* The location that represents the heap block of an access, or of an object; 0: none. */
static inline u32 label_block(const struct label *l)
{
	return l->flags & LABEL_EITHER ? 0 : label_second(l);
}

/* Where it is, to be compared: its code, or, as operations on objects have none, its object. */
static inline u32 label_place(const struct label *l)
{
	return l->type == LABEL_SYNC ? 1u << 31 | (u32)l->op << 16 | l->loc : l->site;
}

static inline bool label_equal(const struct label *a, const struct label *b)
{
	return a->type == b->type && a->order == b->order && a->fail == b->fail &&
	       a->op == b->op && a->size == b->size && a->flags == b->flags &&
	       a->other == b->other && a->loc == b->loc && a->deps == b->deps &&
	       a->value == b->value &&
	       a->expected == b->expected;
}

#endif
