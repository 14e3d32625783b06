/* SPDX-License-Identifier: ISC */
/*
 * graph_program.h - small random programs for the graph explorer and for its oracle.
 *
 * A thread is a list of operations. An operation that learns a value leaves it in the register with
 * its own number; others may add such a register to what they write, and be skipped if a register
 * has, or has not, a certain value. Registers that are not set are 0.
 */
#ifndef AGREE_GRAPH_PROGRAM_H
#define AGREE_GRAPH_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GP_THREADS 6
#ifdef GP_LARGE /* tests/verdicts */
#define GP_OPS	   16
#define GP_MEMORY  12
#define GP_MUTEXES 6
#else
#define GP_OPS	   8
#define GP_MEMORY  4 /* locations x, y, z, p; p is meant for plain accesses */
#define GP_MUTEXES 3 /* locations m, n, and b, the barrier */
#endif
#define GP_PLACES  (GP_MEMORY + GP_MUTEXES)
#define GP_SLOTS   (GP_THREADS * GP_OPS)
#define GP_MODELS  6

enum gp_model { GP_SC, GP_TSO, GP_PSO, GP_SRA, GP_RA, GP_RC11 };

enum gp_order { RLX = 0, ACQ = 2, REL = 3, AR = 4, SEQ = 5 };

enum gp_kind {
	GP_NOTHING, /* removed by the reduction */
	GP_LOAD,
	GP_STORE,
	GP_ADD,
	GP_XCHG,
	GP_CAS,
	GP_WEAK_CAS,
	GP_FENCE,
	GP_PLAIN_LOAD,
	GP_PLAIN_STORE,
	GP_LOCK,
	GP_TRYLOCK, /* learns 1: taken, 0: not */
	GP_UNLOCK,
	GP_CHOOSE,    /* learns one of `value` numbers */
	GP_ASSUME,    /* that register `source` is `value` */
	GP_AWAIT,     /* loops until the place has `value` */
	GP_AWAIT_ANY, /* loops over the place and gp_other() of it until one of them has `value` */
	GP_SPAWN,      /* starts thread `value`, in place of the main thread */
	GP_JOIN,       /* waits for the end of thread `value` */
	GP_BARRIER,    /* all threads meet */
	GP_ASSERT,     /* that register `source` is not `value` */
	GP_AWAIT_XCHG, /* loops until an exchange has got 0; the others write 1 over 1 */
	GP_AWAIT_CAS, /* loops until a strong CAS succeeds */
	/* tests/verdicts, GP_OBJECTS: */
	GP_RDLOCK, /* a read-write lock */
	GP_WRLOCK,
	GP_RWUNLOCK,
	GP_SEM_WAIT,
	GP_SEM_POST,
	/* GP_OBJECTS; TRY learns 1: taken, 0: not */
	GP_TRYRDLOCK,
	GP_TRYWRLOCK,
	GP_TRYWAIT,
	GP_SEM_VALUE, /* learns it */
	GP_ONCE,      /* learns 1: do the operations up to GP_ONCE_DONE; 0: already done */
	GP_ONCE_DONE,
	GP_DIE, /* the thread ends, and has the mutex, which is robust */
};

/* Learned of a robust mutex, beside 0 and 1. */
enum { GP_OWNER_DIED = 2, GP_NOT_RECOVERABLE = 3 };

struct gp_op {
	uint8_t kind, place;
	uint8_t order, fail;
	uint8_t value, expected;
	int8_t source; /* register to add to value; -1: none */
	int8_t guard;  /* register that decides whether to do it; -1: none */
	uint8_t guard_value;
	bool guard_not; /* do it if the register has another value */
	bool timed;	/* TRY: waits for a time */
	uint8_t pieces; /* > 1: an access of so many locations at once, from `place` on */
	uint8_t also,
		also_value; /* 0, or 1 + another register, which has to have that value, too */
};

#define GP_ANY 100 /* more spurious failures than a program has weak CASes */

struct gprogram {
	char name[48];
	int nthreads, nplaces; /* of memory */
	int nops[GP_THREADS];
	struct gp_op op[GP_THREADS][GP_OPS];
	int weak_cas; /* spurious failures, at most; or GP_ANY */
	uint8_t initial[GP_PLACES];
	uint8_t detached; /* bits: threads that main does not join */
	bool mixed;   /* places are bytes next to each other */
};

enum gp_mode {
	GP_PLAIN,
	GP_AWAITS,
	GP_LOCKS,
	GP_CHOICES,
	GP_RACES,
	GP_THREADED,
	GP_MIXED,
	GP_OBJECTS,
	GP_MODES
};

/* The program of this seed, with up to so many more operations per thread than usual: loads,
 * stores, RMWs, CASes, fences, and those of the mode. */
void gprogram_generate(struct gprogram *p, enum gp_mode mode, uint64_t seed, int larger);

void gprogram_print(const struct gprogram *p);
void gp_op_text(const struct gprogram *p, int thread, int i, char *to, size_t n);
const char *gp_place_name(int place);
extern const char *const gp_mode_names[GP_MODES], *const gp_model_names[GP_MODELS];

static inline int gp_other(const struct gprogram *p, int place)
{
	return (place + 1) % p->nplaces;
}

#define GP_PIECES 4

static inline int gp_pieces(const struct gp_op *o)
{
	return o->pieces > 1 ? o->pieces : 1;
}

static inline bool gp_covers(const struct gp_op *o, int place)
{
	return place >= o->place && place < o->place + gp_pieces(o);
}

/* A number of an access of several bytes: the same in each. */
static inline uint64_t gp_repeat(const struct gp_op *o, int value)
{
	uint64_t all = 0;

	for (int i = 0; i < gp_pieces(o); i++)
		all = all << 8 | (uint8_t)value;
	return all;
}

/* The contents of the register that learns the value. */
static inline uint8_t gp_digest(const struct gp_op *o, uint64_t value)
{
	uint8_t all = 0;

	for (int i = gp_pieces(o); i--;)
		all = (uint8_t)(5 * all + (uint8_t)(value >> 8 * i));
	return all;
}

#define GP_BARRIER_PLACE (GP_PLACES - 1)

/* Does another thread of the program start thread t? */
bool gp_is_spawned(const struct gprogram *p, int t);

/* The kind of object that the operation is of; the first is none of GP_OBJECTS. */
enum gp_object { GP_NO_OBJECT, GP_MUTEX, GP_RWLOCK, GP_SEMAPHORE, GP_ONCE_FLAG, GP_ROBUST };

static inline enum gp_object gp_object_of(enum gp_kind kind)
{
	switch (kind) {
	case GP_LOCK:
	case GP_TRYLOCK:
	case GP_UNLOCK:
	case GP_DIE: return GP_MUTEX;
	case GP_RDLOCK:
	case GP_WRLOCK:
	case GP_TRYRDLOCK:
	case GP_TRYWRLOCK:
	case GP_RWUNLOCK: return GP_RWLOCK;
	case GP_SEM_WAIT:
	case GP_TRYWAIT:
	case GP_SEM_POST:
	case GP_SEM_VALUE: return GP_SEMAPHORE;
	case GP_ONCE:
	case GP_ONCE_DONE: return GP_ONCE_FLAG;
	default: return GP_NO_OBJECT;
	}
}

/* Does the operation end a section that another one began? */
static inline bool gp_ends_section(enum gp_kind kind)
{
	return kind == GP_UNLOCK || kind == GP_RWUNLOCK || kind == GP_ONCE_DONE || kind == GP_DIE;
}

static inline bool gp_is_mutex(int place)
{
	return place >= GP_MEMORY;
}

/* Is the operation skipped, by the values that its thread has learned? */
static inline bool gp_skipped(const struct gp_op *o, const uint8_t reg[GP_OPS])
{
	return o->kind == GP_NOTHING ||
	       (o->guard >= 0 && (reg[o->guard] == o->guard_value) == o->guard_not) ||
	       (o->also && reg[o->also - 1] != o->also_value);
}

static inline int gp_operand(const struct gp_op *o, const uint8_t reg[GP_OPS])
{
	return o->value + (o->source >= 0 ? reg[o->source] : 0);
}

/* The litmus programs whose counts are known (named.c); NULL behind the last. */
struct gp_named {
	struct gprogram program;
	int executions[GP_MODELS];
	int rf; /* reads-from classes under SC */
};
const struct gp_named *gprogram_named(int i);

#endif
