/* SPDX-License-Identifier: ISC */
/*
 * trust_monitor.h - a mutex in an execution, with the threads that may have waited for conditions
 * between its sections, and their wake-ups.
 *
 * The mutex's sections are totally ordered. In gap i, before section i, the mutex is free. In each
 * gap between its last event and its lock, a thread may have taken the mutex and waited because its
 * predicate was false: the lock is futile there (trust_await.h).
 */
#ifndef TRUST_TRUST_MONITOR_H
#define TRUST_TRUST_MONITOR_H

#include "trust/trust_priv.h"

#define MONITOR_GAPS	  128
#define MONITOR_LOCKS	  256
#define MONITOR_BITS	  12 /* threads that may sleep, signals outside of sections */
#define MONITOR_SETS	  ((1 << MONITOR_BITS) / 64)
#define MONITOR_SIGNALS	  256
#define MONITOR_PREDICATE 64

/* An operation on a condition. */
struct signal {
	u32 event, condition;
	u8 op;
	u8 bit;		 /* outside of sections: which one of a set says that it is over */
	bool floats;	 /* outside of sections */
	u16 first, last; /* gaps in which it may be; inside: of its section */
};

/* A lock, performed or not, that may have been futile before. */
struct candidate {
	u32 event;	 /* its read; 0: it is the next operation of its thread */
	u32 before;	 /* the thread's event before it */
	u32 condition;	 /* 0: it is never futile */
	u16 first, last; /* gaps before it */
	u8 thread;
	u64 fruitless[MONITOR_GAPS / 64]; /* gaps where it is */
};

struct monitor {
	u32 lock; /* the location */
	u32 ngaps, ncandidates, nsignals, nbits, npredicate;
	u32 write[MONITOR_GAPS]; /* behind which the mutex is free */
	u32 next[MONITOR_GAPS];	 /* the write after that; 0: none */
	u8 bit[GRAPH_THREADS];	 /* which one of a set says that it sleeps; MONITOR_BITS: never */
	struct candidate candidate[MONITOR_LOCKS];
	struct signal signal[MONITOR_SIGNALS];
	u32 predicate[MONITOR_PREDICATE];	/* locations */
	u64 asleep[MONITOR_GAPS][MONITOR_SETS]; /* at the end of a gap: trust_wakeup.c */
};

/* False: a limit is reached, or x->answer. */
bool monitor_find(struct trust *x, struct monitor *m, u32 lock);

/* The lock that the thread may be at in this gap, or NULL. / Is it futile there? */
const struct candidate *monitor_candidate(const struct monitor *m, u32 t, u32 gap);

static inline bool candidate_is_fruitless(const struct candidate *c, u32 gap)
{
	return c->fruitless[gap / 64] >> gap % 64 & 1;
}

/* Does any of its threads wait for this condition? */
bool monitor_has_condition(const struct monitor *m, u32 loc);

/* Is each variable of the predicates written only with the mutex held, or before or after any wait?
 * If not, *unguarded is the location of one. */
bool monitor_is_guarded(const struct graph *g, const struct monitor *m, u32 *unguarded);

#endif
