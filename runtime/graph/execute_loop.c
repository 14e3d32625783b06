/* SPDX-License-Identifier: ISC */
/* execute_loop.c - spin loops of threads that follow a graph: states that recur are LABEL_SPIN. See
 * loop_state.h. */
#include "graph/execute_priv.h"
#include "graph/own_memory.h"
#include "graph/tally.h"
#include "object/object.h"
#include "process/bytes.h"
#include "process/module.h"

#include <stdio.h>

/* The running thread was in its present state so many reads ago; 0: never. It continues if others
 * may have observed that it left that state. */
static void note_return(u64 site, u64 reads)
{
	struct follower *f = &X.f[M.cur->slot];
	struct label l = {.type = LABEL_SPIN, .site = (u32)site, .value = reads};

	if (likely(!reads))
		return;
	if (!f->loops.again)
		execute_step(&l); /* does not return: it is the last event */
	region_needs_steps(f->loops.again);
	f->again = (u16)f->loops.again;
	loop_state_reset(&f->loops);
}

#define TURNS_MANY 128

/* The same load repeatedly, but never in the same state. */
static void note_iterations(u64 place)
{
	const struct module *m = module_find(place);

	if (m && !M.status->held[0])
		snprintf(M.status->held, sizeof M.status->held,
			"each iteration count of a loop is a separate execution: %s was at "
			"%s+0x%llx",
			thread_words(M.cur->number), m->path,
			(unsigned long long)(place - 1 - m->base));
}

static void begin_again_if_learnt(struct loop_states *s)
{
	if (likely(!s->learnt))
		return;
	s->learnt = false;
	execute_begin_again();
}

void execute_loop_access(void)
{
	struct loop_states *s = &X.f[M.cur->slot].loops;
	u32 reads;

	if (!X.begun)
		return;
	reads = loop_state_at_access(s, machine_frame);
	begin_again_if_learnt(s);
	own_memory_state_kept();
	note_return(machine_frame->return_address, reads);
	if (unlikely(reads))
		loop_state_at_access(s, machine_frame); /* kept, as a new beginning */
	if (unlikely(s->loads == TURNS_MANY))
		note_iterations(machine_frame->return_address);
}

bool execute_loop_head(const struct loop_visit *v, u64 site)
{
	struct loop_states *s = &X.f[M.cur->slot].loops;
	bool moved = false;
	u32 reads;

	if (s->waits && loop_state_has_waited(s, v)) {
		region_leave();
		X.f[M.cur->slot].again = LABEL_WAITED;
	}
	reads = X.begun ? loop_state_at_head(s, v, &moved) : 0;
	begin_again_if_learnt(s);
	note_return(site, reads);
	if (unlikely(reads))
		loop_state_at_head(s, v, &moved);
	if (moved)
		region_leave();
	own_memory_state_kept();
	X.f[M.cur->slot].skips |= moved;
	execute_wipe();
	return moved;
}

void execute_own_write(u64 addr, u32 size, const void *from)
{
	if (!bytes_equal((const void *)(uintptr_t)addr, from, size))
		loop_state_own_write(&X.f[M.cur->slot].loops, addr, size);
}

void execute_hands_over(const void *p)
{
	if (X.begun)
		loop_state_block(&X.f[M.cur->slot].loops, (u64)(uintptr_t)p);
}

void execute_await(bool again)
{
	struct label l = {.type = LABEL_SPIN, .value = X.f[M.cur->slot].loops.reads};

	if (again && l.value)
		execute_step(&l); /* does not return */
	execute_progress();
}

void execute_repeat(struct label *l)
{
	l->type = LABEL_SPIN;
	l->op = OBJECT_CHANNEL_LOOK;
	l->value = X.f[M.cur->slot].loops.reads;
	M.cur->late = false;
	while (!M.cur->late)
		execute_step(l);
	execute_progress();
}

void execute_progress(void)
{
	loop_state_reset(&X.f[M.cur->slot].loops);
}

void execute_affects(u64 what, u64 before, u64 after)
{
	loop_state_effect(&X.f[M.cur->slot].loops, what, before, after);
}

void execute_adds(u64 what, u64 before, u64 after, const struct label *l)
{
	loop_state_add(&X.f[M.cur->slot].loops,
		&(struct loop_effect){what, before, after, ~0ull >> (64 - 8 * l->size),
			l->fail > HEDDLE_RESULT_UNUSED, l->fail == HEDDLE_RESULT_UNUSED});
}

/* --- tallies ---------------------------------------------------------------------------------- */

/* May only one thread access a tally atomically, in this model? */
static bool is_for_one(void)
{
	return model_is_hardware(M.model) || model_of((enum model_id)M.model)->is_file;
}

void execute_know_tallies(void)
{
	for (u32 i = 1; i <= X.places->n; i++) {
		struct place *p = &X.places->place[i];

		p->tally = p->tally && tally_has(p->addr, p->size);
	}
}

static bool counts_there(u64 addr, u32 size, enum tally_access how)
{
	if (unlikely(X.variables) || tally_is_refused(addr, size))
		return false;
	if (tally_count(addr, size, M.cur->slot, how, is_for_one()))
		execute_begin_again();
	X.f[M.cur->slot].loops.counting = true;
	return true;
}

bool execute_load_counts(u64 addr, u64 size, u32 bytes, enum tally_access how)
{
	if (likely(!(bytes & HEDDLE_USED_COUNTS))) {
		if (unlikely(tally_any()) && tally_use(addr, size))
			execute_begin_again();
		return false;
	}
	X.f[M.cur->slot].counts = addr;
	return counts_there(addr, (u32)size, how);
}

bool execute_store_counts(u64 addr, u32 size, enum tally_access how)
{
	struct follower *f = &X.f[M.cur->slot];

	if (likely(f->counts != addr))
		return false;
	f->counts = 0;
	return counts_there(addr, size, how);
}

bool execute_update_counts(u64 addr, u32 size, bool counts_only)
{
	if (counts_only)
		return tally_has(addr, size) && counts_there(addr, size, TALLY_UPDATE);
	if (unlikely(tally_any()) && tally_use(addr, size))
		execute_begin_again();
	return false;
}

void execute_counted(u64 addr, u32 size)
{
	struct loop_states *s = &X.f[M.cur->slot].loops;
	u32 loc = size && tally_has(addr, size) ? place_find(X.places, addr, size) : 0;

	s->counting = false;
	if (loc)
		X.places->place[loc].tally = true;
	if (size)
		loop_state_count(s, addr, size);
}

void execute_stores(u64 addr, u32 n, const u8 *from)
{
	loop_state_store(&X.f[M.cur->slot].loops, addr, n, from);
}
