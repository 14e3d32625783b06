/* SPDX-License-Identifier: ISC */
/*
 * execute_foreign.c - writes by code that is not instrumented, of locations of the graph: by the C
 * library, whose functions write to memory of their caller. For other libraries see
 * machine/foreign.h.
 *
 * Such code has written to a location if memory differs from the last write that it holds or, if
 * there is none in this execution, from its contents before the call. The writes are plain ones of
 * the thread that called the code, after the call and before its next event. They are taken out of
 * memory until the graph has them, as other threads may come first. The code may call back, and
 * write again afterwards: locations are compared at each of the thread's events until it is back
 * where it called.
 *
 * A location that becomes known after such a call may have been written by it: the exploration
 * begins again, now that it is known. A write that is found by a read, such as one by the kernel,
 * counts as the reader's.
 */
#include "graph/execute_priv.h"
#include "graph/sharing.h"
#include "heap/fresh.h"
#include "heap/heap.h"
#include "process/fiber.h"
#include "process/module.h"

#define WRITES 64   /* of a call; more are found by the first read */
#define SLACK  512  /* bytes of stack that entries of the runtime use, at most */
#define EVENTS 1000 /* of a thread after which it counts as back */
#define LATE   500  /* locations for which the exploration begins again */

#define OWN_STACKS 16
#define OWN_SIZE   (1ull << 18) /* bytes from where they have been seen */

static struct foreign_write {
	u32 loc;
	u64 value;
} writes[GRAPH_THREADS][WRITES];

static bool is_of_fiber(u64 addr)
{
	return addr - FIBER_STACKS < (u64)THREADS_MAX * FIBER_STACK_STRIDE;
}

/* Where threads have run on stacks of their own making, in variables or blocks. */
static u64 own_stack[OWN_STACKS];
static u32 nown_stacks;

static bool is_on_own_stack(u64 addr)
{
	for (u32 i = 0; i < nown_stacks; i++)
		if (addr - own_stack[i] + OWN_SIZE < 2 * OWN_SIZE)
			return true;
	return false;
}

static void note_own_stack(u64 sp)
{
	if (!is_of_fiber(sp) && nown_stacks < OWN_STACKS && !is_on_own_stack(sp))
		own_stack[nown_stacks++] = sp;
}

/* Memory that is there as long as the execution, and has no value but those that are stored. */
static bool is_lasting(u64 addr)
{
	return (addr - ARENA_BASE < ARENA_SPAN || module_has_variable(addr)) &&
	       !is_on_own_stack(addr);
}

/* Locations may become smaller from one execution to the next. */
static bool is_compared(u32 loc)
{
	const struct place *p = &X.places->place[loc];
	struct known_value *k = &X.known[loc];

	if (k->looked != X.run) {
		k->looked = X.run;
		k->lasting = p->size && !p->cuts && !p->span && is_lasting(p->addr) &&
			     sharing_is_location(p->addr, p->size);
	}
	return k->lasting;
}

static u64 value_in_memory(u32 loc)
{
	const struct place *p = &X.places->place[loc];
	u64 v[2];

	memory_read(p->addr, p->size, v);
	return execute_pack(p->size, v);
}

/* Does memory differ from the last write? On a stack it may be older than the variable. */
static bool is_foreign(u32 loc, u64 *value)
{
	const struct place *p = &X.places->place[loc];

	if (!p->size || is_of_fiber(p->addr))
		return false;
	*value = value_in_memory(loc);
	return *value != graph_write_value(X.g, execute_held_write(loc), loc);
}

static void set_memory(u32 loc, u64 value)
{
	const struct place *p = &X.places->place[loc];
	u64 v[2];

	execute_unpack(p->size, value, v);
	memory_write(p->addr, p->size, v);
}

/* Locations without a write have these contents. */
static void note_contents(void)
{
	for (u32 loc = 1; loc <= X.places->n; loc++)
		if (X.known[loc].run != X.run && is_compared(loc)) {
			X.known[loc].run = X.run;
			X.known[loc].value = value_in_memory(loc);
		}
}

/* What memory is to contain, or false: unknown. */
static bool find_contents(u32 loc, u64 *value)
{
	u32 held = execute_held_write(loc);

	*value = held ? graph_write_value(X.g, held, loc) : X.known[loc].value;
	return held || X.known[loc].run == X.run;
}

/* The contents of a block that has been allocated since. */
static bool is_pattern(u32 loc, u64 value)
{
	const struct place *p = &X.places->place[loc];
	u64 v[2];

	execute_unpack(p->size, value, v);
	return fresh_has(p->addr, v, (1u << p->size) - 1);
}

/* Take the writes since the thread's last event out of memory. */
static void take_writes(struct follower *f, struct foreign_write *w)
{
	u64 value, was;

	f->foreign_writes = 0;
	for (u32 loc = 1; loc <= X.places->n && f->foreign_writes < WRITES; loc++) {
		if (!is_compared(loc) || !find_contents(loc, &was))
			continue;
		value = value_in_memory(loc);
		if (value == was || is_pattern(loc, value))
			continue;
		w[f->foreign_writes++] = (struct foreign_write){loc, value};
		set_memory(loc, was);
		if (X.unseen[loc]) {
			X.unseen[loc] = false;
			X.places->place[loc].init = was;
		}
	}
}

bool execute_foreign_is_late(u64 addr, u32 size)
{
	static u32 times;
	u64 v[2];

	note_own_stack((u64)(uintptr_t)__builtin_frame_address(0));
	if (X.foreign_run != X.run || times == LATE || !is_lasting(addr))
		return false;
	memory_read(addr, size, v);
	times += !fresh_has(addr, v, (1u << size) - 1);
	return !fresh_has(addr, v, (1u << size) - 1);
}

void execute_foreign_call(u64 site)
{
	struct follower *f = &X.f[M.cur->slot];

	execute_frames_unknown();
	if (!X.begun)
		return;
	if (M.nthreads > 1)
		execute_operation(LABEL_CALLED, 0, 0);
	f->foreign_site = f->foreign_writes = 0;
	if (!site)
		return;
	note_contents();
	X.foreign_run = X.run;
	f->foreign_site = (u32)site;
	f->foreign_sp = (u64)(uintptr_t)__builtin_frame_address(0);
	f->foreign_events = 0;
}

void execute_foreign_begin(struct follower *f)
{
	if (f->foreign_events == EVENTS)
		f->foreign_site = 0;
	else
		take_writes(f, writes[f - X.f]);
	if (++f->foreign_events > EVENTS ||
		(u64)(uintptr_t)__builtin_frame_address(0) + SLACK >= f->foreign_sp)
		f->foreign_events = EVENTS;
}

static void label_write(struct label *write, u32 loc, u32 site, u64 value)
{
	*write = (struct label){.type = LABEL_PLAIN_WRITE,
		.loc = loc,
		.size = (u8)X.places->place[loc].size,
		.site = site,
		.value = value};
}

bool execute_foreign_write(struct follower *f, const struct label *l, struct label *write)
{
	const struct foreign_write *w = writes[f - X.f];
	u16 piece[PIECES_MAX];
	u64 value;
	u32 n;

	if (f->foreign_writes) {
		label_write(write, w->loc, f->foreign_site, w->value);
		return true;
	}
	n = place_pieces(X.places, l->loc, piece);
	for (u32 i = 0; i < n; i++) {
		if (!is_foreign(piece[i], &value))
			continue;
		label_write(write, piece[i], l->site, value);
		return true;
	}
	return false;
}

bool execute_foreign_passes(struct follower *f, const struct label *l, const struct gevent *e)
{
	struct foreign_write *w = writes[f - X.f];
	const struct label *was = &X.cache->node[e->node].label;
	u64 value;
	u32 i = 0;

	if (e->type != LABEL_PLAIN_WRITE || !f->foreign_site || was->site != f->foreign_site)
		return false;
	while (i < f->foreign_writes && w[i].loc != e->loc)
		i++;
	value = i < f->foreign_writes ? w[i].value : value_in_memory(e->loc);
	if (value != e->value)
		execute_diverge(M.cur, was, l);
	if (i < f->foreign_writes)
		w[i] = w[--f->foreign_writes];
	return true;
}

void execute_foreign_leave(struct follower *f)
{
	const struct foreign_write *w = writes[f - X.f];

	while (f->foreign_writes) {
		f->foreign_writes--;
		set_memory(w[f->foreign_writes].loc, w[f->foreign_writes].value);
	}
}
