/* SPDX-License-Identifier: ISC */
/* schedule.c - see schedule.h. The caller sets x->schedule after explore_start(). */
#include "explore/schedule.h"
#include "base/table.h"
#include "explore/plan_strategy.h"

void schedule_copy(struct schedule *to, const struct schedule *from)
{
	__builtin_memcpy(to->item, from->item, from->n * sizeof *to->item);
	__builtin_memcpy(to->answer, from->answer, from->nanswers * sizeof *to->answer);
	to->n = from->n;
	to->nanswers = from->nanswers;
	to->last = from->last;
}

bool schedule_cheaper(const struct schedule_cost *a, const struct schedule_cost *b)
{
	if (a->rare != b->rare)
		return a->rare < b->rare;
	if (a->relaxed != b->relaxed)
		return a->relaxed < b->relaxed;
	if (a->delayed != b->delayed)
		return a->delayed < b->delayed;
	if (a->switches != b->switches)
		return a->switches < b->switches;
	return a->steps < b->steps;
}

/* --- progress of threads --------------------------------------------------------------- */

/* Has the thread made this read since its last other operation? */
static bool repeats_read(struct schedule_thread *t, const struct event *e)
{
	for (u32 i = 0; i < t->nreads; i++)
		if (t->read[i].addr == e->addr && t->read[i].value == e->value[0])
			return true;
	if (t->nreads < SCHEDULE_READS) {
		t->read[t->nreads].addr = e->addr;
		t->read[t->nreads++].value = e->value[0];
	}
	return false;
}

static bool counts(struct schedule_thread *t, const struct event *e)
{
	switch (e->kind) {
	case EV_READ:
	case EV_CAS_FAIL: return !repeats_read(t, e);
	case EV_PAUSE:
	case EV_YIELD: return false;
	}
	t->nreads = 0;
	return true;
}

/* --- delayed stores ---------------------------------------------------------------- */

static u32 store_key(u32 slot, u32 step)
{
	return slot << 16 | step;
}

static u32 *find_delayed(const struct schedule_run *r, u32 key)
{
	u32 i;

	TABLE_FIND(i, prng_mix(key), SCHEDULE_DELAYED, !r->delayed[i] || r->delayed[i] == key);
	return &r->delayed[i];
}

static void delay(struct schedule_run *r, u32 key)
{
	u32 *at = find_delayed(r, key);

	if (*at)
		return;
	*at = key;
	r->used[r->nused++] = (u32)(at - r->delayed);
}

void schedule_begin(struct schedule_run *r, const struct schedule *s)
{
	while (r->nused)
		r->delayed[r->used[--r->nused]] = 0;
	__builtin_memset(r->thread, 0, r->nthreads * sizeof *r->thread);
	r->schedule = s;
	r->first = r->current = r->nthreads = 0;
	r->asking = 0;
	for (u32 i = 0; s && i < s->n; i++)
		if (s->item[i].commits)
			delay(r, store_key(s->item[i].slot, s->item[i].upto));
}

/* The state of the thread in a slot. */
static struct schedule_thread *thread_at(struct schedule_run *r, u32 slot)
{
	if (r->nthreads <= slot)
		r->nthreads = slot + 1;
	return &r->thread[slot];
}

void schedule_drains(struct schedule_run *r, u32 slot, bool drains)
{
	thread_at(r, slot)->drains = drains;
}

u32 schedule_event(struct schedule_run *r, u32 slot, const struct event *e)
{
	struct schedule_thread *t = thread_at(r, slot);

	if (e->flags & EVENT_SPIN)
		return 0;
	if (!counts(t, e)) {
		t->again++;
		return 0;
	}
	t->again = 0;
	return ++t->steps;
}

/* --- choosing -------------------------------------------------------------------------------- */

/* A store that the schedule does not delay. */
static u32 find_prompt(const struct schedule_run *r, u32 n, const u32 *agents)
{
	for (u32 i = n; i-- > 0 && agents[i] & AGENT_COMMIT;)
		if (!*find_delayed(r, store_key(agent_thread(agents[i]), agent_place(agents[i]))))
			return i;
	return EXPLORE_NONE;
}

/* The oldest store of the thread. */
static u32 find_oldest(u32 n, const u32 *agents, u32 slot)
{
	u32 best = EXPLORE_NONE;

	for (u32 i = n; i-- > 0 && agents[i] & AGENT_COMMIT;)
		if (agent_thread(agents[i]) == slot &&
			(best == EXPLORE_NONE ||
				agent_place(agents[i]) < agent_place(agents[best])))
			best = i;
	return best;
}

static bool is_item_reached(const struct schedule_run *r, const struct schedule_item *i)
{
	return !i->commits && schedule_reached(r, i);
}

static u32 schedule_option(const struct schedule_run *r, u32 n, const u32 *agents, u32 k)
{
	const struct schedule_item *i;

	if (k >= r->schedule->n)
		return EXPLORE_NONE;
	i = &r->schedule->item[k];
	if (i->commits)
		return explore_find(n, agents, plan_agent_commit(i->slot, i->upto));
	return schedule_reached(r, i) ? EXPLORE_NONE : explore_find(n, agents, plan_agent(i->slot));
}

/* No item of the schedule is possible: prefer threads that wait for their buffers, then others. */
static u32 choose_rest(const struct schedule_run *r, u32 n, const u32 *agents)
{
	const struct schedule *s = r->schedule;
	u32 i;

	for (u32 k = r->first; k < s->n; k++) {
		const struct schedule_item *item = &s->item[k];

		if (is_item_reached(r, item) || !r->thread[item->slot].drains)
			continue;
		i = find_oldest(n, agents, item->slot);
		if (i != EXPLORE_NONE)
			return i;
	}
	i = explore_find(n, agents, plan_agent(s->last));
	return i == EXPLORE_NONE ? 0 : i; /* commits come last: only when no thread is enabled */
}

static u32 next_answer(struct schedule_run *r, u32 n)
{
	const struct schedule *s = r->schedule;
	struct schedule_thread *t = thread_at(r, r->asking);

	while (t->answer < s->nanswers && s->answer[t->answer].slot != r->asking)
		t->answer++;
	if (t->answer == s->nanswers)
		return 0;
	return s->answer[t->answer++].taken % n;
}

static u32 choose_by_schedule(struct explore *x, u32 n, const u32 *agents)
{
	struct schedule_run *r = x->schedule;
	u32 i;

	if (!agents)
		return next_answer(r, n);
	i = find_prompt(r, n, agents);
	if (i != EXPLORE_NONE)
		return i;
	i = schedule_option(r, n, agents, r->current);
	if (i != EXPLORE_NONE)
		return i;
	while (r->first < r->schedule->n && is_item_reached(r, &r->schedule->item[r->first]))
		r->first++;
	for (u32 k = r->first; k < r->schedule->n; k++) {
		i = schedule_option(r, n, agents, k);
		if (i == EXPLORE_NONE)
			continue;
		r->current = k;
		return i;
	}
	return choose_rest(r, n, agents);
}

const struct strategy_ops strategy_schedule = {
	.name = STRATEGY_FOLLOW,
	.wants_agents = true,
	.start = explore_once_start,
	.next = explore_once_next,
	.choose = choose_by_schedule,
};

/* --- from an execution ----------------------------------------------------------------------- */

struct extract {
	struct schedule *schedule;
	struct schedule_cost *cost;
	const struct event *event;
	u32 n;
	const u16 *slot_of;
	bool pso;
	u32 *number; /* by step: of the event in its thread */
	u32 *gone;   /* by step of a store: that of its commit */
	u32 oldest[SCHEDULE_THREADS]; /* by thread: no store before this step is in its buffer */
};

bool schedule_put(struct schedule *s, struct schedule_item item)
{
	struct schedule_item *last = s->n ? &s->item[s->n - 1] : NULL;

	if (item.upto > SCHEDULE_STEPS)
		return false;
	if (last && !item.commits && !last->commits && last->slot == item.slot) {
		*last = item;
		return true;
	}
	if (s->n == SCHEDULE_ITEMS)
		return false;
	s->item[s->n++] = item;
	return true;
}

static bool is_store_of(const struct event *e, u32 thread)
{
	return e->thread == thread && e->flags & EVENT_BUFFERED;
}

/* The step of the thread's oldest store that is in its buffer before step `end`; `end`: none is. */
static u32 oldest(struct extract *x, u32 thread, u32 end)
{
	u32 step = x->oldest[thread] ? x->oldest[thread] : 1;

	while (step < end && (x->gone[step] || !is_store_of(&x->event[step - 1], thread)))
		step++;
	return x->oldest[thread] = step;
}

/* Is there no scheduling point here, or none where a commit is observable? */
static bool is_quiet_event(const struct event *e)
{
	switch (e->kind) {
	case EV_READ: return e->flags & EVENT_FORWARDED;
	case EV_WRITE: return e->flags & EVENT_BUFFERED;
	case EV_COMMIT:
	case EV_START:
	case EV_CREATE: return true;
	}
	return kind_has(e->kind, KIND_LOCAL);
}

static bool is_prompt(const struct extract *x, u32 store, u32 commit)
{
	u32 step = store + 1;

	while (step < commit && is_quiet_event(&x->event[step - 1]))
		step++;
	return step == commit;
}

/* Is the store committed directly after another one of its thread? */
static bool follows_another(const struct extract *x, u32 store, u32 commit)
{
	const struct event *before = &x->event[commit - 2];

	return !x->pso && before->kind == EV_COMMIT &&
	       before->thread == x->event[store - 1].thread;
}

static bool put_commit(struct extract *x, u32 store, u32 commit)
{
	u32 slot = x->slot_of[x->event[store - 1].thread];

	if (commit && is_prompt(x, store, commit))
		return true;
	x->cost->delayed++;
	if (commit && follows_another(x, store, commit))
		return true;
	return schedule_put(x->schedule, (struct schedule_item){
			.slot = (u16)slot, .commits = true, .upto = x->number[store]});
}

static bool put_schedule_event(struct extract *x, struct schedule_run *r, const struct event *e,
	u32 *last)
{
	u32 slot = x->slot_of[e->thread];

	x->cost->steps++;
	x->cost->switches += *last && x->event[*last - 1].thread != e->thread;
	x->cost->relaxed += e->kind == EV_READ && !(e->flags & EVENT_FORWARDED) && e->buffered;
	*last = e->step;
	x->number[e->step] = schedule_event(r, slot, e);
	return e->kind == EV_FAIL ||
	       schedule_put(x->schedule, (struct schedule_item){.slot = (u16)slot,
			       .upto = r->thread[slot].steps, .again = r->thread[slot].again});
}

/* Stores still in their buffers at the end; under TSO the first one delays the others. */
static bool put_left(struct extract *x)
{
	bool kept[SCHEDULE_THREADS];

	__builtin_memset(kept, 0, sizeof kept);
	for (u32 step = 1; step <= x->n; step++) {
		const struct event *e = &x->event[step - 1];

		if (!(e->flags & EVENT_BUFFERED) || x->gone[step])
			continue;
		if (kept[e->thread] && !x->pso)
			x->cost->delayed++;
		else if (!put_commit(x, step, 0))
			return false;
		kept[e->thread] = true;
	}
	return true;
}

bool schedule_extract(struct schedule *s, struct schedule_run *scratch, struct schedule_cost *cost,
	const struct event *e, u32 n, const u16 *slot_of, bool pso, u32 *number)
{
	struct extract x = {.schedule = s, .cost = cost, .event = e, .n = n, .slot_of = slot_of,
		.pso = pso, .number = number, .gone = number + n + 1};
	u32 last = 0;

	schedule_begin(scratch, NULL);
	__builtin_memset(x.gone, 0, (n + 1) * sizeof *x.gone);
	s->n = 0;
	*cost = (struct schedule_cost){.rare = cost->rare};
	for (u32 i = 0; i < n; i++) {
		if (e[i].kind != EV_COMMIT) {
			if (!put_schedule_event(&x, scratch, &e[i], &last))
				return false;
			continue;
		}
		if (!e[i].store)
			continue;
		cost->relaxed += pso && oldest(&x, e[i].thread, e[i].store) < e[i].store;
		x.gone[e[i].store] = e[i].step;
		if (!put_commit(&x, e[i].store, e[i].step))
			return false;
	}
	s->last = last ? slot_of[e[last - 1].thread] : 0;
	return put_left(&x);
}
