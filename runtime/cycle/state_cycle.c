/* SPDX-License-Identifier: ISC */
/* state_cycle.c - see state_cycle.h. */
#include "cycle/state_cycle.h"
#include "machine/core.h"
#include "machine/execution/clock.h"
#include "process/bytes.h"
#include "process/fiber.h"
#include "cycle/memory_state.h"
#include "machine/execution/tsan_store.h"
#include "machine/record/record.h"
#include "process/pages.h"
#include "process/snapshot.h"
#include "process/stack.h"
#include "machine/wait/vtime.h"
#include "detect/starve.h"

#define STACKS_ROOM (8u << 20) /* of all threads, to be kept */
#define FIRST_POWER 64

bool state_cycle_on, state_cycle_left;
u32 state_cycle_from, state_cycle_after = STATE_CYCLE_STEPS;

/* A thread in the state that is kept. */
struct kept_thread {
	bool known; /* is its caller? */
	bool finished, detached, joined, exiting;
	bool timed; /* it would now time out, or wake up */
	const struct sync_op *op;
	const void *obj;
	u64 argument;
	const void *fiber_sp;
	void *result;
	struct pending pending;
	struct stack_caller caller;
	u64 low, high; /* of its stack, the part that is kept */
	u32 copy;      /* where in L.stacks */
};

/* The last value that a thread has read at a location. */
#define SEEN 8
struct seen_value {
	u64 addr;
	u64 value[2];
};

static struct {
	bool kept;
	u32 from;	 /* the first step that is checked */
	u32 next, power; /* the step when the next state is kept, and steps from then to another */
	u32 event;	 /* recorded by then */
	u32 rare, looks; /* spurious events, and reads of the clock, by then */
	u32 nthreads, heated;
	u16 cur;
	bool stepped[THREADS_MAX], could[THREADS_MAX]; /* since then, by slot */
	u16 still[THREADS_MAX]; /* slots of running threads: all that have done neither */
	u32 nstill;
	u16 differs; /* slot of a thread that has not come back, likely again */
	struct kept_thread place[THREADS_MAX];
	struct seen_value seen[THREADS_MAX][SEEN]; /* by slot */
	u8 nseen[THREADS_MAX];		     /* where the next one goes */
	u8 *stacks;
	u32 used;
} L;

static void dress_state_cycle(struct engine *e);
static struct decorator decorator = {.dress = dress_state_cycle};

/* --- when to look ---------------------------------------------------------------------------- */

static bool is_cycle_wanted(void)
{
	if (M.options->replay[0] || state_cycle_from)
		return state_cycle_from;
	return M.options->detect & (DETECT_LIVELOCK | DETECT_STARVATION);
}

static bool is_cycle_possible(void)
{
	return M.engine->schedules && !tsan_store_used && !machine_mapped &&
	       M.options->reuse == REUSE_NEVER;
}

static void set_looking(bool on)
{
	state_cycle_on = on;
	engine_decorate(&decorator, on);
	pending_want(PENDING_FOR_CYCLES, on);
}

static void look_from(u32 step)
{
	const struct strategy_ops *ops = M.engine->schedules ? M.explore.ops : NULL;

	L.from = step;
	M.look_at = ops && (ops->wants_accesses || ops->knows_traces) ? 0 : step;
}

void state_cycle_begin(void)
{
	u32 from = M.max_steps;

	if (state_cycle_on)
		set_looking(false);
	L.kept = false;
	L.heated = snapshot_heated;
	if (is_cycle_wanted() && is_cycle_possible())
		from = state_cycle_from			 ? 0
		       : M.max_steps < state_cycle_after ? M.max_steps
							 : state_cycle_after;
	look_from(from);
}

bool state_cycle_is_unsure(void)
{
	return state_cycle_on && L.heated != snapshot_heated;
}

static void begin_looking(void)
{
	set_looking(is_cycle_wanted() && is_cycle_possible());
	look_from(state_cycle_on ? 0 : M.max_steps);
	if (!state_cycle_on)
		return;
	bytes_fill(L.seen, 0, sizeof L.seen);
	L.next = 0;
	L.power = FIRST_POWER;
}

/* --- the reads of threads --------------------------------------------------------------------- */

static struct seen_value *find_seen(u16 slot, u64 addr)
{
	for (u32 i = 0; i < SEEN; i++)
		if (L.seen[slot][i].addr == addr)
			return &L.seen[slot][i];
	return NULL;
}

static void note_seen(u64 addr, const u64 value[2])
{
	u16 slot = M.cur->slot;
	struct seen_value *s = find_seen(slot, addr);

	if (!s)
		s = &L.seen[slot][L.nseen[slot]++ % SEEN];
	*s = (struct seen_value){addr, {value[0], value[1]}};
}

bool state_cycle_by_chance(const struct thread *t)
{
	bool tries = t->op && kind_has(t->op->kind, KIND_TRIES);
	u64 addr = tries ? (u64)(uintptr_t)t->obj : t->pending.addr, now[2];
	u32 size = tries ? sizeof(int) : t->pending.size;
	const struct seen_value *s;

	if (!state_cycle_on || (!tries && (!t->pending.kind || t->pending.kind == PENDING_STORE ||
						  t->pending.kind >= PENDING_READS)))
		return false;
	s = find_seen(t->slot, addr);
	if (!s)
		return false;
	memory_read(addr, size, now);
	return s->value[0] != now[0] || s->value[1] != now[1];
}

static void state_cycle_load(const void *p, u32 size, int order, u16 flags, u64 out[2])
{
	decorator.next->load(p, size, order, flags, out);
	note_seen((u64)(uintptr_t)p, out);
}

static void state_cycle_rmw(void *p, u32 size, u64 value[2], int op, int order)
{
	decorator.next->rmw(p, size, value, op, order);
	note_seen((u64)(uintptr_t)p, value);
}

static bool state_cycle_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders)
{
	bool ok = decorator.next->cas(p, size, expected, desired, orders);

	note_seen((u64)(uintptr_t)p, expected);
	return ok;
}

static void state_cycle_sync_failed(const void *state, u32 size)
{
	u64 value[2];

	decorator.next->sync_failed(state, size);
	memory_read((u64)(uintptr_t)state, size, value);
	note_seen((u64)(uintptr_t)state, value);
}

static void dress_state_cycle(struct engine *e)
{
	e->load = state_cycle_load;
	e->rmw = state_cycle_rmw;
	e->cas = state_cycle_cas;
	e->sync_failed = state_cycle_sync_failed;
}

extern const char own_start[] __asm__("__start_heddle_exec") __attribute__((weak));
extern const char own_stop[] __asm__("__stop_heddle_exec") __attribute__((weak));

bool state_cycle_is_simple(const struct sync_op *op, const void *obj)
{
	if ((const char *)obj >= own_start && (const char *)obj < own_stop)
		return false; /* a lock inside another operation */
	return kind_has(op->kind, KIND_WHOLE);
}

static bool same_pending(const struct pending *a, const struct pending *b)
{
	return a->kind && a->kind < PENDING_READS && a->kind == b->kind && a->part == b->part &&
	       a->flags == b->flags && a->size == b->size && a->order == b->order &&
	       a->op == b->op && a->addr == b->addr &&
	       bytes_equal(a->value, b->value, sizeof a->value);
}

/* --- keeping a state ------------------------------------------------------------------------- */

static u64 stack_top(const struct thread *t)
{
	return fiber_end(t->slot);
}

static const void *fiber_sp(const struct thread *t)
{
	return t == M.cur ? NULL : t->fiber.sp;
}

static bool is_timed(const struct thread *t)
{
	return t->may_time_out || t->asleep;
}

/* Such a state does not recur. */
static bool any_is_timed(void)
{
	for (u32 i = 0; i < M.nthreads; i++)
		if (is_timed(&M.thread[M.created[i]]))
			return true;
	return false;
}

static bool keep_place(const struct thread *t)
{
	struct kept_thread *p = &L.place[t->slot];

	*p = (struct kept_thread){.finished = t->finished,
		.detached = t->detached,
		.joined = t->joined,
		.exiting = t->exiting,
		.timed = is_timed(t),
		.op = t->op,
		.obj = t->obj,
		.argument = t->argument,
		.fiber_sp = fiber_sp(t),
		.result = t->result,
		.pending = t->pending};
	if (t->finished)
		return true;
	p->known = stack_caller(fiber_sp(t), &p->caller);
	if (t == M.cur && !p->known)
		return false;
	p->low = t == M.cur ? p->caller.sp : (u64)(uintptr_t)t->fiber.sp;
	p->high = stack_top(t);
	if (p->high - p->low > STACKS_ROOM - L.used)
		return false;
	p->copy = L.used;
	bytes_copy(L.stacks + L.used, (const void *)(uintptr_t)p->low, p->high - p->low);
	L.used += (u32)(p->high - p->low);
	return true;
}

static u32 rare_things(void)
{
	u32 n = 0;

	for (u32 i = 0; i < CHOICE_KINDS; i++)
		n += M.tally.rare[i];
	return n;
}

static void keep_cycle_state(void)
{
	if (!L.stacks)
		L.stacks = pages_need(STACKS_ROOM);
	L.used = 0;
	L.next = M.steps + L.power;
	L.power *= 2;
	L.kept = memory_state_take();
	L.nstill = 0;
	for (u32 i = 0; i < M.nthreads && L.kept; i++) {
		L.kept = keep_place(&M.thread[M.created[i]]);
		L.stepped[M.created[i]] = L.could[M.created[i]] = false;
		if (!M.thread[M.created[i]].finished)
			L.still[L.nstill++] = M.created[i];
	}
	L.nthreads = M.nthreads;
	L.cur = L.differs = M.cur->slot;
	L.rare = rare_things();
	L.looks = vtime_looks;
	L.event = M.recording ? record_steps() : 0;
	M.unrepeatable = NULL;
}

/* --- comparing ------------------------------------------------------------------------------- */

/* Has t arrived at the same operation? */
static bool same_operation(const struct thread *t)
{
	const struct kept_thread *p = &L.place[t->slot];

	if (p->finished != t->finished || p->detached != t->detached || p->joined != t->joined ||
		p->exiting != t->exiting || p->result != t->result || p->op != t->op ||
		p->obj != t->obj || (t->op && p->argument != t->argument))
		return false;
	if (t->finished)
		return true;
	if (p->timed || is_timed(t))
		return false;
	if (!L.stepped[t->slot])
		return true;
	return t->op ? state_cycle_is_simple(t->op, t->obj)
		     : same_pending(&p->pending, &t->pending);
}

/* Has every enabled thread moved at least once? */
static bool is_fair(void)
{
	for (u32 i = 0; i < M.nthreads; i++) {
		u16 slot = M.created[i];

		if ((L.could[slot] || M.engine->enabled(&M.thread[slot])) && !L.stepped[slot])
			return false;
	}
	return true;
}

/* Are its registers and its stack unchanged? */
static bool same_frames(const struct thread *t)
{
	const struct kept_thread *p = &L.place[t->slot];
	struct stack_caller now;
	u64 low = p->low;

	if (t->finished)
		return true;
	if (L.stepped[t->slot]) {
		if (!p->known || !stack_caller(fiber_sp(t), &now) ||
			!bytes_equal(&now, &p->caller, sizeof now))
			return false;
		low = now.sp;
	} else if (p->fiber_sp != fiber_sp(t)) {
		return false;
	}
	return bytes_equal(
		L.stacks + p->copy + (low - p->low), (const void *)(uintptr_t)low, p->high - low);
}

static bool state_recurs(void)
{
	if (M.nthreads != L.nthreads || M.unrepeatable || machine_mapped ||
		L.rare != rare_things() || L.looks != vtime_looks || !L.stepped[L.cur])
		return false;
	if (!memory_state_may_be_same() || !same_operation(&M.thread[L.differs]))
		return false;
	for (u32 i = 0; i < M.nthreads; i++) {
		L.differs = M.created[i];
		if (!same_operation(&M.thread[L.differs]))
			return false;
	}
	if (!is_fair() || !memory_state_same())
		return false;
	for (u32 i = 0; i < M.nthreads; i++)
		if (!same_frames(&M.thread[M.created[i]]))
			return false;
	return true;
}

/* --- the meaning of a cycle ------------------------------------------------------------------ */

/* Does the event change something that other threads can see? */
static bool event_changes(const struct event *e)
{
	if (e->kind == EV_RMW)
		return e->value[0] != e->old[0] || e->value[1] != e->old[1];
	if (kind_has(e->kind, KIND_TRIES))
		return !e->value[0];
	return !kind_has(e->kind, KIND_NO_CHANGE);
}

/* A store to its thread's own stack, which no other thread reads while the steps repeat. */
static bool is_private_store(const struct thread *t, const struct event *e)
{
	if (e->addr < fiber_low(t->slot) || e->addr >= fiber_end(t->slot))
		return false;
	for (u32 i = L.event; i < record_steps(); i++)
		if (record.event[i].addr == e->addr && record.event[i].thread != e->thread)
			return false;
	return true;
}

/* Describe the steps of a thread in the cycle: it has changed something, or read something. */
static void describe_moves(const struct thread *t, struct wait *w)
{
	bool changed = false;

	w->kind = EV_READ;
	w->object = t->parked ? t->spin.read[0].addr : 0;
	for (u32 i = L.event; i < record_steps(); i++) {
		const struct event *e = &record.event[i];
		bool changes_it;

		if (e->thread != t->number || !e->addr)
			continue;
		changes_it = event_changes(e) && !is_private_store(t, e);
		if (changed && !changes_it)
			continue;
		changed |= changes_it;
		w->object = e->addr;
	}
	if (changed)
		w->kind = EV_WRITE;
}

u32 state_cycle_waits(struct wait *w)
{
	u32 n = 0;

	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		if (t->finished)
			continue;
		stuck_wait(t, &w[n]);
		if (L.stepped[t->slot]) {
			w[n].holder = -1;
			describe_moves(t, &w[n]);
		}
		n++;
	}
	return n;
}

/* Without a recording, the execution only shows that there is a cycle (shorten_cycle.h). */
static void conclude_cycle(void)
{
	static struct wait waits[THREADS_MAX];
	u32 from = L.event + 1;

	if (M.recording && from > record_steps()) /* sleeps are recorded when they begin */
		from = record_steps();
	M.finding = (struct finding){.kind = FINDING_LIVELOCK, .repeats = from};
	if (M.recording)
		starve_describe(waits, state_cycle_waits(waits), state_cycle_left, &M.finding);
	execution_fail();
}

/* --- step by step ---------------------------------------------------------------------------- */

static void note_moves(const struct thread *t)
{
	L.stepped[t->slot] = true;
	for (u32 i = 0; i < L.nstill;) {
		u16 slot = L.still[i];

		L.could[slot] |= M.engine->enabled(&M.thread[slot]);
		if (L.could[slot] || L.stepped[slot])
			L.still[i] = L.still[--L.nstill];
		else
			i++;
	}
	if (t->op && t->op->kind == EV_DRAIN)
		machine_unrepeatable("inputs");
}

void state_cycle_look(struct thread *t)
{
	if (M.steps < L.from && !clock_is_over)
		return;
	if (M.steps >= M.max_steps || (clock_is_over && !M.recording))
		step_bound();
	if (!state_cycle_on) {
		begin_looking();
		if (!state_cycle_from)
			return;
	}
	if (L.kept)
		note_moves(t);
	if (!M.engine->settled() || M.steps < state_cycle_from)
		return;
	if (L.kept && state_recurs())
		conclude_cycle();
	if (state_cycle_from ? L.kept : M.steps < L.next)
		return;
	if (any_is_timed())
		L.kept = false;
	else
		keep_cycle_state();
}
