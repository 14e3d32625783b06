/* SPDX-License-Identifier: ISC */
/* loop_state.c - see loop_state.h. */
#include "graph/loop_state.h"
#include "graph/tally.h"
#include "process/bytes.h"
#include "process/fiber.h"
#include "heap/heap.h"

/* --- own memory ------------------------------------------------------------------------------ */

static void note_memory(struct loop_states *t, u64 addr, u32 size)
{
	struct loop_write *w;

	if (!t->naccesses && !t->nheads)
		return; /* nothing to compare with later */
	for (u32 i = t->fresh; i < t->nwrites; i++)
		if (t->write[i].addr == addr && t->write[i].size == size)
			return;
	if (t->nwrites == LOOP_WRITES) {
		loop_state_change(t);
		return;
	}
	w = &t->write[t->nwrites++];
	*w = (struct loop_write){.addr = addr, .size = size};
	bytes_copy(&w->before, (const void *)(uintptr_t)addr, size);
	INVARIANT(loop_state_check(t));
}

void loop_state_own_write(struct loop_states *t, u64 addr, u32 size)
{
	note_memory(t, addr, size);
}

static bool knows_count(const struct loop_states *t, u64 addr, u32 size)
{
	u32 i = t->fresh_counts;

	while (i < t->ncounts && (t->count[i].addr != addr || t->count[i].size != size))
		i++;
	return i < t->ncounts;
}

void loop_state_count(struct loop_states *t, u64 addr, u32 size)
{
	if ((!t->naccesses && !t->nheads) || knows_count(t, addr, size))
		return;
	if (t->ncounts == LOOP_COUNTS)
		loop_state_change(t);
	else
		t->count[t->ncounts++] = (struct loop_count){addr, size};
}

bool loop_state_knows_write(const struct loop_states *t, u64 addr, u32 size)
{
	u32 i = t->fresh;

	while (i < t->nwrites && (t->write[i].addr != addr || t->write[i].size != size))
		i++;
	return i < t->nwrites || (!t->naccesses && !t->nheads) || knows_count(t, addr, size);
}

void loop_state_block(struct loop_states *t, u64 addr)
{
	note_memory(t, addr, 0);
}

/* Will the bytes that memory had then never be read again? */
static bool is_dead_byte(const struct loop_states *t, const struct loop_time *m, u64 addr, u64 sp)
{
	u64 stack = t->stack_end - FIBER_STACK_MAX;

	if (addr - stack < FIBER_STACK_MAX)
		return addr < sp && sp <= t->stack_end;
	return heap_is_gone((const void *)(uintptr_t)addr, t->slot, m->blocks);
}

/* Is the private memory that frames above sp use unchanged? */
static bool is_as_it_was(const struct loop_states *t, const struct loop_time *m, u64 sp)
{
	for (u32 i = m->writes; i < t->nwrites; i++) {
		const struct loop_write *w = &t->write[i];
		bool again = false;

		for (u32 k = m->writes; k < i && !again; k++)
			again = t->write[k].addr == w->addr && t->write[k].size == w->size;
		if (again || is_dead_byte(t, m, w->addr, sp))
			continue;
		if (!w->size || !bytes_equal(&w->before, (const void *)(uintptr_t)w->addr, w->size))
			return false;
	}
	return true;
}

/* --- shared memory --------------------------------------------------------------------------- */

static bool store_overlaps(const struct loop_store *s, u64 addr, u32 n)
{
	return s->addr < addr + n && addr < s->addr + s->size;
}

void loop_state_store(struct loop_states *t, u64 addr, u32 n, const u8 *from)
{
	struct loop_store new = {.addr = addr, .size = n};
	u32 kept = 0;

	bytes_copy(&new.value, from, n);
	for (u32 i = 0; i < t->nstores; i++) {
		const struct loop_store *s = &t->store[i];

		if (s->addr == addr && s->size == n && s->value == new.value)
			return;
		if (!store_overlaps(s, addr, n))
			t->store[kept++] = *s;
	}
	loop_state_change(t);
	t->nstores = kept;
	if (t->nstores < LOOP_STORES)
		t->store[t->nstores++] = new;
	INVARIANT(loop_state_check(t));
}

/* --- effects --------------------------------------------------------------------------------- */

static struct loop_effect *held_effect(struct loop_states *t, u64 what)
{
	for (u32 i = 0; i < t->nheld; i++)
		if (t->held[i].what == what)
			return &t->held[i];
	return NULL;
}

static const struct loop_effect *last_effect(const struct loop_states *t, u64 what)
{
	for (u32 i = t->neffects; i-- > 0;)
		if (t->effect[i].what == what)
			return &t->effect[i];
	return NULL;
}

static bool is_first_state(const struct loop_states *t, u32 from, u32 i)
{
	for (u32 k = from; k < i; k++)
		if (t->effect[k].what == t->effect[i].what)
			return false;
	return true;
}

/* Are all effects on it additions, one of them a try? */
static bool only_adds(const struct loop_states *t, u64 what)
{
	bool tries = false;

	for (u32 i = 0; i < t->neffects; i++) {
		if (t->effect[i].what == what && !t->effect[i].mask)
			return false;
		tries |= t->effect[i].what == what && t->effect[i].compared;
	}
	return tries;
}

/* The sum of additions to it, from effect number `from' on. */
static u64 sum_since(const struct loop_states *t, u32 from, u64 what)
{
	u64 sum = 0, mask = 0;

	for (u32 i = from; i < t->neffects; i++) {
		if (t->effect[i].what == what) {
			sum += t->effect[i].after - t->effect[i].before;
			mask = t->effect[i].mask;
		}
	}
	return sum & mask;
}

void loop_state_hold(struct loop_states *t)
{
	for (u32 i = 0; i < t->neffects; i++) {
		const struct loop_effect *e = &t->effect[i];
		struct loop_effect *h = held_effect(t, e->what);

		if (!is_first_state(t, 0, i))
			continue;
		if (!h) {
			if (t->nheld == LOOP_HELD) /* drop the oldest */
				bytes_copy(t->held, t->held + 1, --t->nheld * sizeof *h);
			h = &t->held[t->nheld++];
			*h = *e;
			h->after = e->before;
		}
		h->after = only_adds(t, e->what) ? (h->after + sum_since(t, 0, e->what)) & e->mask
						 : last_effect(t, e->what)->after;
		if (h->after == h->before)
			*h = t->held[--t->nheld];
	}
	t->neffects = 0;
}

void loop_state_add(struct loop_states *t, const struct loop_effect *e)
{
	t->nstores = 0;
	if (t->neffects == LOOP_EFFECTS)
		loop_state_change(t);
	t->effect[t->neffects++] = *e;
}

void loop_state_effect(struct loop_states *t, u64 what, u64 before, u64 after)
{
	const struct loop_effect *last = last_effect(t, what);

	t->nstores = 0;
	if (!last)
		last = held_effect(t, what);
	if (before == LOOP_UNKNOWN && last)
		before = last->after;
	if (before == LOOP_UNKNOWN)
		loop_state_change(t);
	else
		loop_state_add(t, &(struct loop_effect){what, before, after, 0, false, false});
}

/* Has the thread only added there since then, without using the results? Then it may be a tally. */
static bool may_be_tally(struct loop_states *t, const struct loop_time *m, u64 what)
{
	u32 size = 0;

	for (u32 i = m->effects; i < t->neffects; i++) {
		const struct loop_effect *e = &t->effect[i];

		if (e->what != what)
			continue;
		if (!e->unused)
			return false;
		size = (u32)__builtin_popcountll(e->mask) / 8;
	}
	if (tally_is_refused(what, size) || t->ncounts == LOOP_COUNTS)
		return false;
	loop_state_count(t, what, size);
	return true;
}

/*
 * Were all changes since then undone? And may others run at this point: is all that the thread
 * changes in its iterations as it was without its locks?
 */
static bool is_undone(struct loop_states *t, const struct loop_time *m)
{
	for (u32 i = m->effects; i < t->neffects; i++) {
		u64 what = t->effect[i].what, after = last_effect(t, what)->after;
		const struct loop_effect *h;
		u32 k = 0;

		if (!is_first_state(t, m->effects, i) ||
			(only_adds(t, what) && !held_effect(t, what) && !sum_since(t, 0, what) &&
				!sum_since(t, m->effects, what)))
			continue;
		while (t->effect[k].what != what)
			k++;
		h = held_effect(t, what);
		if ((after != t->effect[i].before ||
			    after != (h ? h : &t->effect[k])->before) &&
			!may_be_tally(t, m, what))
			return false;
	}
	return true;
}

/* The state has recurred: report it. */
static u32 found(struct loop_states *t, const struct loop_time *m)
{
	t->again = m->effects < t->neffects ? t->steps - m->steps : 0;
	return t->reads - m->reads;
}

/* --- states ---------------------------------------------------------------------------------- */

static struct loop_time time_of(struct loop_states *t)
{
	t->fresh = t->nwrites;
	t->fresh_counts = t->ncounts;
	return (struct loop_time){t->reads, t->nwrites, heap_blocks(t->slot), t->neffects, t->steps,
		t->sleeps, t->ncounts, t->counted, t->counted_reads};
}

/* --- sleeping -------------------------------------------------------------------------------- */

/* Could the state be that of an earlier iteration? */
static bool is_later(const struct loop_states *t, const struct loop_time *m)
{
	return m->reads < t->reads || m->sleeps < t->sleeps;
}

/* The state equals the one then. True: the thread has slept since, so the values that it has read
 * may be out of date. */
static bool begins_lap(struct loop_states *t, const struct loop_time *m)
{
	if (m->sleeps == t->sleeps)
		return false;
	if (!t->lap.is || t->lap.at != t->reads || m->reads > t->lap.from)
		t->lap.from = m->reads;
	t->lap.at = t->reads;
	t->lap.is = true;
	return true;
}

bool loop_state_sleeps(struct loop_states *t, bool *for_ever)
{
	u32 n = t->reads - t->lap.at;
	bool same = t->lap.is && t->slept - t->lap.from == n && t->reads - t->lap.from <= LOOP_SEEN;

	for (u32 i = 0; i < n && same; i++)
		same = t->seen[(t->lap.from + i) % LOOP_SEEN] ==
		       t->seen[(t->lap.at + i) % LOOP_SEEN];
	*for_ever = same && t->lap.at == t->lap.from && !n;
	if (same)
		return true;
	t->sleeps++;
	t->slept = t->reads;
	return false;
}

void loop_state_step(struct loop_states *t, const struct loop_load *load)
{
	const struct loop_load *last = &t->load;

	t->steps++;
	if (t->counting) {
		t->counted++;
		return;
	}
	if (!load) {
		t->loads = 0;
		return;
	}
	if (last->loc != load->loc || last->type != load->type || last->order != load->order ||
		last->fail != load->fail || last->op != load->op || last->rare != load->rare ||
		last->value != load->value)
		t->loads = 0;
	t->loads++;
	t->load = *load;
}

/* --- tallies ---------------------------------------------------------------------------------- */

/* Has the thread only added to tallies since then? What may become one is one from now on. */
static bool only_tallies(struct loop_states *t, const struct loop_time *m)
{
	for (u32 i = m->counts; i < t->ncounts; i++) {
		const struct loop_count *c = &t->count[i];

		if (tally_has(c->addr, c->size))
			continue;
		if (tally_is_refused(c->addr, c->size))
			return false;
		tally_learn(c->addr, c->size);
		t->learnt = true;
	}
	return !t->learnt;
}

/* --- entry stubs ----------------------------------------------------------------------------- */

static bool same_access(const struct access_state *s, const struct entry_frame *f, u64 sp)
{
	return s->return_address == f->return_address && s->sp == sp &&
	       bytes_equal(s->saved, f->saved, sizeof s->saved) &&
	       bytes_equal(s->stack, (const void *)(uintptr_t)sp, s->nstack);
}

u32 loop_state_at_access(struct loop_states *t, const struct entry_frame *f)
{
	u64 sp = (u64)(uintptr_t)(f + 1);
	struct access_state *s;

	if (t->stack_end - sp > SPIN_STACK)
		return 0;
	t->lap.is &= t->nheads > 0;
	for (u32 i = 0; i < t->naccesses; i++) {
		s = &t->access[i];
		if (is_later(t, &s->time) && same_access(s, f, sp) && /* the stack as a whole */
			is_as_it_was(t, &s->time, t->stack_end) && is_undone(t, &s->time) &&
			!begins_lap(t, &s->time) && only_tallies(t, &s->time))
			return found(t, &s->time);
	}
	s = &t->access[t->next_access];
	t->next_access = (t->next_access + 1) % LOOP_STATES;
	t->naccesses += t->naccesses < LOOP_STATES;
	s->time = time_of(t);
	s->return_address = f->return_address;
	s->sp = sp;
	s->nstack = (u32)(t->stack_end - sp);
	bytes_copy(s->saved, f->saved, sizeof s->saved);
	bytes_copy(s->stack, (const void *)(uintptr_t)sp, s->nstack);
	INVARIANT(loop_state_check(t));
	return 0;
}

/* --- heads of loops -------------------------------------------------------------------------- */

/*
 * How often can the thread repeat its last iteration, from s to v, until a comparison of a counter
 * changes? 0: not at all, the states differ; COUNTERS_SAME: no counter moves.
 */
#define COUNTERS_SAME (~(u64)0)

static bool is_same_loop(const struct head_state *s, const struct loop_visit *v)
{
	return s->loop == v->loop && s->frame == v->frame && s->ncounters == v->ncounters;
}

/* Has the counter been set back since the state s? All later states are kept. */
static bool was_set_back(
	const struct loop_states *t, const struct head_state *s, const struct loop_visit *v, u32 i)
{
	u64 at = s->counter[i].at;

	for (u32 k = (u32)(s - t->head + 1) % LOOP_STATES; k != t->next_head;
		k = (k + 1) % LOOP_STATES) {
		const struct head_state *later = &t->head[k];

		if (!is_same_loop(later, v))
			continue;
		if (later->counter[i].at < at)
			return true;
		at = later->counter[i].at;
	}
	return v->counter[i].at < at;
}

/* Was s the thread's last state at this head? */
static bool is_last_state(
	const struct loop_states *t, const struct head_state *s, const struct loop_visit *v)
{
	for (u32 k = (u32)(s - t->head + 1) % LOOP_STATES; k != t->next_head;
		k = (k + 1) % LOOP_STATES)
		if (is_same_loop(&t->head[k], v))
			return false;
	return true;
}

static u64 count_iterations(
	const struct loop_states *t, const struct head_state *s, const struct loop_visit *v)
{
	u64 n = COUNTERS_SAME;
	u32 beyond; /* a comparison may change after any of several iterations: not beyond it */

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
		if (step && was_set_back(t, s, v, i))
			return 0;
		beyond = is_last_state(t, s, v);
		if (step && b->left / step + beyond < n)
			n = b->left / step + beyond;
	}
	return n;
}

static void move_counters(const struct head_state *s, const struct loop_visit *v, u64 iterations)
{
	for (u32 i = 0; i < v->ncounters; i++) {
		struct heddle_counter *c = &v->counter[i];

		if (c->left != HEDDLE_COUNTER_FREE)
			c->at += iterations * (c->at - s->counter[i].at);
	}
}

/* Has the thread only repeated the same load since then? */
static bool is_one_load(const struct loop_states *t, const struct loop_time *m)
{
	u32 steps = t->steps - m->steps - (t->counted - m->counted);
	u32 reads = t->reads - m->reads - (t->counted_reads - m->counted_reads);

	return steps && reads == steps && t->loads >= steps;
}

static bool same_head(struct loop_states *t, const struct head_state *s, const struct loop_visit *v)
{
	return is_later(t, &s->time) && s->n == v->n && s->ncounters == v->ncounters &&
	       bytes_equal(s->value, v->values, v->n) && is_as_it_was(t, &s->time, v->sp) &&
	       is_undone(t, &s->time);
}

/* Has the thread been at this head of the same call's loop in the same state? The states are
 * dropped when the loop is entered, as values computed before it may be new. */
static u32 find_head(struct loop_states *t, const struct loop_visit *v, bool *moved)
{
	t->lap.is = false;
	for (u32 i = 0; i < t->nheads; i++) {
		struct head_state *s = &t->head[i];
		u64 n;

		if (s->loop != v->loop || s->frame != v->frame)
			continue;
		if (v->entered)
			s->loop = NULL;
		if (v->entered || !same_head(t, s, v))
			continue;
		n = count_iterations(t, s, v);
		if (n == COUNTERS_SAME && begins_lap(t, &s->time))
			continue;
		if (!n || (n != COUNTERS_SAME && !is_one_load(t, &s->time)) ||
			!only_tallies(t, &s->time))
			continue;
		if (n == COUNTERS_SAME)
			return found(t, &s->time);
		move_counters(s, v, n);
		*moved = true;
		break;
	}
	return 0;
}

u32 loop_state_at_head(struct loop_states *t, const struct loop_visit *v, bool *moved)
{
	struct head_state *s;
	u32 reads;

	*moved = false;
	reads = find_head(t, v, moved);
	if (reads || *moved)
		return reads;
	s = &t->head[t->next_head];
	t->next_head = (t->next_head + 1) % LOOP_STATES;
	t->nheads += t->nheads < LOOP_STATES;
	s->time = time_of(t);
	s->loop = v->loop;
	s->frame = v->frame;
	s->n = v->n;
	s->ncounters = v->ncounters;
	bytes_copy(s->counter, v->counter, v->ncounters * sizeof *v->counter);
	bytes_copy(s->value, v->values, v->n);
	INVARIANT(loop_state_check(t));
	return 0;
}

/* --- waits for a condition -------------------------------------------------------------------- */

void loop_state_lock(struct loop_states *t)
{
	t->locked = t->steps;
}

/* The heads reached with the mutex just taken are kept. */
void loop_state_wait(struct loop_states *t)
{
	for (u32 i = 0; i < t->nheads; i++)
		if (t->head[i].time.steps != t->locked)
			t->head[i].loop = NULL;
	t->naccesses = t->next_access = 0;
	t->waits = true;
}

static bool is_where_it_was(const struct loop_states *t, const struct loop_visit *v)
{
	for (u32 i = 0; i < t->nheads && !v->entered; i++) {
		const struct head_state *s = &t->head[i];

		if (s->loop == v->loop && s->frame == v->frame && s->n == v->n &&
			s->ncounters == v->ncounters && bytes_equal(s->value, v->values, v->n) &&
			bytes_equal(s->counter, v->counter, v->ncounters * sizeof *v->counter) &&
			is_as_it_was(t, &s->time, v->sp))
			return true;
	}
	return false;
}

bool loop_state_has_waited(struct loop_states *t, const struct loop_visit *v)
{
	bool result = t->steps == t->locked && is_where_it_was(t, v);

	loop_state_reset(t);
	return result;
}
