/* SPDX-License-Identifier: ISC */
/*
 * agent_table.h - the agents that a strategy has seen in an execution: small numbers for them.
 *
 * A hash table; once it is full, further agents share the numbers of others.
 */
#ifndef EXPLORE_AGENT_TABLE_H
#define EXPLORE_AGENT_TABLE_H

#include "base/prng.h"
#include "base/table.h"

#define AGENTS_BITS 10
#define AGENTS	    (1u << AGENTS_BITS)

struct agent_table {
	u32 id[AGENTS];
	bool taken[AGENTS];
	u32 used[AGENTS]; /* the taken slots, so that clearing takes time for these only */
	u32 nused;
};

static inline void agent_table_clear(struct agent_table *a)
{
	while (a->nused)
		a->taken[a->used[--a->nused]] = false;
}

/* Most agents are threads, small numbers: one multiplication is enough. */
static inline u32 agent_hash(u32 id)
{
	return id * 0x9e3779b1u >> (32 - AGENTS_BITS);
}

/* The agent's number; *fresh: it is new. */
static inline u32 agent_table_find(struct agent_table *a, u32 id, bool *fresh)
{
	u32 slot, probes = 0;

	TABLE_FIND(slot, agent_hash(id), AGENTS,
		!a->taken[slot] || a->id[slot] == id || probes++ == AGENTS / 2);
	*fresh = !a->taken[slot];
	if (*fresh) {
		a->id[slot] = id;
		a->taken[slot] = true;
		a->used[a->nused++] = slot;
	}
	return slot;
}

#endif
