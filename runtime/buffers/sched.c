/* SPDX-License-Identifier: ISC */
/*
 * sched.c - which thread or store moves next.
 *
 * A thread that arrives calls schedule(). The strategy chooses one of the agents - an enabled
 * thread or a store that may reach memory; schedule() executes stores itself and switches
 * directly to a thread. It returns when its own thread is chosen.
 *
 * Some waits end in a step that is invisible to other threads (a fence whose buffer has drained, a
 * join, a full buffer with room again). Such an *eager* thread continues at once when its wait is
 * over, without a choice, and runs until it arrives at an operation; `unarrived` holds those that
 * have not arrived yet.
 */
#include "buffers/buffers.h"
#include "buffers/happens.h"
#include "buffers/private.h"
#include "buffers/sched.h"
#include "buffers/trace_note.h"
#include "heap/heap_check.h"
#include "history/history.h"
#include "cycle/state_cycle.h"
#include "machine/record/record.h"
#include "machine/observer/call_stack.h"
#include "machine/observer/tracks.h"
#include "machine/wait/sync.h"

struct sched S __attribute__((aligned(64)));

static void clear_agents(struct agents *a)
{
	for (u32 i = 0; i < a->n; i++)
		a->pos[a->item[i]] = 0;
	a->n = 0;
}

void sched_begin(void)
{
	clear_agents(&S.run);
	clear_agents(&S.buffered);
	S.ncommits = S.nparked = S.special = S.nwaiting = S.nthen = S.preemptions = S.delays = 0;
	S.bounded = M.max_preemptions < PREEMPTIONS_ANY || M.max_delays < DELAYS_ANY;
	trace_note_begin();
	S.lazy = !traces_noted && (M.max_delays < DELAYS_ANY || M.explore.ops->continues);
}

bool sched_settled(void)
{
	return !S.nunarrived && !S.buffered.n;
}

/* --- the waits of threads -------------------------------------------------------------------- */

static inline bool thread_may(const struct thread *t)
{
	const struct sched_thread *o = sched_of(t);

	if (t->finished || t->parked)
		return false;
	if (o->full)
		return o->buffer.n < M.buffer_size;
	if (o->stalled)
		return !buffer_overlaps(&o->buffer, o->stall_addr, o->stall_size);
	if (o->need_empty && !buffer_empty(&o->buffer))
		return false;
	return o->timed_out || !t->op || sync_ready(t->op, t->obj, t);
}

bool sched_enabled(const struct thread *t)
{
	return S.nstale ? thread_may(t) : agents_has(&S.run, t->slot);
}

void thread_update(struct thread *t)
{
	bool may = thread_may(t);

	if (may == agents_has(&S.run, t->slot))
		return;
	if (!may) {
		agents_remove(&S.run, t->slot);
		return;
	}
	agents_add(&S.run, t->slot);
	if (sched_of(t)->eager)
		S.unarrived[S.nunarrived++] = t->slot;
}

static bool waits_then(const struct thread *t, const void *obj)
{
	return sched_of(t)->then && sched_of(t)->then_obj == obj;
}

/* Some threads wait for two objects. */
static __attribute__((noinline)) void one_of_two_changed(const void *obj)
{
	for (u32 i = 0, left = S.nwaiting; left && i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		left -= t->obj && t->op;
		if (t->op && t != M.cur && (t->obj == obj || waits_then(t, obj)))
			thread_update(t);
	}
}

void sched_object_changed(const void *obj)
{
	if (S.nthen) {
		one_of_two_changed(obj);
		return;
	}
	for (u32 i = 0, left = S.nwaiting; left && i < M.nthreads; i++) {
		left -= S.waited[i] != NULL;
		if (S.waited[i] == obj && i != M.cur->number)
			thread_update(&M.thread[M.created[i]]);
	}
}

static __attribute__((noinline)) void update_waiters(void)
{
	u32 n = S.nstale;

	S.nstale = 0;
	for (u32 i = 0; i < n; i++)
		sched_object_changed(S.stale[i]);
}

void sched_object_stale(const void *obj)
{
	for (u32 i = 0; i < S.nstale; i++)
		if (S.stale[i] == obj)
			return;
	if (S.nstale == STALE_MAX)
		update_waiters();
	S.stale[S.nstale++] = obj;
}

#define MANY 16 /* threads: the choices of fewer are logged */

/* Does t go on, whatever others may? A delay is known to be possible. */
static bool thread_goes_on(const struct thread *t)
{
	const struct strategy_ops *ops = M.explore.ops;

	if (S.nunarrived || S.ncommits || !agents_has(&S.run, t->slot))
		return false;
	if (S.bounded)
		return S.delays == M.max_delays && M.bounds & BOUND_DELAYS;
	return M.nlive >= MANY && ops->continues && ops->continues(&M.explore, t->number);
}

/* --- commits --------------------------------------------------------------------------------- */

void memory_changed(u64 addr, u64 size)
{
	for (u32 i = 0; S.nparked && i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (t->parked && spin_changed(&t->spin, &sched_of(t)->buffer, addr, size)) {
			t->parked = false;
			S.nparked--;
			thread_update(t);
		}
	}
}

static __attribute__((noinline, cold)) void record_commit(struct thread *t, struct store s)
{
	struct event e = {
		.thread = t->number,
		.kind = EV_COMMIT,
		.addr = s.addr,
		.size = s.size,
		.value = {s.value[0], s.value[1]},
		.store = s.step,
		.buffered = sched_of(t)->buffer.nstores,
	};

	record_event(&e);
}

/* Commit the k-th store of t that may be committed. */
static void commit_store(struct thread *t, u32 k)
{
	struct sched_thread *o = sched_of(t);
	u32 before = buffer_ready(t);
	struct store s;

	if (M.buffers == BUFFERS_BY_LOCATION)
		buffer_take(&o->buffer, k, &s);
	else
		buffer_pop(&o->buffer, &s);
	if (s.value[1] && s.size <= 8) { /* a message: keep_message() */
		if (private_on)
			private_atomic_commit(s.addr, s.size, (u32)s.value[1]);
		s.value[1] = 0;
	}
	if (unlikely(access_is_watched(s.addr)))
		heap_check_commit(t, &s);
	M.committer = t;
	memory_write(s.addr, s.size, s.value);
	M.committer = NULL;
	buffer_changed(t, before);
	if (unlikely(M.recording))
		record_commit(t, s);
	if (o->stalled || o->full || (o->need_empty && buffer_empty(&o->buffer)))
		thread_update(t);
	if (unlikely(S.nparked))
		memory_changed(s.addr, s.size);
	INVARIANT(sched_check());
}

/* The thread of the k-th committable store of all. */
static inline struct thread *commit_owner(u32 *k)
{
	struct thread *t;

	if (likely(M.buffers != BUFFERS_BY_LOCATION)) {
		t = &M.thread[S.buffered.item[*k]];
		*k = 0;
		return t;
	}
	for (u32 i = 0;; i++) {
		t = &M.thread[S.buffered.item[i]];
		if (*k < sched_of(t)->buffer.nready)
			return t;
		*k -= sched_of(t)->buffer.nready;
	}
}

/* --- choosing -------------------------------------------------------------------------------- */

#define AGENTS_MAX (THREADS_MAX * (BUFFER_MAX + 1))

static u64 place_of_store(const struct thread *t, u32 k)
{
	return buffer_peek(&sched_of(t)->buffer, k)->addr;
}

static u32 goal_of_thread(const struct thread *t)
{
	return t->at_goal ? AGENT_AT_GOAL : t->near_goal || tracks_holds(t) ? AGENT_NEAR_GOAL : 0;
}

static u32 goal_of_store(const struct store *s)
{
	return tracks_holds_store(s->addr, s->size) ? AGENT_NEAR_GOAL : 0;
}

/* Describe the n agents, for strategies that need it. */
static const u32 *describe_agents(u32 n)
{
	static u32 list[AGENTS_MAX];
	bool goals = M.explore.ops->wants_goals;

	if (goals)
		call_stacks_mark_goals();
	for (u32 i = 0; i < S.run.n; i++) {
		struct thread *t = &M.thread[S.run.item[i]];

		list[i] = M.driver ? M.driver->thread(t) : agent(t->number, false);
		if (M.explore.ops->wants_new_values && state_cycle_by_chance(t))
			list[i] |= AGENT_NEW_VALUE;
		if (goals)
			list[i] |= goal_of_thread(t);
	}
	for (u32 i = S.run.n; i < n; i++) {
		u32 k = i - S.run.n;
		struct thread *t = commit_owner(&k);

		list[i] = M.driver ? M.driver->commit(t, k) : agent(t->number, true);
		if (goals)
			list[i] |= goal_of_store(buffer_option(&sched_of(t)->buffer, k));
		else if (M.buffers == BUFFERS_BY_LOCATION && !M.driver)
			list[i] |= (u32)(prng_mix(place_of_store(t, k)) << 17);
	}
	return list;
}

static struct agent_access access_of(const struct thread *t)
{
	const struct pending *p = &t->pending;

	if (t->op)
		return (struct agent_access){(u64)(uintptr_t)t->obj, t->obj != NULL, true};
	if (!p->kind)
		return (struct agent_access){0};
	return (struct agent_access){p->addr, p->size, pending_writes(p)};
}

/* Describe the pending operations of the n agents, likewise. */
static const struct agent_access *describe_accesses(u32 n)
{
	static struct agent_access list[AGENTS_MAX];

	for (u32 i = 0; i < S.run.n; i++)
		list[i] = access_of(&M.thread[S.run.item[i]]);
	for (u32 i = S.run.n; i < n; i++) {
		u32 k = i - S.run.n;
		const struct thread *t = commit_owner(&k);
		const struct store *s = buffer_option(&sched_of(t)->buffer, k);

		list[i] = (struct agent_access){s->addr, s->size, true};
	}
	return list;
}

static u32 choose_agent(struct thread *t, u32 n)
{
	u32 c, k;

	if (likely(M.explore.random))
		return explore_choose(&M.explore, n, NULL);
	if (unlikely(M.recording))
		record_question(t, n, CHOICE_SCHEDULE);
	if (M.explore.ops->wants_accesses)
		M.explore.access = describe_accesses(n);
	c = explore_choose(&M.explore, n, M.explore.ops->wants_agents ? describe_agents(n) : NULL);
	if (unlikely(M.explore.diverged))
		execution_end(OUTCOME_DIVERGE);
	if (unlikely(M.recording)) {
		k = c - S.run.n;
		record_answer(c, c < S.run.n ? (i32)M.thread[S.run.item[c]].number
					     : -1 - (i32)commit_owner(&k)->number);
	}
	return c;
}

/* Enabled threads in the order of their numbers, from t's on, and again from 0. */
static void sort_in_turn(const struct thread *t)
{
	struct agents *a = &S.run;

	for (u32 i = 1; i < a->n; i++) {
		u16 slot = a->item[i];
		u16 distance = (u16)(M.thread[slot].number - t->number);
		u32 k = i;

		for (; k && (u16)(M.thread[a->item[k - 1]].number - t->number) > distance; k--) {
			a->item[k] = a->item[k - 1];
			a->pos[a->item[k]] = (u16)(k + 1);
		}
		a->item[k] = slot;
		a->pos[slot] = (u16)(k + 1);
	}
}

/* The enabled thread whose number is t's, or the next one after it in turn. */
static struct thread *first_in_turn(const struct thread *t)
{
	const struct agents *a = &S.run;
	struct thread *first = NULL;
	u16 least = 0;

	if (agents_has(a, t->slot))
		return &M.thread[t->slot];
	for (u32 i = 0; i < a->n; i++) {
		struct thread *u = &M.thread[a->item[i]];
		u16 distance = (u16)(u->number - t->number);

		if (!first || distance < least) {
			first = u;
			least = distance;
		}
	}
	return first;
}

/* --delays: t continues while it can, then the next one in turn; each skipped thread counts as a
 * delay. */
static struct thread *choose_in_turn(struct thread *t)
{
	u32 n = S.run.n, left = M.max_delays - S.delays, c;

	if (!left) {
		M.bounds |= BOUND_DELAYS;
		return first_in_turn(t);
	}
	sort_in_turn(t);
	if (n > left + 1) {
		M.bounds |= BOUND_DELAYS;
		n = left + 1;
	}
	c = n == 1 ? 0 : choose_agent(t, n);
	S.delays += c;
	return &M.thread[S.run.item[c]];
}

/* --preemptions: t can continue; running another thread instead is a preemption. */
static struct thread *choose_preemption(struct thread *t, u32 n)
{
	u32 c;

	if (S.preemptions >= M.max_preemptions) {
		M.bounds |= BOUND_PREEMPTIONS;
		return t;
	}
	c = choose_agent(t, n);
	S.preemptions += S.run.item[c] != t->slot;
	return &M.thread[S.run.item[c]];
}

/* A step without a choice, reported to strategies that want accesses. */
static inline u32 only_agent(void)
{
	if (!likely(M.explore.random) && M.explore.ops->wants_accesses) {
		M.explore.access = describe_accesses(1);
		M.explore.ops->choose(&M.explore, 1, describe_agents(1));
	}
	return 0;
}

static inline struct thread *moves(struct thread *t)
{
	if (unlikely(traces_noted))
		trace_note_step(t);
	return t;
}

/* One of n > 1 agents, with a bound on preemptions or delays. NULL: any agent may. */
static struct thread *choose_bounded(struct thread *t, u32 n)
{
	bool delays = M.max_delays < DELAYS_ANY;

	if (!M.max_preemptions && agents_has(&S.run, t->slot)) { /* traces differ when it waits */
		M.bounds |= BOUND_PREEMPTIONS;
		return t;
	}
	if (traces_noted || trace_states_only)
		trace_note_state(
			t, delays ? M.max_delays - S.delays : M.max_preemptions - S.preemptions);
	if (delays)
		return choose_in_turn(t);
	return agents_has(&S.run, t->slot) ? choose_preemption(t, n) : NULL;
}

/* t, if it goes on; else the states of threads are as next_thread() needs them. */
static __attribute__((noinline)) struct thread *goes_on_lazily(struct thread *t)
{
	if (thread_goes_on(t)) {
		if (unlikely(++M.steps >= M.look_at))
			state_cycle_look(t);
		return t;
	}
	if (S.nstale)
		update_waiters();
	return NULL;
}

/* The next thread, if that is no choice. */
static inline struct thread *next_specially(struct thread *t)
{
	struct thread *goes_on;

	if (unlikely(S.lazy) && (goes_on = goes_on_lazily(t)))
		return goes_on;
	return S.nunarrived ? &M.thread[S.unarrived[--S.nunarrived]] : NULL;
}

/* Commit stores until the strategy chooses a thread, which may be t. */
static inline struct thread *next_thread(struct thread *t)
{
	for (;;) {
		struct thread *owner;
		u32 n, c;

		if (unlikely(S.special) && (owner = next_specially(t)))
			return owner;
		if (unlikely(++M.steps >= M.look_at))
			state_cycle_look(t);
		n = S.run.n + S.ncommits;
		if (unlikely(!n)) {
			stuck();
			continue;
		}
		if (unlikely(S.bounded) && n > 1 && (owner = choose_bounded(t, n)))
			return moves(owner);
		c = n == 1 ? only_agent() : choose_agent(t, n);
		if (c < S.run.n)
			return moves(&M.thread[S.run.item[c]]);
		c -= S.run.n;
		owner = commit_owner(&c);
		commit_store(owner, c);
	}
}

static struct thread *shows; /* this thread shows the others to a debugger */

void thread_show(struct thread *t)
{
	shows = M.cur;
	M.cur = t;
	if (t == shows)
		failure_point();
	else
		fiber_switch(&shows->fiber, &t->fiber);
	M.cur = shows;
	shows = NULL;
}

/* All registers that callers use are saved first: the stack from there on is the same whether t is
 * the thread that moved last, in whose frames below the strategy looks at the state, or not. */
static __attribute__((noinline, cold)) void schedule_to_compare(struct thread *t)
{
	__builtin_unwind_init();
	sched_of(t)->low = (u64)(uintptr_t)__builtin_frame_address(0) - ARCH_BELOW_FRAME;
	schedule(t);
	sched_of(t)->low = 0;
}

void schedule(struct thread *t)
{
	struct thread *next;

	if (unlikely(machine_compares) && !sched_of(t)->low) {
		schedule_to_compare(t);
		return;
	}
	if (unlikely(M.recording))
		record_arrival(t);
	if (unlikely(t->op_begun))
		history_before_step(t);
	INVARIANT(sched_check());
	next = next_thread(t);
	if (next != t) {
		M.cur = next;
		fiber_switch(&t->fiber, &next->fiber);
		if (unlikely(shows)) {
			failure_point();
			fiber_switch(&t->fiber, &shows->fiber); /* for good */
		}
	}
	if (unlikely(t->op_begun))
		history_after_step(t);
}

/* --- data choices ---------------------------------------------------------------------------- */

u32 buffers_choose(u32 n, enum choice_why why)
{
	u32 c;

	if (n < 2)
		return 0;
	if (why == CHOICE_USER && state_cycle_on)
		machine_unrepeatable("values chosen");
	if (unlikely(M.recording))
		record_question(M.cur, n, why);
	if (unlikely(M.driver))
		M.driver->question(n, why);
	c = explore_choose(&M.explore, n, NULL);
	if (unlikely(M.explore.diverged))
		execution_end(OUTCOME_DIVERGE);
	if (unlikely(M.recording))
		record_answer(c, M.cur->number);
	if (unlikely(traces_noted))
		trace_choice(M.cur->slot, c);
	if (unlikely(++M.steps >= M.max_steps))
		step_bound();
	return c;
}

/* --- membarrier ------------------------------------------------------------------------------ */

/* Commit all stores now in buffers, in an order that is a choice: as if all threads had been
 * interrupted at this moment. (The kernel may interrupt them one by one while the caller waits.) */
void buffers_fence_all(void)
{
	buffers_drain();
	if (private_on)
		happens_meet();
	while (S.buffered.n) {
		u32 k = buffers_choose(S.ncommits, CHOICE_USER);
		struct thread *t = commit_owner(&k);

		commit_store(t, k);
	}
}
