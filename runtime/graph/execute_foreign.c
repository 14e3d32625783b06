/* SPDX-License-Identifier: ISC */
/*
 * execute_foreign.c - writes by code that is not instrumented, of locations of the graph: by the C
 * library, whose functions write to memory of their caller, and by other libraries.
 *
 * Such a call is an event itself, after which the thread's operations depend on all causes of the
 * call (trust/trust_past.c). Memory that it has changed (foreign_image.h) counts as accessed by the
 * caller; what belongs to locations has been written by plain writes of the caller, after the call
 * and before its next event. They are taken out of memory until the graph has them, as other
 * threads may come first. The code may call back, and write again afterwards: so memory is compared
 * at each of the thread's events until it is back where it called.
 *
 * A write that is found by a read, such as one by the kernel, counts as the reader's.
 */
#include "graph/execute_priv.h"
#include "base/prng.h"
#include "graph/foreign_image.h"
#include "graph/sharing.h"
#include "heap/fresh.h"
#include "heap/heap.h"
#include "machine/record/record.h"
#include "machine/wait/foreign.h"
#include "process/fiber.h"
#include "process/module.h"
#include "process/stack.h"

#define WRITES 512  /* of a call; more are found by the first read */
#define CALL   8    /* bytes of an instruction that calls, at most */
#define KNOWN  1024 /* stacks */
#define EVENTS 1000 /* of a thread after which it counts as back */

#define OWN_STACKS 16
#define OWN_SIZE   (1ull << 18) /* bytes from where they have been seen */

static struct foreign_write {
	u32 loc;
	u64 value;
} writes[GRAPH_THREADS][WRITES];

static u64 imaged; /* for whose call memory was kept: run << 32 | slot + 1; 0: for none */

/* --- memory ------------------------------------------------------------------- */

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

static u64 key_of_image(void)
{
	return (u64)X.run << 32 | (M.cur->slot + 1u);
}

/* --- values ----------------------------------------------------------------------------------- */

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

/* Those of a block that has been allocated since. */
static bool is_pattern(u32 loc, u64 value)
{
	const struct place *p = &X.places->place[loc];
	u64 v[2];

	execute_unpack(p->size, value, v);
	return fresh_has(p->addr, v, (1u << p->size) - 1);
}

/* --- the writes of a call --------------------------------------------------------------------- */

static struct follower *taking; /* the running thread */

static void note_limit(void)
{
	M.bounds |= BOUND_FOREIGN_WRITES;
}

/* The location has another value than `was': keep it for the graph. */
static void take_write(u32 loc, u64 was, u64 value)
{
	struct foreign_write *w = writes[taking - X.f];

	if (value == was || is_pattern(loc, value))
		return;
	if (taking->foreign_writes == WRITES) {
		note_limit();
		return;
	}
	w[taking->foreign_writes++] = (struct foreign_write){loc, value};
	set_memory(loc, was);
}

static u64 value_before(u32 loc)
{
	const struct place *p = &X.places->place[loc];
	u64 v[2] = {0, 0};

	return foreign_image_read(p->addr, p->size, v) ? execute_pack(p->size, v) : 0;
}

/* The locations of a word that the code has written to. */
static void take_locations(u64 word, u8 used)
{
	struct sharing_location l;
	u32 loc;

	for (u64 at = word; at < word + 8; at = l.addr + l.size) {
		l = (struct sharing_location){at, 1, false};
		if (!(used >> (at - word) & 1))
			continue;
		l = sharing_location(at);
		if (l.addr < word)
			continue; /* the second half of 16 bytes: the first one may be the same */
		loc = execute_intern(l.addr, l.size);
		take_write(loc, value_before(loc), value_in_memory(loc));
	}
}

static bool begins_again;

static void take_word(u64 word)
{
	u64 now[2] = {*(const u64 *)(uintptr_t)word};
	u8 used = 0;

	if (is_on_own_stack(word) || fresh_has(word, now, 0xff))
		return;
	switch (sharing_foreign(M.cur->slot, word, &used)) {
	case EXTENT_SHARED: take_locations(word, used); break;
	case EXTENT_REGION: region_end_all(); begins_again = true; break;
	case EXTENT_CHANGED: begins_again = true; break;
	case EXTENT_FULL: note_limit(); break;
	default: break;
	}
}

/* Variables of the callers, which other threads know. */
static void take_own_stack(const struct follower *f)
{
	u64 low = fiber_low(M.cur->slot), end = fiber_end(M.cur->slot);

	for (u32 loc = 1; X.places->stacks && loc <= X.places->n; loc++) {
		const struct place *p = &X.places->place[loc];
		u32 held;

		if (!p->size || p->cuts || p->addr < f->foreign_sp || p->addr < low ||
			p->addr >= end || p->addr - f->dead_low < f->dead_high - f->dead_low)
			continue;
		held = execute_held_write(loc);
		if (held)
			take_write(loc, graph_write_value(X.g, held, loc), value_in_memory(loc));
	}
}

/* Take the writes since the thread's last event out of memory. */
static void take_writes(struct follower *f)
{
	taking = f;
	f->foreign_writes = 0;
	foreign_image_changes(take_word);
	if (begins_again) {
		begins_again = false;
		imaged = 0;
		execute_begin_again();
	}
	take_own_stack(f);
}

void execute_foreign_before(u64 addr, u32 size, u64 v[2])
{
	memory_read(addr, size, v);
	if (unlikely(imaged == key_of_image()))
		foreign_image_read(addr, size, v);
}

static void keep_memory(const struct foreign_range *range)
{
	static const struct foreign_range none;

	if (range && range->start - fiber_low(M.cur->slot) <
			fiber_end(M.cur->slot) - fiber_low(M.cur->slot))
		range = &none; /* see take_own_stack() */
	if (foreign_image_take(range)) {
		imaged = key_of_image();
		return;
	}
	imaged = 0;
	note_limit();
}

/* --- the call --------------------------------------------------------------------------------- */

/* Of which code could this word be a return address? */
static const struct module *module_of_return(u64 word)
{
	const struct module *m = module_find(word);

	return m && word >= m->text + CALL && word < m->text_end &&
			       arch_is_behind_call((const u8 *)(uintptr_t)word)
		       ? m
		       : NULL;
}

/* The same where the module is instrumented in part: the function that the word below the stack
 * pointer at the call returns from. */
static bool is_in_part(const struct follower *f)
{
	u64 back = ((const u64 *)(uintptr_t)f->foreign_sp)[-1], called;
	const struct module *m = module_find(back);

	if (!m || back < m->text + CALL || back >= m->text_end)
		return false;
	called = arch_called(back);
	return called && !module_is_instrumented(called);
}

/* Has a function that is not instrumented called the running one, or one of its callers, since? */
static bool is_called_back(const struct follower *f)
{
	const struct module *m;
	const u64 *frames;
	u64 sp, cfa;
	u32 id = stack_capture(), last;

	if (id && stack_is_above(id, f->foreign_sp))
		return false; /* the innermost frame, but for the runtime's, is the caller's */
	if (!id || !stack_frame_of(id, f->foreign_sp - 1, &last, &sp, &cfa))
		return true;
	stack_frames(id, &frames);
	for (u32 i = 0; i <= last; i++) {
		m = module_of_return(frames[i]);
		if (m && !m->instrumented)
			return true;
	}
	return false;
}

/* The same, without the unwinder for a stack with the same words in the same places. */
static bool is_called_back_again(const struct follower *f, u64 words)
{
	static struct {
		u64 words;
		bool back;
	} known[KNOWN];
	u32 slot = (u32)words % KNOWN;

	if (known[slot].words != words) {
		known[slot].back = is_called_back(f);
		known[slot].words = words;
	}
	return known[slot].back;
}

/* Is the running thread in the code that it has called, or below it? Then the stack has one of its
 * return addresses; so may the uninitialised variables of functions which it has called since. On a
 * stack of its own making, the thread counts as back. */
static bool is_in_call(const struct follower *f)
{
	u64 here = (u64)(uintptr_t)__builtin_frame_address(0), words = 1;
	bool may_be = false;

	if (here >= f->foreign_sp || !is_of_fiber(here) || !is_of_fiber(f->foreign_sp))
		return false;
	if (f->foreign_part)
		return is_in_part(f);
	for (u64 at = here; at < f->foreign_sp; at += 8) {
		u64 word = *(const u64 *)(uintptr_t)at;
		const struct module *m = module_of_return(word);

		may_be |= m && !m->instrumented;
		if (m)
			words = prng_mix(words ^ prng_mix(word) ^ (f->foreign_sp - at));
	}
	if (!may_be)
		return false;
	if (!X.unwinds) {
		X.unwinds = true;
		execute_begin_again();
	}
	return is_called_back_again(f, words);
}

void execute_foreign_call(
	const struct module *m, u64 site, u64 sp, const struct foreign_range *range)
{
	struct follower *f = &X.f[M.cur->slot];

	execute_frames_unknown();
	if (!X.begun)
		return;
	if (M.nthreads > 1)
		execute_operation(LABEL_CALLED, 0, 0);
	f->foreign_inside = f->foreign_inside && !f->foreign_leaf && is_in_call(f);
	if (f->foreign_inside) { /* it has called back */
		keep_memory(NULL);
		return;
	}
	f->foreign_site = f->foreign_writes = 0;
	f->foreign_asks = false;
	if (!m)
		return;
	note_own_stack(sp);
	f->foreign_site = (u32)site;
	f->foreign_stack = M.recording && !record.lean ? stack_capture() : 0;
	f->foreign_part = m->instrumented;
	f->foreign_sp = sp;
	f->foreign_inside = true;
	f->foreign_leaf = range;
	f->foreign_events = 0;
	keep_memory(range);
}

void execute_foreign_begin(struct follower *f)
{
	bool was_inside = f->foreign_inside;

	if (!was_inside) {
		f->foreign_site = 0;
		return;
	}
	if (imaged == key_of_image()) {
		take_writes(f);
		imaged = 0;
	}
	f->foreign_inside = !f->foreign_leaf && is_in_call(f);
	if (f->foreign_inside && f->foreign_events++ == EVENTS) {
		note_limit();
		f->foreign_inside = false;
	}
}

/* An event that may order others before the next reads of the code. */
static bool is_ordering(const struct label *l)
{
	return l->type != LABEL_PLAIN_READ && l->type != LABEL_PLAIN_WRITE &&
	       l->type != LABEL_CHOOSE;
}

void execute_foreign_resume(struct follower *f, const struct label *l)
{
	if (!f->foreign_inside)
		return;
	keep_memory(NULL);
	f->foreign_asks |= is_ordering(l);
}

/* --- their events ----------------------------------------------------------------------------- */

/* A call, and where the code continues after an event. */
static const struct label called = {.type = LABEL_CHOOSE, .op = LABEL_CALLED, .value = 1};

static void label_write(struct label *write, u32 loc, u32 site, u64 value)
{
	*write = (struct label){.type = LABEL_PLAIN_WRITE,
		.loc = loc,
		.size = (u8)X.places->place[loc].size,
		.flags = LABEL_FOREIGN,
		.site = site,
		.value = value};
}

bool execute_foreign_write(struct follower *f, const struct label *l, struct label *write)
{
	const struct foreign_write *w = writes[f - X.f];
	u16 piece[PIECES_MAX];
	u64 value;
	u32 n;

	if (f->foreign_asks && l->type != LABEL_LEAVE) {
		*write = called;
		return true;
	}
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

	if (f->foreign_asks && label_equal(was, &called)) {
		f->foreign_asks = false;
		return true;
	}
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
