/* SPDX-License-Identifier: ISC */
/* learnt.c - see learnt.h. */
#include "machine/learnt.h"
#include "machine/core.h"
#include "process/shared.h"

#include <string.h>

static u64 *known;		   /* of all processes */
static u64 adopted[LEARNT_KINDS]; /* in use */
static void (*on_adoption)(void);
bool learnt_changed;

/* The options, all of them numbers. */
static const size_t field[LEARNT_KINDS] = {
	[LEARNT_CANCELLED] = offsetof(struct options, cancelled),
	[LEARNT_SIGNALLED] = offsetof(struct options, signalled),
	[LEARNT_SIGNALS] = offsetof(struct options, signals),
	[LEARNT_UNSAFE] = offsetof(struct options, unsafe),
	[LEARNT_STREAM_LOCKS] = offsetof(struct options, stream_locks),
	[LEARNT_FOREIGN] = offsetof(struct options, foreign),
	[LEARNT_PATHS] = offsetof(struct options, paths),
	[LEARNT_SERIAL_ROUNDS] = offsetof(struct options, serial_rounds),
	[LEARNT_STANDARD] = offsetof(struct options, standard),
};

void learnt_begin(const struct options *o, void (*call)(void))
{
	if (!known)
		known = shared_pages(sizeof adopted);
	BUG_ON(!known);
	for (u32 i = 0; i < LEARNT_KINDS; i++)
		memcpy(&known[i], (const char *)o + field[i], sizeof known[i]);
	on_adoption = call;
	learnt_adopt();
}

void learnt_put(struct options *o)
{
	for (u32 i = 0; i < LEARNT_KINDS; i++)
		memcpy((char *)o + field[i], &adopted[i], sizeof adopted[i]);
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
