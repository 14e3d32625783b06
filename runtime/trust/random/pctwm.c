/* SPDX-License-Identifier: ISC */
/* pctwm.c - see pctwm.h. */
#include "trust/random/pctwm.h"
#include "object/object.h"

#include <string.h>

#define PLACED 4  /* in one of so many executions stores have random places */
#define IDLE   64 /* reads of the local view, or those of the shortest execution, if more */

/* Priorities: at first; of threads that were drawn; of those that have been idle. */
#define FIRST (1ull << 62)
#define DRAWN (1ull << 61)

void pctwm_init(struct pctwm *p, u32 depth, u32 history)
{
	memset(p, 0, sizeof *p);
	p->depth = depth < PCTWM_DEPTH ? depth : PCTWM_DEPTH;
	p->history = history;
}

static bool is_drawn(const struct pctwm *p, u64 number, u32 *i)
{
	for (*i = 0; *i < p->ndrawn; ++*i)
		if (p->drawn[*i] == number)
			return true;
	return false;
}

/* Different ones, in a random order: the priorities of their threads are in that order. Any number
 * of them, as a bug of depth 2 may not show if another communication is drawn as well. */
static void draw(struct pctwm *p, struct prng *prng)
{
	u32 n = p->depth ? prng_below(prng, p->depth) : 0, range, i;

	range = p->longest < UINT32_MAX ? (u32)p->longest : UINT32_MAX;
	n = n < range ? n : range;
	for (p->ndrawn = 0; p->ndrawn < n;) {
		u64 number = 1 + prng_below(prng, range);

		if (!is_drawn(p, number, &i))
			p->drawn[p->ndrawn++] = number;
	}
}

void pctwm_begin(struct pctwm *p, struct prng *prng)
{
	memset(p->thread, 0, sizeof p->thread);
	p->count = 0;
	p->lowest = DRAWN;
	p->placed = !prng_below(prng, PLACED);
	draw(p, prng);
}

void pctwm_end(struct pctwm *p)
{
	if (p->count > p->longest)
		p->longest = p->count;
	if (!p->shortest || p->count < p->shortest)
		p->shortest = p->count;
}

u32 pctwm_best(struct pctwm *p, struct prng *prng, u32 n, u64 tried)
{
	u32 best = n;

	for (u32 t = 0; t < n; t++) {
		u64 *priority = &p->thread[t].priority;

		if (!*priority)
			*priority = FIRST + (prng_next(prng) >> 3);
		if (!(tried >> t & 1) && (best == n || *priority > p->thread[best].priority))
			best = t;
	}
	return best;
}

/* Can other threads make a difference to it? An unlock has the state of its own lock. */
static bool communicates(const struct label *l)
{
	if (l->type == LABEL_SYNC)
		return !object_op_has(l->op, OP_LOCK) || object_op_has(l->op, OP_WAITS | OP_TRIES);
	return label_reads(l) && l->type != LABEL_PLAIN_READ;
}

bool pctwm_falls(struct pctwm *p, u32 t, u32 node, const struct label *l)
{
	struct pctwm_thread *thread = &p->thread[t];
	u32 i;

	if (!communicates(l) || thread->arrived == node + 1)
		return false;
	thread->arrived = node + 1;
	if (!is_drawn(p, ++p->count, &i))
		return false;
	thread->priority = DRAWN + i;
	thread->delayed = true;
	return true;
}

static void swap(u32 *a, u32 *b)
{
	u32 old = *a;

	*a = *b;
	*b = old;
}

void pctwm_arrange(
	struct pctwm *p, struct prng *prng, u32 t, const struct label *l, u32 *choice, u32 n)
{
	const struct pctwm_thread *thread = &p->thread[t];
	bool reads = label_reads(l);
	u32 range;

	if (reads && !thread->delayed && !thread->falls)
		return;
	for (u32 i = 0; i < n / 2; i++)
		swap(&choice[i], &choice[n - 1 - i]);
	range = reads ? thread->delayed ? p->history : 1 : p->placed ? n : 1;
	range = range < n ? range : n;
	swap(&choice[n - 1], &choice[n - 1 - prng_below(prng, range)]);
}

void pctwm_has_read(struct pctwm *p, u32 t, bool local)
{
	struct pctwm_thread *thread = &p->thread[t];

	thread->delayed = thread->falls = false;
	thread->idle = local ? thread->idle + 1 : 0;
	if (thread->idle <= IDLE || thread->idle <= p->shortest)
		return;
	thread->idle = 0;
	thread->falls = true;
	thread->priority = --p->lowest;
}
