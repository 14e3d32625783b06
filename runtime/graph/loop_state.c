/* SPDX-License-Identifier: ISC */
/* loop_state.c - see loop_state.h. */
#include "graph/loop_state.h"
#include "process/bytes.h"
#include "process/fiber.h"
#include "heap/heap.h"

/* --- own memory ------------------------------------------------------------------------------ */

static void note(struct turn *t, u64 addr, u32 size)
{
	struct turn_write *w;

	if (!t->ndoors && !t->nheads)
		return; /* nothing to compare with later */
	for (u32 i = t->fresh; i < t->nwrites; i++)
		if (t->write[i].addr == addr && t->write[i].size == size)
			return;
	if (t->nwrites == TURN_WRITES) {
		turn_changes(t);
		return;
	}
	w = &t->write[t->nwrites++];
	*w = (struct turn_write){.addr = addr, .size = size};
	bytes_copy(&w->before, (const void *)(uintptr_t)addr, size);
	INVARIANT(turn_check(t));
}

void turn_writes(struct turn *t, u64 addr, u32 size)
{
	note(t, addr, size);
}

void turn_hands_over(struct turn *t, u64 addr)
{
	note(t, addr, 0);
}

/* Will the bytes of that time never be read again? */
static bool is_dead(const struct turn *t, const struct turn_mark *m, u64 addr, u64 sp)
{
	u64 stack = t->stack_end - FIBER_STACK_MAX;

	if (addr - stack < FIBER_STACK_MAX)
		return addr < sp && sp <= t->stack_end;
	return heap_is_gone((const void *)(uintptr_t)addr, t->slot, m->blocks);
}

/* Is private memory unchanged, as far as frames above sp use it? */
static bool is_as_it_was(const struct turn *t, const struct turn_mark *m, u64 sp)
{
	for (u32 i = m->writes; i < t->nwrites; i++) {
		const struct turn_write *w = &t->write[i];
		bool again = false;

		for (u32 k = m->writes; k < i && !again; k++)
			again = t->write[k].addr == w->addr && t->write[k].size == w->size;
		if (again || is_dead(t, m, w->addr, sp))
			continue;
		if (!w->size || !bytes_equal(&w->before, (const void *)(uintptr_t)w->addr, w->size))
			return false;
	}
	return true;
}

/* --- shared memory --------------------------------------------------------------------------- */

static bool overlaps(const struct turn_store *s, u64 addr, u32 n)
{
	return s->addr < addr + n && addr < s->addr + s->size;
}

void turn_stores(struct turn *t, u64 addr, u32 n, const u8 *from)
{
	struct turn_store new = {.addr = addr, .size = n};
	u32 kept = 0;

	bytes_copy(&new.value, from, n);
	for (u32 i = 0; i < t->nstores; i++) {
		const struct turn_store *s = &t->store[i];

		if (s->addr == addr && s->size == n && s->value == new.value)
			return;
		if (!overlaps(s, addr, n))
			t->store[kept++] = *s;
	}
	turn_changes(t);
	t->nstores = kept;
	if (t->nstores < TURN_STORES)
		t->store[t->nstores++] = new;
	INVARIANT(turn_check(t));
}

/* --- effects --------------------------------------------------------------------------------- */

static struct turn_effect *held(struct turn *t, u64 what)
{
	for (u32 i = 0; i < t->nheld; i++)
		if (t->held[i].what == what)
			return &t->held[i];
	return NULL;
}

static const struct turn_effect *last_effect(const struct turn *t, u64 what)
{
	for (u32 i = t->neffects; i-- > 0;)
		if (t->effect[i].what == what)
			return &t->effect[i];
	return NULL;
}

static bool is_first(const struct turn *t, u32 from, u32 i)
{
	for (u32 k = from; k < i; k++)
		if (t->effect[k].what == t->effect[i].what)
			return false;
	return true;
}

void turn_hold(struct turn *t)
{
	for (u32 i = 0; i < t->neffects; i++) {
		const struct turn_effect *e = &t->effect[i];
		struct turn_effect *h = held(t, e->what);

		if (!is_first(t, 0, i))
			continue;
		if (!h) {
			if (t->nheld == TURN_HELD) /* drop the oldest */
				bytes_copy(t->held, t->held + 1, --t->nheld * sizeof *h);
			h = &t->held[t->nheld++];
			*h = *e;
		}
		h->after = last_effect(t, e->what)->after;
		if (h->after == h->before)
			*h = t->held[--t->nheld];
	}
	t->neffects = 0;
}

void turn_affects(struct turn *t, u64 what, u64 before, u64 after)
{
	const struct turn_effect *last = last_effect(t, what);

	t->nstores = 0;
	if (!last)
		last = held(t, what);
	if (before == TURN_UNKNOWN && last)
		before = last->after;
	if (before == TURN_UNKNOWN || t->neffects == TURN_EFFECTS)
		turn_changes(t);
	if (before != TURN_UNKNOWN)
		t->effect[t->neffects++] = (struct turn_effect){what, before, after};
}

/*
 * Were all changes since then undone? And is it a point where others may run: is everything that
 * the thread changes in its iterations as when it held no lock?
 */
static bool is_undone(struct turn *t, const struct turn_mark *m)
{
	for (u32 i = m->effects; i < t->neffects; i++) {
		u64 what = t->effect[i].what, after = last_effect(t, what)->after;
		u32 k = 0;

		if (!is_first(t, m->effects, i))
			continue;
		while (t->effect[k].what != what)
			k++;
		if (after != t->effect[i].before ||
			after != (held(t, what) ? held(t, what)->before : t->effect[k].before))
			return false;
	}
	return true;
}

/* The state has recurred: report it. */
static u32 found(struct turn *t, const struct turn_mark *m)
{
	t->again = m->effects < t->neffects ? t->steps - m->steps : 0;
	return t->reads - m->reads;
}

/* --- states ---------------------------------------------------------------------------------- */

static struct turn_mark mark(struct turn *t)
{
	t->fresh = t->nwrites;
	return (struct turn_mark){
		t->reads, t->nwrites, heap_blocks(t->slot), t->neffects, t->steps};
}

void turn_steps(struct turn *t, const struct turn_load *load)
{
	const struct turn_load *last = &t->load;

	t->steps++;
	if (!load) {
		t->loads = 0;
		return;
	}
	if (last->loc != load->loc || last->type != load->type || last->order != load->order ||
		last->fail != load->fail || last->value != load->value)
		t->loads = 0;
	t->loads++;
	t->load = *load;
}

/* --- entry stubs ----------------------------------------------------------------------------- */

static bool is_door(const struct turn_access *s, const struct entry_frame *f, u64 sp)
{
	return s->return_address == f->return_address && s->sp == sp &&
	       bytes_equal(s->saved, f->saved, sizeof s->saved) &&
	       bytes_equal(s->stack, (const void *)(uintptr_t)sp, s->nstack);
}

u32 turn_at_access(struct turn *t, const struct entry_frame *f)
{
	u64 sp = (u64)(uintptr_t)(f + 1);
	struct turn_access *s;

	if (t->stack_end - sp > SPIN_STACK)
		return 0;
	for (u32 i = 0; i < t->ndoors; i++) {
		s = &t->door[i];
		if (s->mark.reads < t->reads && is_door(s, f, sp) && /* the stack as a whole */
			is_as_it_was(t, &s->mark, t->stack_end) && is_undone(t, &s->mark))
			return found(t, &s->mark);
	}
	s = &t->door[t->next_door];
	t->next_door = (t->next_door + 1) % TURN_STATES;
	t->ndoors += t->ndoors < TURN_STATES;
	s->mark = mark(t);
	s->return_address = f->return_address;
	s->sp = sp;
	s->nstack = (u32)(t->stack_end - sp);
	bytes_copy(s->saved, f->saved, sizeof s->saved);
	bytes_copy(s->stack, (const void *)(uintptr_t)sp, s->nstack);
	INVARIANT(turn_check(t));
	return 0;
}

/* --- heads of loops -------------------------------------------------------------------------- */

/*
 * How often can the thread repeat its last iteration, from s to v, until a comparison of a counter
 * changes? 0: never, it is another state; COUNTERS_SAME: no counter moves.
 */
#define COUNTERS_SAME (~(u64)0)

static u64 count_iterations(const struct turn_head *s, const struct turn_visit *v)
{
	u64 n = COUNTERS_SAME;

	for (u32 i = 0; i < v->ncounters; i++) {
		const struct heddle_counter *a = &s->counter[i], *b = &v->counter[i];
		u64 step = b->at - a->at;

		if (a->left == HEDDLE_COUNTER_FREE || b->left == HEDDLE_COUNTER_FREE) {
			if (a->left != b->left)
				return 0;
			continue;
		}
		if (step > a->left || step > ~b->left)
			return 0;
		if (step && b->left / step + 1 < n)
			n = b->left / step + 1;
	}
	return n;
}

static void move_counters(const struct turn_head *s, const struct turn_visit *v, u64 iterations)
{
	for (u32 i = 0; i < v->ncounters; i++) {
		struct heddle_counter *c = &v->counter[i];

		if (c->left != HEDDLE_COUNTER_FREE)
			c->at += iterations * (c->at - s->counter[i].at);
	}
}

/* Was it the same load, once or more often, that the thread has done since then? */
static bool is_one_load(const struct turn *t, const struct turn_mark *m)
{
	u32 steps = t->steps - m->steps;

	return steps && t->reads - m->reads == steps && t->loads >= steps;
}

static bool is_head(struct turn *t, const struct turn_head *s, const struct turn_visit *v)
{
	return s->mark.reads < t->reads && s->n == v->n && s->ncounters == v->ncounters &&
	       bytes_equal(s->value, v->values, v->n) && is_as_it_was(t, &s->mark, v->sp) &&
	       is_undone(t, &s->mark);
}

/* Has the thread been at this head of the same call's loop in the same state? The states are
 * dropped where the loop is entered, as values computed before it may be new. */
static u32 find_head(struct turn *t, const struct turn_visit *v, bool *moved)
{
	for (u32 i = 0; i < t->nheads; i++) {
		struct turn_head *s = &t->head[i];
		u64 n;

		if (s->loop != v->loop || s->frame != v->frame)
			continue;
		if (v->entered)
			s->loop = NULL;
		if (v->entered || !is_head(t, s, v))
			continue;
		n = count_iterations(s, v);
		if (n == COUNTERS_SAME)
			return found(t, &s->mark);
		if (!n || !is_one_load(t, &s->mark))
			continue;
		move_counters(s, v, n);
		*moved = true;
		break;
	}
	return 0;
}

u32 turn_at_head(struct turn *t, const struct turn_visit *v, bool *moved)
{
	struct turn_head *s;
	u32 reads;

	*moved = false;
	reads = find_head(t, v, moved);
	if (reads || *moved)
		return reads;
	s = &t->head[t->next_head];
	t->next_head = (t->next_head + 1) % TURN_STATES;
	t->nheads += t->nheads < TURN_STATES;
	s->mark = mark(t);
	s->loop = v->loop;
	s->frame = v->frame;
	s->n = v->n;
	s->ncounters = v->ncounters;
	bytes_copy(s->counter, v->counter, v->ncounters * sizeof *v->counter);
	bytes_copy(s->value, v->values, v->n);
	INVARIANT(turn_check(t));
	return 0;
}
