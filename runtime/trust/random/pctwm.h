/* SPDX-License-Identifier: ISC */
/*
 * pctwm.h - random walks with few communications: the next thread, and its sources.
 *
 * Idea.   A bug of weak memory usually needs few reads of other threads' newer writes, and at few
 *         of these it matters which write it is. So threads move by random priorities; a read takes
 *         the oldest write that its thread may still see, its *local view*; and up to depth-1
 *         reads, drawn among the communications of an execution, are different: on arrival there
 *         the thread's priority falls below those of all others, and when it moves again, the read
 *         takes one of the `history` newest writes, at random.
 * Source. Gao, Chakraborty, Kulahcioglu Ozkan, Probabilistic Concurrency Testing for Weak Memory
 *         Programs, ASPLOS 2023. If a bug needs depth-1 reads with certain sources, an execution
 *         has drawn them in the right order with a probability of the order of 1 / (k h)^(depth-1),
 *         for k communications and a history of h. We differ in: fewer reads may be drawn, as all
 *         numbers are equally likely; k is that of the longest execution so far; operations on
 *         objects are communications; in one of PLACED executions stores have random places in co,
 *         otherwise the last ones; and a thread that reads its local view for long falls back, and
 *         sees the newest write once, as it may be in a loop that waits.
 */
#ifndef TRUST_RANDOM_PCTWM_H
#define TRUST_RANDOM_PCTWM_H

#include "base/prng.h"
#include "model/graph.h"

#define PCTWM_DEPTH 32 /* maximum reads drawn */

struct pctwm {
	u32 depth, history;    /* parameters */
	u64 longest, shortest; /* communications of executions; 0: none has ended */
	/* of this execution: */
	u64 count;		/* communications so far */
	u64 drawn[PCTWM_DEPTH]; /* their numbers, from 1 */
	u32 ndrawn;
	bool placed; /* stores have random places */
	u64 lowest;  /* priority */
	struct pctwm_thread {
		u64 priority; /* 0: not drawn yet */
		u32 arrived;  /* node at which it was counted last, + 1 */
		u32 idle;     /* reads of its local view since it saw another write */
		bool delayed; /* its next read was drawn */
		bool falls;   /* it was idle for too long */
	} thread[GRAPH_THREADS];
};

void pctwm_init(struct pctwm *p, u32 depth, u32 history);
/* An execution begins. / It has ended, by itself. */
void pctwm_begin(struct pctwm *p, struct prng *prng);
void pctwm_end(struct pctwm *p);

/* The thread below n with the highest priority that is not in the set `tried`; n: there is none. */
u32 pctwm_best(struct pctwm *p, struct prng *prng, u32 n, u64 tried);

/* Thread t is about to perform l, at this node of the cache. Has its priority fallen? */
bool pctwm_falls(struct pctwm *p, u32 t, u32 node, const struct label *l);

/* Order the choices of t's access, which are given newest first: the last one is to be tried
 * first. */
void pctwm_arrange(
	struct pctwm *p, struct prng *prng, u32 t, const struct label *l, u32 *choice, u32 n);

/* Is t's next read one that was drawn? */
static inline bool pctwm_is_delayed(const struct pctwm *p, u32 t)
{
	return p->thread[t].delayed;
}

/* Thread t has read; local: from its local view. */
void pctwm_has_read(struct pctwm *p, u32 t, bool local);

#endif
