/* SPDX-License-Identifier: ISC */
/* own_memory.c - see own_memory.h. */
#include "graph/own_memory.h"
#include "graph/execute_priv.h"
#include "heap/fresh.h"
#include "heap/heap_check.h"
#include "heap/uninit.h"

static bool allowed;   /* in this execution */
static u32 few;	       /* accesses until they are noted */
static u64 last_clock; /* of an epoch of stores */

static void end_store_epoch(struct thread *t)
{
	t->store_epoch = t->epoch | ++last_clock << WORD_CLOCK;
}

void own_memory_thread(u32 slot)
{
	struct thread *t = &M.thread[slot];

	if (!allowed)
		return;
	t->epoch = private_execution | (u64)slot << WORD_THREAD | WORD_BYTES;
	end_store_epoch(t);
}

static void begin_epochs(void)
{
	private_next_execution();
	last_clock = 0;
	few = OWN_FEW;
}

void own_memory_renew(void)
{
	if (!allowed)
		return;
	begin_epochs();
	for (u64 left = X.alive; left; left &= left - 1)
		own_memory_thread((u32)__builtin_ctzll(left));
}

void own_memory_begin(bool on)
{
	allowed = on && granules_map();
	if (allowed)
		begin_epochs();
}

void own_memory_run(bool on)
{
	private_quick = on && allowed;
}

void own_memory_state_kept(void)
{
	if (!allowed || few)
		return;
	if (unlikely(last_clock >= WORD_CLOCK_MAX - GRAPH_THREADS))
		own_memory_renew();
	else
		end_store_epoch(M.cur);
}

/* May a load from here be one of memory that was never stored to? */
static bool may_be_fresh(u64 at)
{
	u64 differs;

	if (!access_is_watched(at))
		return false;
	differs = *(const volatile u64 *)(uintptr_t)at ^ fresh_word(at);
	return !(u32)differs || !(differs >> 32);
}

static void note_own_word(u64 *word, u64 epoch, u64 bytes)
{
	*word = (word_has(*word, epoch, 0) ? *word : epoch & ~WORD_BYTES) | bytes;
}

void own_memory_note(u64 addr, u32 size, bool write)
{
	u64 at = addr & ~(u64)(GRANULE_SIZE - 1), bytes = granule_bytes(at, addr, size);
	const struct thread *t = M.cur;
	struct granule *g;

	if (likely(!private_quick) || (few && --few))
		return;
	private_left = INT32_MAX;
	g = granule_need(at);
	if (!g || (write ? !loop_state_knows_write(&X.f[t->slot].loops, addr, size)
			 : may_be_fresh(at)))
		return;
	if (!word_is_now(g->write)) {
		*granule_page(at) = private_execution;
		*g = (struct granule){private_execution, 0};
	}
	if (write)
		note_own_word(&g->write, t->store_epoch, bytes);
	note_own_word(&g->read, t->epoch, bytes);
}
