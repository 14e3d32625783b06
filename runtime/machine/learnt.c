/* SPDX-License-Identifier: ISC */
/* learnt.c - see learnt.h. */
#include "machine/learnt.h"
#include "machine/core.h"
#include "process/shared.h"

static u64 *known;		   /* of all processes */
static u64 adopted[LEARNT_KINDS]; /* in use */
static void (*on_adoption)(void);
bool learnt_changed;

void learnt_begin(const u64 facts[LEARNT_KINDS], void (*call)(void))
{
	if (!known)
		known = shared_pages(sizeof adopted);
	BUG_ON(!known);
	for (u32 i = 0; i < LEARNT_KINDS; i++)
		known[i] = facts[i];
	on_adoption = call;
	learnt_adopt();
}

u64 learnt_known(enum learnt what)
{
	return adopted[what];
}

void learnt_adopt(void)
{
	for (u32 i = 0; known && i < array_size(adopted); i++)
		adopted[i] = known[i];
	learnt_changed = false;
	if (on_adoption)
		on_adoption();
}

void learnt_add(enum learnt what, u64 bit)
{
	if (likely(adopted[what] & bit))
		return;
	learnt_note(what, bit);
	M.engine->learnt();
}

void learnt_note(enum learnt what, u64 bit)
{
	__atomic_fetch_or(&known[what], bit, __ATOMIC_RELAXED);
	learnt_changed = true;
}
