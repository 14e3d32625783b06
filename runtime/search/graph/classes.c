/* SPDX-License-Identifier: ISC */
/* classes.c - see classes.h. */
#include "search/graph/classes.h"
#include "base/table.h"

#include <string.h>

#define FIRST	   4096 /* executions before the first decision */
#define SLOTS	   (2 * CLASSES_PROBE)
#define COST_OF_RF 2 /* an execution of rf takes at least so many times that of rf+co */

static u64 seen[SLOTS]; /* hashes of reads-from functions, 0: free */
static u32 nseen, nexecutions;
static bool on;

void classes_begin(void)
{
	memset(seen, 0, sizeof seen);
	nseen = nexecutions = 0;
	on = true;
}

bool classes_wanted(void)
{
	return on;
}

static u64 mix_bits(u64 v)
{
	v = (v ^ v >> 32) * 0xd6e8feb86659fd93u;
	return v ^ v >> 32;
}

static u64 event_name(const struct graph *g, u32 e)
{
	return (u64)g->event[e].thread << 16 | g->event[e].index;
}

/* The hash does not depend on the order in which events were added. */
static u64 hash_rf(const struct graph *g)
{
	u64 sum = 1;

	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *ev = &g->event[e];

		if (ev->flags & E_READ)
			sum += mix_bits(event_name(g, e) << 32 | (ev->rf ? event_name(g, ev->rf)
				: 0));
		else if (ev->type == LABEL_CHOOSE)
			sum += mix_bits(event_name(g, e) << 32 | ev->value);
	}
	return sum ? sum : 1;
}

void classes_note(const struct graph *g)
{
	u64 h;
	u32 i;

	if (likely(!on) || nexecutions == CLASSES_PROBE)
		return;
	nexecutions++;
	h = hash_rf(g);
	TABLE_FIND(i, h, SLOTS, !seen[i] || seen[i] == h);
	nseen += !seen[i];
	seen[i] = h;
}

static bool is_fewer(void)
{
	return nseen * COST_OF_RF < nexecutions;
}

bool classes_enough(void)
{
	return unlikely(on) && nexecutions >= FIRST && is_fewer();
}

bool classes_end(void)
{
	on = false;
	return is_fewer();
}
