/* SPDX-License-Identifier: ISC */
/* execute_promote.c - promoted races: their locations become atomic (--races=promote). */
#include "graph/execute_priv.h"
#include "process/shared.h"

#define PROMOTED 256

/* The locations of all processes, in shared memory; NULL: there is one process. */
static struct promoted {
	u32 n;
	struct {
		u64 addr;
		u32 size;
	} at[PROMOTED];
} *promoted;

static bool promotes; /* this process has */

void execute_promote_none(void)
{
	promotes = false;
	if (promoted)
		promoted->n = 0;
}

void execute_promote_begin(void)
{
	if (!promoted)
		promoted = shared_pages(sizeof *promoted);
	BUG_ON(!promoted);
	promoted->n = 0;
}

static void tell_promoted(u64 addr, u32 size)
{
	if (!promoted || promoted->n == PROMOTED)
		return;
	for (u32 i = 0; i < promoted->n; i++)
		if (promoted->at[i].addr == addr && promoted->at[i].size == size)
			return;
	shared_lock();
	promoted->at[promoted->n].addr = addr;
	promoted->at[promoted->n++].size = size;
	shared_unlock();
}

bool execute_promotes(void)
{
	return promotes || (promoted && promoted->n);
}

bool execute_promotes_races(void)
{
	return M.options->races == RACES_PROMOTE ||
	       (M.options->races == RACES_AUTO &&
		       (execute_promotes() || model_is_hardware(M.model)));
}

bool execute_is_promoted(u32 loc)
{
	return X.promoted[loc];
}

void execute_promote(u32 loc)
{
	tell_promoted(X.places->place[loc].addr, X.places->place[loc].size);
	X.promoted[loc] = X.places->place[loc].atomic = promotes = true;
}

static void promote_at(u64 addr, u32 size)
{
	u32 loc = place_find(X.places, addr, size);

	if (!loc) {
		loc = place_intern(X.places, addr, size, 0);
		X.unseen[loc] = true;
	}
	execute_promote(loc);
}

void execute_promote_again(void)
{
	for (u32 i = 0; i < promoted->n; i++)
		promote_at(promoted->at[i].addr, promoted->at[i].size);
}
