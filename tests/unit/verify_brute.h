/* SPDX-License-Identifier: ISC */
/* verify_brute.h - an instance for t_verify.c, and a machine with store buffers that tries all of
 * its schedules. */
#ifndef UNIT_VERIFY_BRUTE_H
#define UNIT_VERIFY_BRUTE_H

#include "verify/verify.h"

#define THREADS	  5
#define EVENTS	  48
#define LOCATIONS 6
#define RANDOM_LOCATIONS 4

struct access {
	u8 thread, index; /* in its thread */
	u8 loc, source;
	u16 flags;
	u8 after; /* an event of another thread that comes first; 0 = none */
};

/* Events 1..n; per thread in their order. */
extern struct instance {
	enum model_id model;
	u32 n, nthreads, nlocs;
	struct access e[EVENTS + 1];
	u8 thread[THREADS][EVENTS], length[THREADS];
} I;

static inline bool is_rmw(const struct access *e)
{
	return e->flags & E_READ && e->flags & E_WRITE;
}

/* --- the machine ----------------------------------------------------------------------------- */

struct state {
	u64 committed; /* bits: events */
	u8 pos[THREADS], mem[LOCATIONS];
	u8 pad[5]; /* [0]: is it present */
};

/* Is the store e in its thread's buffer? May it reach memory now? It does. */
bool machine_pending(const struct state *s, u32 e);
bool machine_may_pop(const struct state *s, u32 e);
void machine_put(struct state *s, u32 e);

/* Thread t's next step. False: it cannot be done now. source: set to the source of a read, instead
 * of checking it. */
bool machine_step(struct state *s, u32 t, u8 *source);

/* --- all schedules --------------------------------------------------------------------------- */

bool brute_begin(void);
void brute_end(void);

/* Is there a schedule? With too_many states the answer is unknown. */
bool brute(void);
extern bool too_many;

#endif
